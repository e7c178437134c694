import type { TokenPrice, TokenUsage } from '../../discovery/cost.ts';
import { toolCount } from '../../discovery/text.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../models/chatModel.ts';
import type { NamedLimits } from '../../models/http/failureReason.ts';
import { ModelError } from '../../models/modelError.ts';

/** Where each request is noted, without its content. */
export interface RequestLog {
	debug(message: string): void;
}

/** What a model of the configuration needs of its surroundings. */
export interface ConfiguredModelParts {
	/** Whether what is said may go to the provider's address; asks the user where they do not know it. */
	readonly mayReceive: () => Promise<boolean>;
	/** To be called when the provider wants a key; true if there is one now that was not sent before. */
	readonly keyAfterRefusal: () => Promise<boolean>;
	readonly log: RequestLog;
	/** What the model's tokens cost; `undefined`: nobody has told. */
	readonly price: () => TokenPrice | undefined;
	/** Most tokens of a request, as far as the provider has named them in refusing one; `undefined`: it has not. */
	readonly learnedInputTokens: () => number | undefined;
	/** To be told of limits that the provider has named. */
	readonly learn: (limits: NamedLimits) => void;
}

/** A model of the configuration: its requests are noted in the log, and one that was refused for want of a key is made again with it. */
export class ConfiguredModel implements ChatModel {
	readonly #model: ChatModel;
	readonly #parts: ConfiguredModelParts;

	constructor(model: ChatModel, parts: ConfiguredModelParts) {
		this.#model = model;
		this.#parts = parts;
	}

	get id(): ChatModel['id'] {
		return this.#model.id;
	}

	get name(): ChatModel['name'] {
		return this.#model.name;
	}

	get maxTools(): ChatModel['maxTools'] {
		return this.#model.maxTools;
	}

	get maxInputTokens(): ChatModel['maxInputTokens'] {
		return this.#parts.learnedInputTokens() ?? this.#model.maxInputTokens;
	}

	get price(): ChatModel['price'] {
		return this.#parts.price();
	}

	get loadings(): ChatModel['loadings'] {
		return this.#model.loadings;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		if (!(await this.#parts.mayReceive())) throw notAgreed(this.name);
		let isAnswered = false;
		try {
			for await (const event of this.#noted(request, signal)) {
				isAnswered ||= event.type === 'text' || event.type === 'toolCall';
				yield event;
			}
		} catch (error) {
			const mayHelp = !isAnswered && !signal.aborted && isUnauthorized(error);
			if (!mayHelp || !(await this.#parts.keyAfterRefusal())) throw error;
			for await (const event of this.#noted(request, signal)) {
				// What was dropped then is dropped again, and known.
				if (event.type !== 'toolDropped') yield event;
			}
		}
	}

	async *#noted(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const started = performance.now();
		let usage: TokenUsage | undefined;
		let outcome = 'stopped';
		try {
			for await (const event of this.#model.stream(request, signal)) {
				if (event.type === 'usage') usage = event.usage;
				yield event;
			}
			if (!signal.aborted) outcome = 'answered';
		} catch (error) {
			if (!signal.aborted) outcome = `failed (${reasonOf(error)})`;
			if (error instanceof ModelError) this.#parts.learn(error.limits);
			throw error;
		} finally {
			const ms = Math.round(performance.now() - started);
			this.#parts.log.debug(`${this.name}: ${sizeOf(request)}, ${outcome} after ${ms} ms${usageText(usage)}`);
		}
	}
}

function notAgreed(model: string): ModelError {
	return new ModelError(
		'refused',
		`Nothing was sent: you have not agreed that ${model} gets this chat. Pick another model, or ask again.`,
	);
}

function isUnauthorized(error: unknown): boolean {
	return error instanceof ModelError && error.reason === 'unauthorized';
}

/** The bare reason: a message may hold what the provider says. */
function reasonOf(error: unknown): string {
	if (!(error instanceof ModelError)) return error instanceof Error ? error.name : 'error';
	return error.status === undefined ? error.reason : `${error.reason}, ${error.status}`;
}

function sizeOf({ messages, tools }: ChatRequest): string {
	return `${messages.length} messages, ${toolCount(tools.length)}`;
}

function usageText(usage: TokenUsage | undefined): string {
	if (!usage) return '';
	const { inputTokens, cachedInputTokens = 0, outputTokens, thoughtTokens = 0 } = usage;
	const thought = thoughtTokens > 0 ? ` (${thoughtTokens} thought)` : '';
	return `, ${inputTokens} tokens in (${cachedInputTokens} cached), ${outputTokens} out${thought}`;
}
