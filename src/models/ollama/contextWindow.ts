import * as l10n from '@vscode/l10n';
import { estimateDefinitionTokens, estimateTokens } from '../../common/tokens.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { ModelError } from '../modelError.ts';
import type { WireMessage } from './chatBody.ts';
import type { ModelDetails } from './modelDetails.ts';

/** Tokens by which a chat template marks a message or a tool. */
const framingTokens = 12;
/** Tokens of an image, as Ollama itself estimates them (`server/prompt.go`). */
const imageTokens = 768;

/** Estimated tokens of a prompt. */
export function estimatePromptTokens(
	messages: readonly WireMessage[],
	tools: readonly ToolDefinition[],
): number {
	let tokens = 0;
	for (const message of messages) tokens += framingTokens + messageTokens(message);
	for (const tool of tools) tokens += framingTokens + estimateDefinitionTokens(tool);
	return tokens;
}

function messageTokens(message: WireMessage): number {
	const text = estimateTokens(message.content);
	switch (message.role) {
		case 'system':
			return text;
		case 'assistant':
			return (
				text +
				estimateTokens(message.thinking ?? '') +
				(message.tool_calls ? estimateTokens(JSON.stringify(message.tool_calls)) : 0)
			);
		default:
			return text + imageTokens * (message.images?.length ?? 0);
	}
}

/** Tokens of the smallest context asked for; each larger one is twice as long. */
const smallestContextTokens = 8_192;
/** Tokens of the largest context asked for where nobody says what the model takes. */
const largestContextTokens = 1_048_576;
/** Tokens kept free for an answer of which nothing is set: a thinking model uses most of them before it says a word. */
const answerRoomTokens = 4_096;
/** What the estimate of a prompt may be short by, as a factor: it is made for OpenAI's vocabulary, not for the model's own. */
export const estimateMargin = 1.2;

/** What the length of the context depends on, all in tokens. */
export interface ContextNeed {
	/** Estimated length of the prompt. */
	readonly promptTokens: number;
	/** Room for the answer. */
	readonly answerTokens: number;
	/** The longest context that may be asked for. */
	readonly longestTokens: number;
	/** The shortest one. */
	readonly leastTokens: number;
}

/**
 * How long a context (`num_ctx`) to ask for; `undefined` where the prompt does not fit into the longest. Ollama reserves memory for all of
 * it and loads the model anew whenever it changes, so it begins small and doubles instead of following the prompt's length.
 */
export function contextSize(need: ContextNeed): number | undefined {
	const { promptTokens, answerTokens, longestTokens, leastTokens } = need;
	if (promptTokens >= longestTokens) return undefined;
	const wanted = promptTokens * estimateMargin + answerTokens;
	let size = smallestContextTokens;
	while (size < wanted) size *= 2;
	return Math.min(longestTokens, Math.max(size, leastTokens));
}

/** What the configuration says of a model's context. */
export interface ContextSettings {
	/** As Ollama names it, e.g. `qwen3:8b`. */
	readonly model: string;
	/** Always ask for a context this long, in tokens, or for the model's own if that is shorter. */
	readonly contextTokens?: number;
	/** The longest context to assume where Ollama does not know the model's. */
	readonly maxInputTokens?: number;
	readonly maxOutputTokens?: number;
}

/** How long a context one model is asked for, from request to request: it never shrinks, as each change loads the model anew. */
export class ContextWindow {
	/** What Ollama says of the model, once it is known. */
	details: ModelDetails | undefined;
	readonly #settings: ContextSettings;
	#usedTokens = 0;

	constructor(settings: ContextSettings) {
		this.#settings = settings;
	}

	/** The longest that may be asked for, in tokens; `undefined`: not known. */
	get longestTokens(): number | undefined {
		const { contextTokens, maxInputTokens } = this.#settings;
		const own = this.details?.contextTokens;
		return contextTokens === undefined
			? (own ?? maxInputTokens)
			: Math.min(contextTokens, own ?? contextTokens);
	}

	/** The length for a prompt, in tokens. Throws a `ModelError` where none is long enough. */
	sizeFor(promptTokens: number): number {
		const { model, maxOutputTokens, contextTokens } = this.#settings;
		const longestTokens = this.longestTokens ?? largestContextTokens;
		const size = contextSize({
			promptTokens,
			answerTokens: maxOutputTokens ?? answerRoomTokens,
			longestTokens,
			leastTokens: Math.max(contextTokens ?? this.details?.preferredContextTokens ?? 0, this.#usedTokens),
		});
		if (size === undefined) throw tooLong(model, promptTokens, longestTokens);
		return size;
	}

	/** The next longer one, in tokens; `undefined`: there is none. */
	longerThan(tokens: number): number | undefined {
		const longest = this.longestTokens ?? largestContextTokens;
		return tokens < longest ? Math.min(longest, tokens * 2) : undefined;
	}

	/** Notes that the model runs with a context of so many tokens, or has to from now on. */
	use(tokens: number): void {
		this.#usedTokens = Math.max(this.#usedTokens, tokens);
	}
}

/** The error for an answer that ended because it had all the tokens it may have. */
export function cutAtLimit(
	{ model, maxOutputTokens }: { readonly model: string; readonly maxOutputTokens: number | undefined },
	outputTokens: number | undefined,
	contextTokens: number,
): ModelError {
	const isOutputLimit = maxOutputTokens !== undefined && (outputTokens ?? maxOutputTokens) >= maxOutputTokens;
	const limit = isOutputLimit
		? `the limit of ${count(maxOutputTokens)} output tokens`
		: `the end of its context of ${count(contextTokens)} tokens`;
	return new ModelError(
		'outputLimit',
		`The answer of “${model}” was cut off at ${limit}. Ask for a shorter one, or raise the limit in the configuration file.`,
	);
}

/** What the chat says under an answer that was made from a part of the conversation only. */
export function droppedNotice(contextTokens: number, longerNext: boolean): string {
	const advice = longerNext
		? l10n.t('The next request asks for a longer one.')
		: l10n.t('Begin a new chat, or pick a model with a larger context.');
	const what = l10n.t(
		'Ollama dropped the beginning of this conversation: it did not fit into the context of {0} tokens.',
		count(contextTokens),
	);
	return `${what} ${advice}`;
}

/** The error for a prompt that the model has no room for; nothing was sent. */
function tooLong(model: string, promptTokens: number, longestTokens: number): ModelError {
	return new ModelError(
		'contextTooLong',
		`The conversation, of about ${count(promptTokens)} tokens, is too long for “${model}”, which takes ${count(longestTokens)}. Begin a new chat, or pick a model with a larger context.`,
	);
}

function count(tokens: number): string {
	return tokens.toLocaleString('en');
}
