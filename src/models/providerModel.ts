import {
	type AnswerSettings,
	acceptedSettings,
	bindsThoughts,
	canBeForced,
} from '../common/answerSettings.ts';
import { defined } from '../common/json.ts';
import { isProvidersOwn, type Protocol } from '../common/providers.ts';
import type { AnswerPart } from '../discovery/catalog/message.ts';
import type { Loading } from '../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { Answer } from './answer.ts';
import { type ChatModel, type ChatModelEvent, type ChatRequest, withCallInWords } from './chatModel.ts';
import type { AnswerReader } from './http/answerReader.ts';
import { endpointFetch } from './http/endpointFetch.ts';
import { readEvents } from './http/eventStream.ts';
import { Refusals, type Remedy, thoughtRemedies, withExtra } from './http/refusals.ts';
import { withRetries } from './http/retries.ts';
import type { ModelError } from './modelError.ts';
import { inForm, type NativeForm, nativeRefusal, toolsInResults } from './nativeLoading.ts';
import { RefusedPictures } from './pictures.ts';
import { type Endpoint, type ProviderModelSettings, providerMaxTools } from './provider.ts';
import { dialectOf } from './schemas/dialects.ts';
import { Thinker } from './thinker.ts';
import { loneThoughtNotice, writtenCallNotice } from './thinkTags.ts';
import { calledToolsRemedy, ToolAdapter, withCalledTools } from './toolAdapter.ts';

/**
 * A request that the model accepts. Tools, including those that results loaded, are rewritten for the provider or left out. If the protocol
 * cannot force a call, words ask for one. Settings that the model refuses are missing.
 */
export interface AcceptedRequest extends ChatRequest {
	readonly answers: AnswerSettings & { readonly maxOutputTokens?: number };
}

/** How a protocol differs from others. */
interface ProtocolTraits {
	/** The likeliest; they come first. */
	readonly first?: readonly Remedy[];
	readonly remedies?: readonly Remedy[];
	/** How the endpoint gets tools in the conversation; then what to try if it refuses that. Default: not at all. */
	readonly forms?: readonly NativeForm[];
	/** Whether the model may know that; whether its endpoint does, its refusal says. A user who knows better can insist. */
	readonly isNativeKnown?: boolean;
}

/** What the models of all protocols have in common: dropped tools, settings, retries, learned refusals, stop. */
export abstract class ProviderModel<Body extends object> implements ChatModel {
	readonly id: string;
	readonly name: string;
	readonly maxTools = providerMaxTools;
	protected readonly settings: ProviderModelSettings;
	protected readonly endpoint: Endpoint;
	protected readonly refused: Refusals;
	/** The maker of this model's parts, which get their origins back. */
	protected readonly thinker: Thinker;
	readonly #protocol: Protocol;
	readonly #tools: ToolAdapter;
	readonly #pictures = new RefusedPictures();
	readonly #firstRemedies: readonly Remedy[];
	#bindsThoughts: boolean;
	/** Whether the endpoint sends thoughts as text; the user is told once. */
	#leavesThoughts = false;
	#forms: readonly NativeForm[];
	readonly #isNativeKnown: boolean;
	/** The form that it has accepted. */
	#knownForm: NativeForm | undefined;

	constructor(
		settings: ProviderModelSettings,
		endpoint: Endpoint,
		protocol: Protocol,
		{ first = [], remedies = [], forms = ['list'], isNativeKnown = false }: ProtocolTraits = {},
	) {
		this.id = settings.id;
		this.name = settings.name;
		this.settings = settings;
		this.endpoint = endpoint;
		this.#protocol = protocol;
		this.#firstRemedies = first;
		this.#forms = forms;
		this.#isNativeKnown = isNativeKnown;
		this.#bindsThoughts = bindsThoughts(settings.model);
		if (isProvidersOwn(endpoint)) this.#knownForm = 'searches';
		this.#tools = new ToolAdapter(dialectOf(endpoint.provider, settings.model));
		this.refused = new Refusals([calledToolsRemedy, ...remedies], settings.name);
		this.thinker = new Thinker(endpoint, protocol, settings.model);
	}

