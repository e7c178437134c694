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
		const named = toolsOf(request).filter((tool) => names.has(tool.name) && !this.#reasons.has(keyOf(tool)));
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
