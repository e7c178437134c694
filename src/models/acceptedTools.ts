import { isRecord } from '../common/json.ts';
import { oneLine } from '../common/text.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { callsOf } from './answerParts.ts';
import type { ChatRequest } from './chatModel.ts';
import { ofSchema, type Remedy } from './http/refusals.ts';
import type { ModelError } from './modelError.ts';
import { type DialectName, dialectAfter } from './schemas/dialects.ts';
import { type DroppedTool, sendableTool } from './schemas/sendableTools.ts';
import { legalName } from './wireCalls.ts';

/** Characters of a provider's words in the reason. */
const saidCharacters = 160;

/** Rewrites tools into what one model accepts, and leaves out those that it has refused until their definitions change. */
export class AcceptedTools {
	#dialect: DialectName;
	readonly #reasons = new Map<string, string>();

	constructor(dialect: DialectName) {
		this.#dialect = dialect;
	}

	/** The tool as the model gets it, or why it is left out. */
	taken(tool: ToolDefinition): ToolDefinition | DroppedTool {
		const reason = this.#reasons.size === 0 ? undefined : this.#reasons.get(keyOf(tool));
		return reason === undefined ? sendableTool(tool, this.#dialect) : { name: tool.name, reason };
	}

	/** The request with such tools, including those that results have loaded. */
	in(request: ChatRequest) {
		const dropped: DroppedTool[] = [];
		const sendable = (tools: readonly ToolDefinition[]) =>
			tools.flatMap((tool) => {
				const taken = this.taken(tool);
				if (!('reason' in taken)) return [taken];
				dropped.push(taken);
				return [];
			});
		const tools = sendable(request.tools);
		const messages = request.messages.map((message) => {
			if (message.role !== 'tool') return message;
			const results = message.results.map(({ loaded, ...result }) =>
				loaded ? { ...result, loaded: sendable(loaded) } : result,
			);
			return { ...message, results };
		});
		return { request: { ...request, tools, messages }, dropped };
	}

	/**
	 * Which schemas a model accepts is not known by the name of every deployment: its refusal says whose model it is. The one tool that is still
	 * refused does not stop the turn; the user is told by its event.
	 */
	remedy(request: ChatRequest): Remedy {
		return {
			name: 'schemas of tools',
			isMeant: (failure) => failure.says(ofSchema),
			apply: (failure, body) => this.#change(failure) || this.#leaveOut(failure, body, request),
			repeats: true,
		};
	}

	#change(failure: ModelError): boolean {
		const before = this.#dialect;
		this.#dialect = dialectAfter(before, (words) => failure.says(words));
		return this.#dialect !== before;
	}

	/** Leaves out the tools that a refusal names; returns whether there are any. */
	#leaveOut(failure: ModelError, body: object, request: ChatRequest): boolean {
		const names = namedTools(failure, body);
		const isMeant = ({ name, inputSchema }: ToolDefinition) =>
			names.length > 0 ? names.includes(name) : isDescribed(inputSchema, failure);
		const named = toolsOf(request).filter((tool) => !this.#reasons.has(keyOf(tool)) && isMeant(tool));
		const said = oneLine(failure.said, saidCharacters);
		for (const tool of named) this.#reasons.set(keyOf(tool), `The provider refused its definition: ${said}`);
		return named.length > 0;
	}
}

/** For gateways to Bedrock, which refuses a conversation with calls if the request has no tools. */
export const definedCalls: Remedy = {
	name: 'tools of earlier calls are defined',
	isMeant: (failure) => failure.says(/toolconfig field must be defined|without .?tools=|must define tools/i),
};

/** A request without tools in which those of its earlier calls are defined. */
export function withCalledTools(request: ChatRequest): ChatRequest {
	const parts = request.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
	const names = new Set(callsOf(parts).map(({ name }) => legalName(name)));
	if (request.tools.length > 0 || names.size === 0) return request;
	const description = 'This tool is not available any more.';
	const inputSchema = { type: 'object', properties: {} };
	return { ...request, tools: [...names].map((name) => ({ name, description, inputSchema })) };
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
