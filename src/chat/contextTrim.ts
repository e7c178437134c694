import type { ChatMessage, ToolCallResult } from '../discovery/catalog/message.ts';
import { textResult } from '../discovery/catalog/tool.ts';
import { charactersOf, type Measure, requestTokens, type SizedRequest, tokensOf } from './requestSize.ts';

/** Share of the model's context at which a request is trimmed: estimates are not exact, and the answer needs room. */
const fullShare = 0.85;
/** Share that remains after trimming: it breaks the provider's cache, so it is done rarely and thoroughly. */
const trimmedShare = 0.6;
/** Smaller parts are removed only if nothing larger is left. */
const worthTrimming = { tokens: 200, characters: 1_000 };
/** Maximum characters of a conversation, whatever the model: memory is limited, and so is the size of requests (32 MB). */
const maxCharacters = 24 * 1024 * 1024;

/** Replace a removed result, or removed attachments. */
const noResult = '[This result was removed to make room. Call the tool again if you need it.]';
const noAttachment = '[What was attached to this was removed to make room.]';
/** Replaces a message of a removed turn. */
const noMessage = '[Removed to make room.]';

/** A conversation whose messages can be replaced by shorter ones. */
export interface Trimmable {
	readonly messages: readonly ChatMessage[];
	rewrite(index: number, message: ChatMessage): void;
}

/**
 * Makes room in a conversation that is about to outgrow the model, or all models. Removes the oldest first: large results, thoughts and
 * attachments of earlier turns, then small results, then whole turns. Never removes the results of the last round, or the last question. Returns
 * how many results, thoughts and attachments were removed. `request`: contains the conversation.
 */
export function trimResults(
	chat: Trimmable,
	request: SizedRequest,
	maxInputTokens = Number.POSITIVE_INFINITY,
): number {
	const { messages } = chat;
	const characters = messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
	const large = characters > maxCharacters ? characters - maxCharacters * trimmedShare : 0;
	const trimmed = trim(chat, large, charactersOf, worthTrimming.characters);
	const tokens = requestTokens(request);
	const long = tokens > maxInputTokens * fullShare ? tokens - maxInputTokens * trimmedShare : 0;
	return trimmed + trim(chat, long, tokensOf, worthTrimming.tokens);
}

/** Shortens a conversation to this many characters, if possible. */
export function trimCharacters(chat: Trimmable, limit: number): void {
	const characters = chat.messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
	trim(chat, characters - limit, charactersOf, worthTrimming.characters);
}

/** {@link trimResults} for a request that the provider refused as too long, whatever the estimate says. */
export function trimHarder(chat: Trimmable, request: SizedRequest): number {
	return trim(chat, requestTokens(request) / 2, tokensOf, worthTrimming.tokens);
}

/** A shorter message, and how many results, thoughts and attachments were removed; `undefined` if nothing was. */
type TrimStep = (
	message: ChatMessage,
	measure: Measure,
	least: number,
) => { readonly message: ChatMessage; readonly removed: number } | undefined;

/** What is removed, by kind. Loaded definitions come late, because a model that lost one must search again. */
const trimSteps: readonly { readonly until: 'last results' | 'last question'; readonly step: TrimStep }[] = [
	{
		until: 'last results',
		step: (...args) => withoutResults(...args, ({ loaded }) => loaded === undefined),
	},
	// Providers need only the thoughts of the current turn.
	{ until: 'last question', step: withoutThoughts },
	{ until: 'last question', step: withoutAttachments },
	{ until: 'last results', step: withoutResults },
	{
		until: 'last results',
		step: (message, measure) => withoutResults(message, measure, measure.text(noResult)),
	},
	{ until: 'last question', step: withoutAnything },
];

