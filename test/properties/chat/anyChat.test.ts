import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, runsTimeout } from '../../effort.ts';
import { AnyChat } from './anyChat.ts';
import { anyTurn } from './anyTurn.ts';

test.each(['append', 'native', 'call'] as const)(
	'%s: in any chat, the prefix is stable, loaded tools can be called, and the model reads each change once',
	async (loading) => {
		const limits = fc.tuple(
			fc.integer({ min: 1, max: 5 }),
			fc.constantFrom(undefined, undefined, undefined, 6, 12),
		);
		const told: Record<string, number> = {};
		let spared = 0;
		await fc.assert(
			fc.asyncProperty(limits, fc.array(anyTurn, { maxLength: 6 }), async ([cap, maxTools], turns) => {
				const chat = new AnyChat(loading, cap, maxTools);
				for (const one of turns) await chat.take(one);
				spared += chat.called.spared;
				for (const [what, times] of Object.entries(chat.told.tellings))
					told[what] = (told[what] ?? 0) + times;
			}),
			{ numRuns: runs(25) },
		);
		// Of chats in which nothing changes the test would be content.
		expect(
			Object.entries({ ...told, spared }).filter(([what, times]) => times === 0 && what !== 'back'),
		).toEqual([]);
	},
	runsTimeout(60_000),
);