	/** A model whose thoughts are bound loses them with every load that changes the tools of a request, so that way comes last. */
	get loadings(): readonly [Loading, ...Loading[]] {
		if (this.#form === 'list') return this.#bindsThoughts ? ['call', 'append'] : ['append', 'call'];
		const isSure = this.#isNativeKnown && this.#knownForm !== undefined;
		if (this.#bindsThoughts && isSure) return ['native', 'call', 'append'];
		const ways = this.#isNativeKnown ? (['native', 'append'] as const) : (['append', 'native'] as const);
		return this.#bindsThoughts ? ['call', ...ways] : [...ways, 'call'];
	}

	get maxInputTokens(): number | undefined {
		return this.settings.maxInputTokens;
	}

	refusalOf(tool: ToolDefinition): string | undefined {
		const adapted = this.#tools.adapt(tool);
		return 'reason' in adapted ? adapted.reason : undefined;
	}

	async answer(
		request: ChatRequest,
		signal: AbortSignal,
		emit: (event: ChatModelEvent) => void,
	): Promise<readonly AnswerPart[]> {
		// More of the answer may have arrived before the user stopped it.
		const emitUnlessStopped = (event: ChatModelEvent) => {
			if (!signal.aborted) emit(event);
		};
		try {
			signal.throwIfAborted();
			await this.prepare(signal);
			let currentRequest = request;
			const write = () => {
				const { body, dropped } = this.#writeRequest(currentRequest);
				for (const tool of dropped) emitUnlessStopped({ type: 'toolDropped', ...tool });
				return body;
			};
			let body = write();
			let recovery: ReturnType<Refusals['recovery']> | undefined;
			const recover = (failure: ModelError) => {
				recovery ??= this.#recovery(request, () => {
					currentRequest = { ...request, answers: { ...request.answers, thinking: { mode: 'off' } } };
				});
				const recovered = recovery(failure, body);
				if (recovered) body = write();
				return recovered;
			};
			const { parts } = await withRetries(
				() => new Answer(emitUnlessStopped, this.thinker),
				(attempt) => this.#ask(body, request, signal, attempt),
				signal,
				{ recover },
			);
			signal.throwIfAborted();
			this.#learnForm(request);
			const thoughtNotice = this.#leavesThoughts ? undefined : loneThoughtNotice(parts, this.name);
			this.#leavesThoughts ||= thoughtNotice !== undefined;
			for (const text of [writtenCallNotice(parts, request.tools, this.name), thoughtNotice])
				if (text !== undefined) emitUnlessStopped({ type: 'notice', text });
			return parts;
		} catch (error) {
			signal.throwIfAborted();
			throw error;
		}
	}

	get #form(): NativeForm {
		return this.#forms[0] ?? 'list';
	}

	#recovery(request: ChatRequest, withoutThinking: () => void): ReturnType<Refusals['recovery']> {
		const { messages } = request;
		const onBound = () => {
			this.#bindsThoughts = true;
		};
		// Most endpoints that merely speak a protocol do not know its tools in the conversation. They get another form from now on.
		const native: Omit<Remedy, 'appliesTo'> = {
			name: 'tools in the conversation',
			apply: (_, body) => {
				const previousForms = this.#forms;
				while (this.#forms.length > 1) {
					this.#forms = this.#forms.slice(1);
					if (JSON.stringify(this.#writeRequest(request).body) !== JSON.stringify(body)) return true;
				}
				this.#forms = previousForms;
				return false;
			},
			repeats: true,
		};
		return this.refused.recovery(
			[
				...this.#firstRemedies,
				...thoughtRemedies(this.thinker, messages, onBound, withoutThinking),
				{ ...native, appliesTo: (failure) => failure.says(nativeRefusal) },
				this.#tools.remedy(request),
				this.#pictures.remedy(messages),
			],
			[{ ...native, appliesTo: () => this.#knownForm !== this.#form }],
		);
	}

	/** A request with tools in the conversation was accepted. */
	#learnForm(request: ChatRequest): void {
		if (request.searchTool === undefined) return;
		const isAdded = request.messages.some((message) => message.role !== 'assistant' && message.added?.length);
		if (isAdded) this.#knownForm = this.#form;
		else if (toolsInResults(request).length > 0) this.#knownForm ??= 'searches';
	}

	#writeRequest(original: ChatRequest) {
		const { model, extraBody, maxOutputTokens } = this.settings;
		const withoutRefusedPictures = { ...original, messages: this.#pictures.without(original.messages) };
		const withTools = this.refused.has(calledToolsRemedy.name)
			? withCalledTools(withoutRefusedPictures)
			: withoutRefusedPictures;
		const { request, dropped } = this.#tools.adaptRequest(inForm(withTools, this.#form));
		const target = { protocol: this.#protocol, model, baseUrl: this.endpoint.baseUrl };
		const { maxOutputTokens: outputLimit = maxOutputTokens, ...requested } = request.answers ?? {};
		const answers = {
			...acceptedSettings(target, { ...this.settings.answers, ...requested }),
			...defined({ maxOutputTokens: outputLimit }),
		};
		const isForced = canBeForced(target, answers) && !this.refused.has('tool_choice');
		const accepted = { ...request, answers };
		const body = this.body(isForced ? accepted : withCallInWords(accepted));
		return { body: withExtra(this.refused.without(body), extraBody), dropped };
	}

	/** Learns what a request depends on. */
	protected async prepare(_signal: AbortSignal): Promise<void> {}

	/** Writes a request. It may be written again after something was learned from a refusal. */
	protected abstract body(request: AcceptedRequest): Body;

	/** Sends a body, and reads one attempt at its answer. */
	async #ask(body: Body, request: ChatRequest, signal: AbortSignal, answer: Answer): Promise<void> {
		const reader = this.reader(answer, body, request);
		const init = { body, headers: this.headers(body), signal };
		const response = endpointFetch(this.endpoint, this.path, init);
		reader.end(await readEvents(this.endpoint, response, reader));
	}

	/** Where requests go, below the endpoint's URL. */
	protected abstract readonly path: string;

	/** What a request has besides the usual headers. */
	protected headers(_body: Body): Readonly<Record<string, string>> {
		return {};
	}

	/** The reader of one attempt at an answer. */
	protected abstract reader(answer: Answer, body: Body, request: ChatRequest): AnswerReader<unknown>;
}

/** Settings that have the same names in OpenAI's protocols and Anthropic's. */
export function commonFields({ temperature, topP, serviceTier }: AnswerSettings) {
	return defined({ temperature, top_p: topP, service_tier: serviceTier as 'auto' | undefined });
}
