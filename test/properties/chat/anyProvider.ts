import type { Loading } from '../../../src/discovery/catalog/policy.ts';
import type { ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import type { ChatModel, ChatRequest } from '../../../src/models/chatModel.ts';
import { createModel } from '../../../src/models/createModel.ts';
import { chatCompletions } from '../../providers/strict/chatCompletions.ts';
import { additionsOf, type MessagesBody, messages } from '../../providers/strict/messages.ts';
import { ollama } from '../../providers/strict/ollama.ts';
import { responses } from '../../providers/strict/responses.ts';
import { type Protocol, StrictEndpoint } from '../../providers/strict/strictEndpoint.ts';

/** A protocol of whatever body, the model that is asked in it, and which tools that model could call after such a body. */
interface Case {
	// biome-ignore lint/suspicious/noExplicitAny: each protocol has a body of its own.
	readonly protocol: Protocol<any, any>;
	readonly model: string;
	readonly loadings: readonly [Loading, ...Loading[]];
	readonly callable: (body: WireBody) => readonly string[];
}

/** What of a body says which tools there are. */
interface WireBody {
	readonly tools?: readonly WireTool[];
	/** Items of a conversation with the Responses API; what a search of it brings. */
	readonly input?: readonly { readonly type: string; readonly tools?: readonly WireTool[] }[];
	readonly messages?: unknown;
}

interface WireTool {
	readonly type?: string;
	readonly name?: string;
	readonly function?: { readonly name: string };
	readonly defer_loading?: boolean;
}

const functions = ({ tools = [] }: WireBody) => tools.flatMap(nameOf);

export const providers = {
	'Chat Completions': {
		protocol: chatCompletions('openai'),
		model: 'gpt-4.1',
		loadings: ['append', 'call'],
		callable: functions,
	},
	Gemini: {
		protocol: chatCompletions('gemini'),
		model: 'gemini-3-pro',
		loadings: ['append', 'call'],
		callable: functions,
	},
	Responses: {
		protocol: responses,
		model: 'gpt-5.4',
		loadings: ['native', 'append', 'call'],
		callable: (body) => [
			...functions(body),
			...(body.input ?? []).flatMap(({ type, tools = [] }) =>
				type === 'tool_search_output' || type === 'additional_tools' ? tools.flatMap(nameOf) : [],
			),
		],
	},
	Anthropic: {
		protocol: messages,
		model: 'claude-sonnet-5',
		loadings: ['native', 'append', 'call'],
		callable: ({ tools = [], messages: said }) => {
			const text = JSON.stringify(said);
			// A deferred definition counts from where a result refers to it.
			const isThere = ({ name, defer_loading: waits }: WireTool) =>
				!waits || text.includes(`"type":"tool_reference","tool_name":${JSON.stringify(name)}`);
			const added = tools.length > 0 ? additionsOf({ messages: said } as MessagesBody) : [];
			return [...tools.filter(isThere).flatMap(nameOf), ...added.map(({ name }) => name)];
		},
	},
	Ollama: { protocol: ollama, model: 'qwen3:8b', loadings: ['append', 'call'], callable: functions },
} satisfies Readonly<Record<string, Case>>;

function nameOf({ type, name, function: its }: WireTool): readonly string[] {
	if (type === 'tool_search') return ['search_tools'];
	const own = name ?? its?.name;
	return own === undefined ? [] : [own];
}

/** A provider's adapter, with an endpoint on loopback that takes whatever it sends. */
export class AnyProvider implements AsyncDisposable {
	readonly loadings: readonly [Loading, ...Loading[]];
	readonly #callable: Case['callable'];
	readonly #model: ChatModel;
	readonly #endpoint: StrictEndpoint<WireBody, unknown>;

	private constructor(
		{ callable, loadings }: Case,
		model: ChatModel,
		endpoint: StrictEndpoint<WireBody, unknown>,
	) {
		this.loadings = loadings;
		this.#callable = callable;
		this.#model = model;
		this.#endpoint = endpoint;
	}

	static async start(name: keyof typeof providers, requests: number): Promise<AnyProvider> {
		const one: Case = providers[name];
		const { protocol, model: id } = one;
		const script = Array.from({ length: requests }, () => ({ text: 'Yes.' }));
		const endpoint = await StrictEndpoint.start<WireBody, unknown>({ ...protocol, rules: [] }, script);
		const api = name === 'Responses' ? ('responses' as const) : ('chat' as const);
		const model = await createModel({ id, name, model: id, images: false, api }, endpoint.endpoint);
		return new AnyProvider(one, model, endpoint);
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return this.#model.refusalOf?.(tool);
	}

	/** Sends a request; returns which tools the provider's model could call then, and which the adapter has left out. */
	async send(
		request: ChatRequest,
	): Promise<{ readonly callable: ReadonlySet<string>; readonly dropped: readonly string[] }> {
		const dropped: string[] = [];
		await this.#model.answer(request, new AbortController().signal, (event) => {
			if (event.type === 'toolDropped') dropped.push(event.name);
		});
		const sent = this.#endpoint.requests.splice(0).at(-1);
		if (!sent) throw new Error('Nothing was sent.');
		return { callable: new Set(this.#callable(sent.body)), dropped };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#endpoint[Symbol.asyncDispose]();
	}
}
