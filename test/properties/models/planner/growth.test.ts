import { expect, test } from 'vitest';
import { decide } from '../../../../src/models/planner/offlinePlanner.ts';
import { splitSteps } from '../../../../src/models/planner/steps.ts';
import { allLoaded, Conversation, surroundings } from '../../../unit/models/planner/conversation.ts';
import { today } from '../../../unit/models/planner/requests.ts';

/** Whether a run of such signs takes at most ten times as long as as many characters of words. */
function expectLinear(sign: string, read: (text: string) => unknown): void {
	const took = (run: string) => {
		const begun = performance.now();
		read(`read a.txt${run}`);
		return performance.now() - begun;
	};
	took(' word'.repeat(1_000));
	expect(took(sign.repeat(50_000 / sign.length))).toBeLessThan(10 * took(' word'.repeat(10_000)));
}

test.each([' ', '.', '", "', 'saying x then read ', '«', '\n- read a', ' do the', 'ls a '])(
	'a long run of %j takes no longer than as many words',
	(sign) => expectLinear(sign, (text) => splitSteps(text, today)),
);

test('a long word takes no longer than as many words', () => {
	const tools = new Conversation(undefined, allLoaded).session.definitions;
	expectLinear('a', (text) => decide({ messages: [{ role: 'user', text }], tools }, surroundings));
});
