import type Anthropic from '@anthropic-ai/sdk';
import { type AnsweredCall, answeredCalls, isLegalId, WireIds } from '../callIds.ts';
import { type ChatMessage, userText } from '../chatModel.ts';
import { thoughtOf } from '../thought.ts';
import { legalName } from '../wireName.ts';
import type { AnswerPart } from './answerEvents.ts';
import { contentBlocks, textBlocks, wellFormed } from './wireContent.ts';
import { resultBlocks, type Taken } from './wireResults.ts';

/** A message on the wire; its content is never empty. */
export interface WireMessage {
	readonly role: 'user' | 'assistant';
	readonly content: readonly Anthropic.ContentBlockParam[];
}

/**
 * A conversation as the API takes it: users and assistants in turn, beginning with a user; after each assistant's calls one message with a
 * result for every one of them. What breaks these rules (a call without a result, a result without a call, an empty
 * answer) is mended here, since it would spoil every request from then on.
 */
export function wireMessages(messages: readonly ChatMessage[], taken: Taken): WireMessage[] {
	const ids = new WireIds();
	const written = messages.flatMap((message, index): WireMessage[] => {
		if (message.role === 'user') return [{ role: 'user', content: userBlocks(message, taken) }];
		// Results are written with the calls that they answer.
		if (message.role === 'tool') return [];
		return answerAndResults(message, answeredCalls(messages, index), ids, taken);
	});
	const turns = inTurn(written);
	if (turns[0]?.role !== 'assistant') return turns;
	return [{ role: 'user', content: textBlocks('(What came before is left out.)') }, ...turns];
}

function userBlocks(message: ChatMessage & { role: 'user' }, taken: Taken): Anthropic.ContentBlockParam[] {
	const { images = [] } = message;
	// Pictures first: the model reads them better so, says Anthropic's documentation.
	const blocks = [...contentBlocks(images, taken.images), ...textBlocks(userText(message))];
	return blocks.length > 0 ? blocks : textBlocks('(empty message)');
}

function answerAndResults(
	message: ChatMessage & { role: 'assistant' },
	answered: readonly AnsweredCall[],
	ids: WireIds,
	taken: Taken,
): WireMessage[] {
	const parts = partsOf(message, taken.thinker);
	const given = parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
	const calls = answered.map(({ call, result }, i) => {
		const [id, theirs = ''] = [call.id, given[i]];
		return { call, result, id: ids.next(id, isLegalId(theirs) ? theirs : undefined) };
	});
	const uses = calls.map(({ call, id }) => {
		return { type: 'tool_use', id, name: legalName(call.name), input: wellFormed(call.input) } as const;
	});
	let made = 0;
	const content = parts.flatMap((part): Anthropic.ContentBlockParam[] => {
		if (part.type === 'thought') return [part.block];
		if (part.type === 'call') return uses.slice(made, ++made);
		return textBlocks(part.text);
	});
	return [
		{ role: 'assistant', content: withEnd(content) },
		{ role: 'user', content: resultBlocks(calls, taken) },
	];
}

/** The answer in its order: as the model gave it, where it is this model that gave it; else what is said, then what is called. */
function partsOf(
	message: ChatMessage & { role: 'assistant' },
	thinker: string | undefined,
): readonly AnswerPart[] {
	const { text, toolCalls } = message;
	const known = thinker === undefined ? undefined : thoughtOf<readonly AnswerPart[]>(message, thinker);
	return (
		known ?? [
			{ type: 'text', text: text.trimEnd() },
			...toolCalls.map(({ id }) => ({ type: 'call' as const, id })),
		]
	);
}

/** An answer that ends as it may: not with a thought, and not with white space where it is the last message. */
function withEnd(content: readonly Anthropic.ContentBlockParam[]): Anthropic.ContentBlockParam[] {
	const end = content.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return content.slice(0, end + 1).map((block, i) => {
		return i === end && block.type === 'text' ? { ...block, text: block.text.trimEnd() } : block;
	});
}

/** Without empty messages, neighbours of one role made one. */
function inTurn(messages: readonly WireMessage[]): WireMessage[] {
	const turns: WireMessage[] = [];
	for (const { role, content } of messages) {
		if (content.length === 0) continue;
		const last = turns.at(-1);
		if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...content] };
		else turns.push({ role, content });
	}
	return turns;
}
