import { isRecord, recordsIn } from '../common/json.ts';
import { oneLine } from '../common/text.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { callsOf } from './answerParts.ts';
import type { ChatRequest } from './chatModel.ts';
import { type Remedy, schemaRefusal } from './http/refusals.ts';
import type { ModelError } from './modelError.ts';
import { type DialectName, dialectAfter } from './schemas/dialects.ts';
import { sendableTool, type UnsendableTool } from './schemas/sendableTools.ts';
import { legalName } from './wireCalls.ts';

/** Characters of a provider's words in the reason. */
const reasonCharacters = 160;

/** Rewrites tools into what one model accepts, and leaves out those that it has refused until their definitions change. */
export class ToolAdapter {
	#dialect: DialectName;
	readonly #reasons = new Map<string, string>();

	constructor(dialect: DialectName) {
		this.#dialect = dialect;
	}

	/** The tool as the model gets it, or why it is left out. */
	adapt(tool: ToolDefinition): ToolDefinition | UnsendableTool {
		const reason = this.#reasons.size === 0 ? undefined : this.#reasons.get(keyOf(tool));
		return reason === undefined ? sendableTool(tool, this.#dialect) : { name: tool.name, reason };
	}

	/** The request with such tools, including those that results have loaded. */
	adaptRequest(request: ChatRequest) {
		const dropped: UnsendableTool[] = [];
		const sendable = (tools: readonly ToolDefinition[]) =>
			tools.flatMap((tool) => {
				const adapted = this.adapt(tool);
				if (!('reason' in adapted)) return [adapted];
				dropped.push(adapted);
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
			appliesTo: (failure) => failure.says(schemaRefusal),
			apply: (failure, body) => this.#changeDialect(failure) || this.#leaveOut(failure, body, request),
			repeats: true,
		};
	}

	#changeDialect(failure: ModelError): boolean {
		const previous = this.#dialect;
		this.#dialect = dialectAfter(previous, (words) => failure.says(words));
		return this.#dialect !== previous;
	}

	/** Leaves out the tools that a refusal names; returns whether there are any. */
	#leaveOut(failure: ModelError, body: object, request: ChatRequest): boolean {
		const names = toolsNamedIn(failure, body);
		const isRefused = ({ name, inputSchema }: ToolDefinition) =>
			names.length > 0 ? names.includes(name) : isAboutSchema(inputSchema, failure);
		const refusedTools = toolsOf(request).filter(
			(tool) => !this.#reasons.has(keyOf(tool)) && isRefused(tool),
		);
		const words = oneLine(failure.providerText, reasonCharacters);
		for (const tool of refusedTools)
			this.#reasons.set(keyOf(tool), `The provider refused its definition: ${words}`);
		return refusedTools.length > 0;
	}
}

/** For gateways to Bedrock, which refuses a conversation with calls if the request has no tools. */
export const calledToolsRemedy: Remedy = {
	name: 'tools of earlier calls are defined',
	appliesTo: (failure) =>
		failure.says(/toolconfig field must be defined|without .?tools=|must define tools/i),
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
function isAboutSchema(schema: unknown, failure: ModelError): boolean {
	const [path] = failure.matchAll(/\bat path '([^'\s]+)'/gi);
	if (path === undefined) return false;
	const steps = path === 'root' ? [] : path.split('.');
	const part = steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), schema);
	if (!isRecord(part)) return false;
	const [words = ''] = failure.matchAll(/\bat path '[^'\s]+':?([^<>]*)/gi);
	const namedKeywords = [...words.matchAll(keywords)].map(([keyword]) => keyword);
	const isMissing = /not defined|missing|required/i.test(words);
	return isMissing
		? namedKeywords.some((keyword) => !Object.hasOwn(part, keyword))
		: namedKeywords.every((keyword) => Object.hasOwn(part, keyword));
}

/** The tools that a refusal names, by their place in the body (`tools.3.custom`, `tools[3]`, `function_declarations[3]`) or by name. */
function toolsNamedIn(failure: ModelError, body: object): readonly string[] {
	const tools = 'tools' in body ? recordsIn(body.tools) : [];
	const names = tools.map((tool) => String((isRecord(tool.function) ? tool.function : tool).name));
	const declarationPlaces = failure.matchAll(/function_?declarations[.[](\d+)/gi);
	const places = declarationPlaces.length > 0 ? declarationPlaces : failure.matchAll(/\btools[.[](\d+)/gi);
	const namesAtPlaces = places.map((place) => names[Number(place)]).filter((name) => name !== undefined);
	const words = new Set(failure.matchAll(/[A-Za-z0-9_-]+/g));
	return [...namesAtPlaces, ...names.filter((name) => words.has(name))];
}
