import { expect, test } from 'vitest';
import { runRequest } from './conversation.ts';
import { requests } from './requests.ts';

const runs = await Promise.all(requests.map((request) => runRequest(request)));

test.each([
	['were written before the rules', false, 0.95, 0],
	['were written after the rules', true, 0.85, 1],
])(
	'of the requests that %s, enough end right, and the others end with a question or, seldom, a look at something else',
	(which, held, share, looks) => {
		const of = runs.filter(({ request }) => request.held === held);
		const right = of.filter(({ isRight }) => isRight).length;
		console.log(`Offline planner, requests that ${which}: ${right} of ${of.length} right`);
		// What was written later stays unseen.
		const told = of.filter(({ isRight }) => !isRight && !held).map(({ what }) => what);
		expect(right / of.length, told.join('\n')).toBeGreaterThanOrEqual(share);
		const looked = of.filter(({ isRight, isAsked }) => !isRight && !isAsked);
		expect(looked.length, told.join('\n')).toBeLessThanOrEqual(looks);
	},
);

test('no wrong call changes anything', () => {
	expect(runs.flatMap(({ wrongChanges }) => wrongChanges)).toEqual([]);
});

test('the table has 120 different requests', () => {
	expect(new Set(requests.map(({ messages }) => messages.join('\n').toLowerCase())).size).toBe(120);
});
