import { expect, test } from 'vitest';
import { runRequest } from './conversation.ts';
import { requests } from './requests.ts';

const runs = await Promise.all(requests.map((request) => runRequest(request)));

test.each([
	['were written before the rules', false, 0.95],
	['were written after the rules', true, 0.85],
])('of the requests that %s, enough end right, and the others end with a question', (which, held, share) => {
	const of = runs.filter(({ request }) => request.held === held);
	const right = of.filter(({ isRight }) => isRight).length;
	console.log(`Offline planner, requests that ${which}: ${right} of ${of.length} right`);
	// What was written later stays unseen.
	const told = of.filter(({ isRight }) => !isRight && !held).map(({ what }) => what);
	expect(right / of.length, told.join('\n')).toBeGreaterThanOrEqual(share);
	expect(of.filter(({ isRight, isAsked }) => !isRight && !isAsked).length, told.join('\n')).toBe(0);
});

test('no wrong call changes anything', () => {
	expect(runs.flatMap(({ wrongChanges }) => wrongChanges)).toEqual([]);
});

test('the table has 120 different requests', () => {
	expect(new Set(requests.map(({ messages }) => messages.join('\n').toLowerCase())).size).toBe(120);
});
