import { describe, expect, test } from 'vitest';
import { type Run, runRequest, sample, tableChat } from './conversation.ts';
import { requests } from './requests.ts';

const runs = await Promise.all(requests.map((request) => runRequest(request)));
const tuned = runs.filter(({ request }) => !request.held);
const heldOut = runs.filter(({ request }) => request.held);

function share(of: readonly Run[]): number {
	return of.filter(({ isRight }) => isRight).length / of.length;
}

describe(`the table of ${requests.length} requests`, () => {
	test.each([
		['that the rules were written with', tuned],
		['that were held out', heldOut],
	])('of those %s, nine of ten end right', (which, of) => {
		console.log(
			`Offline planner, requests ${which}: ${of.filter(({ isRight }) => isRight).length} of ${of.length} right`,
		);
		// What was held out stays unseen.
		const wrong = of.filter(({ isRight, request }) => !isRight && !request.held).map(({ what }) => what);
		expect(share(of), wrong.join('\n')).toBeGreaterThanOrEqual(0.9);
	});

	test('no call that changes something is proposed where it is wrong', () => {
		expect(tuned.flatMap(({ wrongChanges }) => wrongChanges)).toEqual([]);
		expect(heldOut.flatMap(({ wrongChanges }) => wrongChanges).length).toBe(0);
	});
});

test('what the greeting, the README and the walkthrough say is right in one chat too, whatever it has loaded', async () => {
	const chat = tableChat(sample);
	for (const request of requests.slice(0, 7)) {
		const { isRight, what } = await runRequest(request, chat);
		expect(isRight, what).toBe(true);
	}
});
