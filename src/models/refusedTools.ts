import { isRecord } from '../common/json.ts';
import { oneLine } from '../common/text.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import type { ChatRequest } from './chatModel.ts';
import type { ModelError } from './modelError.ts';
import type { DroppedTool } from './schemas/sendableTools.ts';

/** Characters of a provider's words in the reason. */
const saidCharacters = 160;

/** Tools whose definitions a model refused: they are left out until their definition changes. */
export class RefusedTools {
	readonly #reasons = new Map<string, string>();

	/** Why a tool is left out; `undefined` if it is not. */
	reasonFor(tool: ToolDefinition): string | undefined {
		return this.#reasons.size === 0 ? undefined : this.#reasons.get(keyOf(tool));
	}

	/** Leaves out the tools of a refused request that the refusal names; returns whether there are any. */
	add(failure: ModelError, body: object, request: ChatRequest): boolean {
		const names = new Set(namedTools(failure, body));
		const sent = toolsOf(request).filter((tool) => !this.#reasons.has(keyOf(tool)));
		const named =
			names.size > 0
				? sent.filter(({ name }) => names.has(name))
				: sent.filter(({ inputSchema }) => isDescribed(inputSchema, failure));
		const said = oneLine(failure.said, saidCharacters);
		for (const tool of named) this.#reasons.set(keyOf(tool), `The provider refused its definition: ${said}`);
		return named.length > 0;
	}

	/** Other tools, and those that are left out. */
	apart(tools: readonly ToolDefinition[]) {
		const refused = tools.flatMap((tool): DroppedTool[] => {
			const reason = this.reasonFor(tool);
			return reason === undefined ? [] : [{ name: tool.name, reason }];
		});
		const kept = refused.length > 0 ? tools.filter((tool) => this.reasonFor(tool) === undefined) : tools;
		return { kept, refused };
	}
}

function toolsOf({ tools, messages }: ChatRequest): readonly ToolDefinition[] {
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	return [...tools, ...results.flatMap(({ loaded = [] }) => loaded)];
}

function keyOf({ name, inputSchema }: ToolDefinition): string {
	return JSON.stringify([name, inputSchema]);
}

/** What refusals say of a part of a schema. */
const keywords = /\b(type|anyOf|oneOf|allOf|enum|const|format|pattern)\b|(\$ref)/g;

/**
 * Whether a refusal that names no tool is about a schema: it gives a path (`At path 'properties.view'`, with `root` for the whole), and what is there
 * or is missing. Moonshot's refusals have this form.
 */
function isDescribed(schema: unknown, failure: ModelError): boolean {
	const [path] = failure.named(/\bat path '([^'\s]+)'/gi);
	if (path === undefined) return false;
	const steps = path === 'root' ? [] : path.split('.');
	const part = steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), schema);
	if (!isRecord(part)) return false;
	const [said = ''] = failure.named(/\bat path '[^'\s]+':?([^<>]*)/gi);
	const named = [...said.matchAll(keywords)].map(([keyword]) => keyword);
	const lacks = /not defined|missing|required/i.test(said);
	return lacks
		? named.some((keyword) => !Object.hasOwn(part, keyword))
		: named.every((keyword) => Object.hasOwn(part, keyword));
}

/** The tools that a refusal names, by their place in the body (`tools.3.custom`, `tools[3]`, `function_declarations[3]`) or by name. */
function namedTools(failure: ModelError, body: object): readonly string[] {
	const tools = 'tools' in body && Array.isArray(body.tools) ? body.tools.filter(isRecord) : [];
	const names = tools.map((tool) => String((isRecord(tool.function) ? tool.function : tool).name));
	const inGoogles = failure.named(/function_?declarations[.[](\d+)/gi);
	const places = inGoogles.length > 0 ? inGoogles : failure.named(/\btools[.[](\d+)/gi);
	const placed = places.map((place) => names[Number(place)]).filter((name) => name !== undefined);
	const words = new Set(failure.named(/[A-Za-z0-9_-]+/g));
	return [...placed, ...names.filter((name) => words.has(name))];
}
