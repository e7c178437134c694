import { describe, expect, test } from 'vitest';
import { runRequest, sample, tableChat } from './conversation.ts';
import { requests } from './requests.ts';

const runs = await Promise.all(requests.map((request) => runRequest(request)));

describe(`the table of ${requests.length} requests`, () => {
	test.each([
		['were written before the rules', false, 0.95],
		['were written after the rules', true, 0.9],
	])('of those that %s, so many end right', (which, held, share) => {
		const of = runs.filter(({ request }) => request.held === held);
		const right = of.filter(({ isRight }) => isRight).length;
		console.log(`Offline planner, requests that ${which}: ${right} of ${of.length} right`);
		// What was written later stays unseen.
		const wrong = of.filter(({ isRight }) => !isRight && !held).map(({ what }) => what);
		expect(right / of.length, wrong.join('\n')).toBeGreaterThanOrEqual(share);
	});

	test('no call that changes something is made where it is wrong', () => {
		expect(runs.flatMap(({ wrongChanges }) => wrongChanges)).toEqual([]);
	});

	test('has 60 requests that are done, and 60 that are asked about, all in other words', () => {
		const said = requests.map(({ messages }) => messages.join('\n').toLowerCase());
		expect(new Set(said).size).toBe(120);
		expect(requests.filter(({ offers }) => offers).length).toBe(60);
	});
});

test('what the greeting, the README and the walkthrough say is right in one chat too, whatever it has loaded', async () => {
	const chat = tableChat(sample);
	for (const request of requests.slice(0, 7)) {
		const { isRight, what } = await runRequest(request, chat);
		expect(isRight, what).toBe(true);
	}
});
