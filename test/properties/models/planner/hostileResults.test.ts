import { expect, test } from 'vitest';
import { errorResult, textResult } from '../../../../src/discovery/toolResult.ts';
import { linkTexts, poisonedTexts } from '../../../unit/discovery/poisonedTexts.ts';
import { allLoaded, Conversation } from '../../../unit/models/planner/conversation.ts';
import { activeTokens } from '../../../unit/vscode/markedTokens.ts';

test.each([...linkTexts, ...poisonedTexts].map((text) => [JSON.stringify(text).slice(0, 60), text] as const))(
	'a result %s is reported as text, and neither fetches nor runs anything',
	async (_name, text) => {
		for (const result of [textResult(text), errorResult(text), textResult(JSON.stringify({ a: text }))]) {
			const chat = new Conversation(() => result, allLoaded);
			const report = await chat.say('echo the message "hello there"');
			expect(chat.toolCalls).toHaveLength(1);
			expect(activeTokens(report)).toEqual([]);
		}
	},
);
