import { test } from 'vitest';
import { decide } from '../../../../src/models/planner/offlinePlanner.ts';
import { splitSteps } from '../../../../src/models/planner/steps.ts';
import { expectLinear } from '../../../linear.ts';
import { allLoaded, Conversation, surroundings } from '../../../unit/models/planner/conversation.ts';
import { today } from '../../../unit/models/planner/requests.ts';

test.each([' ', '.', '", "', 'saying x then read ', '«', '\n- read a', ' do the', 'ls a '])(
	'a long run of %j takes time in proportion to its length',
	(sign) => expectLinear(sign, (text) => splitSteps(`read a.txt${text}`, today)),
);

test('a long word takes time in proportion to its length', () => {
	const tools = new Conversation(undefined, allLoaded).session.definitions;
	expectLinear('a', (text) =>
		decide({ messages: [{ role: 'user', text: `read a.txt${text}` }], tools }, surroundings),
	);
});
