import type { Loading } from '../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from './chatModel.ts';
import { type AnswerLimits, usualLimits } from './http/limits.ts';
import { Refusals, type Remedy, staleThoughts } from './http/refusals.ts';
import { withRetries } from './http/retries.ts';
import { type Endpoint, type ProviderModelSettings, providerMaxTools } from './provider.ts';
import type { DialectName } from './schemas/dialects.ts';
import { type DroppedTool, refusalOf } from './schemas/sendableTools.ts';
import { Thinker } from './thinker.ts';

/** One request, which can be built again after something was learned from a refusal. */
export interface Asking<Body> {
	/** The body, and the tools that it leaves out because the provider would refuse them. */
	build(): { readonly body: Body; readonly dropped: readonly DroppedTool[] };
	/** Remedies for this request only. */
	readonly remedies?: readonly Remedy[];
}

/** How one of the providers' protocols differs from the others. */
interface Protocol {
	readonly name: 'messages' | 'chat' | 'responses' | 'ollama';
	readonly dialect: DialectName;
	readonly remedies: readonly Remedy[];
}

/** What the models of all protocols have in common: dropped tools, retries, learned refusals, stop. */
export abstract class ProviderModel<Body extends object> implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = providerMaxTools;
	abstract readonly loadings: readonly [Loading, ...Loading[]];
	protected readonly settings: ProviderModelSettings;
	protected readonly endpoint: Endpoint;
	protected readonly limits: AnswerLimits;
	protected readonly dialect: DialectName;
	protected readonly refused: Refusals;
	/** The maker of this model's parts, which get their origins back. */
	protected readonly thinker: Thinker;

	constructor(
		settings: ProviderModelSettings,
		endpoint: Endpoint,
		{ name, dialect, remedies }: Protocol,
		limits = usualLimits(endpoint),
	) {
		this.id = settings.id;
		this.name = settings.name;
		this.settings = settings;
		this.endpoint = endpoint;
		this.limits = limits;
		this.dialect = dialect;
		this.refused = new Refusals(remedies, settings.name);
		this.thinker = new Thinker(endpoint, name, settings.model);
	}

	get maxInputTokens(): number | undefined {
		return this.settings.maxInputTokens;
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		return refusalOf(tool, this.dialect);
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		try {
			const { build, remedies = [] } = await this.begin(request, signal);
			let { body, dropped } = build();
			for (const tool of dropped) yield { type: 'toolDropped', ...tool };
			const recovery = this.refused.recovery([
				...remedies,
				staleThoughts(this.thinker, request.messages, this.name),
			]);
			yield* withRetries(() => this.#answer(body, request, signal), signal, {
				recover: (failure) => {
					const recovered = recovery(failure, body);
					if (recovered) body = build().body;
					return recovered;
				},
			});
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	async *#answer(body: Body, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		yield* this.ask(body, request, signal);
		this.refused.accept(body);
	}

	/** Prepares a request. */
	protected abstract begin(request: ChatRequest, signal: AbortSignal): Asking<Body> | Promise<Asking<Body>>;

	/** Sends a body and reads its answer. */
	protected abstract ask(
		body: Body,
		request: ChatRequest,
		signal: AbortSignal,
	): AsyncGenerator<ChatModelEvent>;
}
