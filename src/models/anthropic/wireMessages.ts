import type Anthropic from '@anthropic-ai/sdk';
import { type ChatMessage, type ToolCallResult, userText } from '../chatModel.ts';
import { resultsAfter } from '../resultsAfter.ts';
import { legalName } from '../wireName.ts';
import { contentBlocks, textBlocks, wellFormed } from './wireContent.ts';
import { WireIds } from './wireIds.ts';
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
		return answerAndResults(message, resultsAfter(messages, index), ids, taken);
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
	{ text, toolCalls }: ChatMessage & { role: 'assistant' },
	results: ReadonlyMap<string, ToolCallResult>,
	ids: WireIds,
	taken: Taken,
): WireMessage[] {
	const calls = toolCalls.map((call) => ({ call, id: ids.next(call.id) }));
	const uses = calls.map(({ call, id }) => {
		return { type: 'tool_use', id, name: legalName(call.name), input: wellFormed(call.input) } as const;
	});
	// White space at the end of an answer is refused where the answer is the last message.
	const answer = { role: 'assistant', content: [...textBlocks(text.trimEnd()), ...uses] } as const;
	const answered = calls.map(({ call, id }) => ({ id, result: results.get(call.id) }));
	return [answer, { role: 'user', content: resultBlocks(answered, taken) }];
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
