import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNightly, runs, runsTimeout } from '../../effort.ts';
import { AnyChat } from './anyChat.ts';
import { AnyProvider, providers } from './anyProvider.ts';
import { anyTurn } from './anyTurn.ts';

/** Requests that one provider may be sent. */
const mostRequests = 10_000 * runs(1);

test.each(Object.keys(providers) as (keyof typeof providers)[])(
	'%s: in any chat, the request to the provider contains every tool that the model reads is loaded',
	async (name) => {
		let left = 0;
		await using provider = await AnyProvider.start(name, mostRequests);
		const setting = fc.tuple(fc.constantFrom(...provider.loadings), fc.integer({ min: 1, max: 5 }));
		await fc.assert(
			fc.asyncProperty(setting, fc.array(anyTurn, { maxLength: 5 }), async ([loading, cap], turns) => {
				const chat = new AnyChat(loading, cap, undefined, provider);
				for (const one of turns) await chat.take(one);
				left += chat.leftOut;
			}),
			{ numRuns: runs(3) },
		);
		// Many chats hold a tool that the provider refuses; a few may hold none.
		if (isNightly) expect(left).toBeGreaterThan(0);
	},
	runsTimeout(120_000),
);
