import { textResult } from '../discovery/catalog/tool.ts';
import type { ChatMessage, ToolCallResult } from '../models/chatModel.ts';
import { charactersOf, type Measure, requestTokens, type SizedRequest, tokensOf } from './requestSize.ts';

/** Share of the model's context that a request may fill before it is trimmed: estimates are not exact, and the answer needs room. */
const fullShare = 0.85;
/** Share that is left filled: trimming breaks the provider's cache, so it is done seldom and thoroughly. */
const trimmedShare = 0.6;
/** A result or picture that is smaller than this is not removed: in tokens, and in characters. */
const worthTrimming = { tokens: 200, characters: 1_000 };
/** Characters that a conversation may have whatever the model: memory has a bound, and so has what providers accept (32 MB). */
const maxCharacters = 24 * 1024 * 1024;

/** What stands in place of a result, or of pictures, that were trimmed. */
const noResult = '[This result was removed to make room. Call the tool again if you need it.]';
const noAttachment = '[What was attached to this was removed to make room.]';

type TrimmableRequest = SizedRequest & { readonly messages: ChatMessage[] };

/**
 * Makes room in a conversation that is about to outgrow the model, or any: replaces results of tools and pictures, the oldest first, in
 * place, and with them what was thought in earlier turns; never those of the last round. Returns how many. What a search has loaded stays as long as other results will do.
 */
export function trimResults(request: TrimmableRequest, maxInputTokens = Number.POSITIVE_INFINITY): number {
	const { messages } = request;
	const characters = messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
	const large = characters > maxCharacters ? characters - maxCharacters * trimmedShare : 0;
	const trimmed = trim(messages, large, charactersOf, worthTrimming.characters);
	const tokens = requestTokens(request);
	const long = tokens > maxInputTokens * fullShare ? tokens - maxInputTokens * trimmedShare : 0;
	return trimmed + trim(messages, long, tokensOf, worthTrimming.tokens);
}

/** Makes room in a conversation until it has so many characters, if that can be. */
export function trimCharacters(messages: ChatMessage[], limit: number): number {
	const characters = messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
	trim(messages, characters - limit, charactersOf, worthTrimming.characters);
	return messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
}

/** {@link trimResults} where the provider has said that the request is too long, whatever the estimate says. */
export function trimHarder(request: TrimmableRequest): number {
	return trim(request.messages, requestTokens(request) / 2, tokensOf, worthTrimming.tokens);
}

/** Frees `excess`, or all that may go. Loaded definitions go last, since a model that has lost one must search again. */
function trim(messages: ChatMessage[], excess: number, measure: Measure, least: number): number {
	const lastAnswered = messages.findLastIndex(({ role }) => role === 'tool');
	const lastAsked = messages.findLastIndex(isOfUser);
	let left = excess;
	let trimmed = 0;
	const takes = (size: number): boolean => {
		if (left <= 0 || size < least) return false;
		left -= size;
		trimmed++;
		return true;
	};
	for (const schemas of [false, true]) {
		for (const [i, message] of messages.entries()) {
			if (left <= 0) return trimmed;
			if (message.role === 'tool' && i < lastAnswered) {
				const goes = (result: ToolCallResult) =>
					(result.loaded !== undefined) === schemas && takes(measure.result(result));
				messages[i] = {
					role: 'tool',
					results: message.results.map((one) => (goes(one) ? removed(one) : one)),
				};
			}
			// Thoughts of earlier turns go: providers want those of the present turn only.
			if (
				message.role === 'assistant' &&
				i < lastAsked &&
				message.thought &&
				takes(measure.thought(message))
			) {
				const { thought: _removed, ...rest } = message;
				messages[i] = rest;
			}
			if (message.role === 'user' && i < lastAsked) messages[i] = withoutAttachments(message, measure, takes);
		}
	}
	return trimmed;
}

/** Whether the user has said something in a message. One of ours, which asks the model to go on, is part of the same turn. */
function isOfUser(message: ChatMessage): boolean {
	if (message.role !== 'user') return false;
	return message.text !== '' || message.images !== undefined || message.attached !== undefined;
}

function removed(answer: ToolCallResult): ToolCallResult {
	return { ...answer, result: { ...textResult(noResult), isError: answer.result.isError } };
}

function withoutAttachments(
	message: Extract<ChatMessage, { role: 'user' }>,
	measure: Measure,
	takes: (size: number) => boolean,
): ChatMessage {
	const { images, attached, ...rest } = message;
	const dropsImages = images !== undefined && takes(measure.images(images));
	const dropsTexts = attached !== undefined && takes(measure.text(attached));
	if (!dropsImages && !dropsTexts) return message;
	return {
		...rest,
		text: `${message.text}\n${noAttachment}`,
		...(images && !dropsImages && { images }),
		...(attached !== undefined && !dropsTexts && { attached }),
	};
}