/** Frees `excess`, kind by kind, the oldest first, or as much as possible. `least`: smaller parts are removed last. */
function trim(chat: Trimmable, excess: number, measure: Measure, minSize: number): number {
	if (excess <= 0) return 0;
	const { messages } = chat;
	const bounds = {
		'last results': messages.findLastIndex(({ role }) => role === 'tool'),
		'last question': messages.findLastIndex(isOfUser),
	};
	let remainingExcess = excess;
	let trimmed = 0;
	for (const { until, step } of trimSteps) {
		for (const [i, message] of messages.slice(0, Math.max(0, bounds[until])).entries()) {
			if (remainingExcess <= 0) return trimmed;
			const less = step(message, measure, minSize);
			if (!less) continue;
			chat.rewrite(i, less.message);
			remainingExcess -= measure.message(message) - measure.message(less.message);
			trimmed += less.removed;
		}
	}
	return trimmed;
}

/** Whether a message is from the user. Our own message that asks the model to continue belongs to the same turn. */
function isOfUser(message: ChatMessage): boolean {
	if (message.role !== 'user') return false;
	return message.text !== '' || message.images !== undefined || message.attached !== undefined;
}

function withoutResults(
	message: ChatMessage,
	measure: Measure,
	least: number,
	isSelected: (result: ToolCallResult) => boolean = () => true,
): ReturnType<TrimStep> {
	if (message.role !== 'tool') return undefined;
	const isRemoved = message.results.map((result) => isSelected(result) && measure.result(result) > least);
	const removed = isRemoved.filter(Boolean).length;
	if (removed === 0) return undefined;
	const results = message.results.map((result, i) => (isRemoved[i] ? withoutText(result) : result));
	return { message: { role: 'tool', results }, removed };
}

function withoutText(answer: ToolCallResult): ToolCallResult {
	return { ...answer, result: { ...textResult(noResult), isError: answer.result.isError } };
}

function withoutThoughts(message: ChatMessage, measure: Measure, least: number): ReturnType<TrimStep> {
	if (message.role !== 'assistant' || measure.thought(message) < least) return undefined;
	const parts = message.parts.filter(({ type }) => type !== 'thinking');
	return { message: { role: 'assistant', parts }, removed: 1 };
}

function withoutAttachments(message: ChatMessage, measure: Measure, least: number): ReturnType<TrimStep> {
	if (message.role !== 'user') return undefined;
	const { images, attached, ...rest } = message;
	const dropsImages = images !== undefined && measure.images(images) >= least;
	const dropsTexts = attached !== undefined && measure.text(attached) >= least;
	if (!dropsImages && !dropsTexts) return undefined;
	const less: ChatMessage = {
		...rest,
		text: `${message.text}\n${noAttachment}`,
		...(images && !dropsImages && { images }),
		...(attached !== undefined && !dropsTexts && { attached }),
	};
	return { message: less, removed: (dropsImages ? 1 : 0) + (dropsTexts ? 1 : 0) };
}

/** A conversation as a model reads it: one placeholder stands for all turns that were removed, one after the other. */
export function withOnePlaceholder(messages: readonly ChatMessage[]): readonly ChatMessage[] {
	return messages.filter((message, i) => {
		const previous = messages[i - 1];
		return !isRemoved(message) || previous === undefined || !isRemoved(previous);
	});
}

function isRemoved(message: ChatMessage): boolean {
	switch (message.role) {
		case 'user':
			return message.text === noMessage;
		case 'assistant':
			return message.parts.length === 0;
		case 'tool':
			return message.results.length === 0;
	}
}

/** Empties a message of an old turn. It stays in its place, because turns are found by the index of their first message. */
function withoutAnything(message: ChatMessage): ReturnType<TrimStep> {
	switch (message.role) {
		case 'user':
			return { message: { role: 'user', text: noMessage }, removed: 0 };
		case 'assistant':
			return { message: { role: 'assistant', parts: [] }, removed: 0 };
		case 'tool':
			return { message: { role: 'tool', results: [] }, removed: message.results.length };
	}
}
