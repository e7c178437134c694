import { describe, expect, test } from 'vitest';
import { errorResult, resultText, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { EqualCalls } from '../../../../src/vscode/participant/equalCalls.ts';

/** Fifty calls of one answer: what was asked, what was made, and what each was told. */
async function fifty({ every = false, result = textResult('sent') } = {}) {
	const equal = new EqualCalls();
	const asked: number[] = [];
	let made = 0;
	const run = (key: string) =>
		equal.run(
			key,
			async (times) => {
				asked.push(times);
				return { kind: 'allowed', by: 'user', every };
			},
			async () => {
				made++;
				return result;
			},
		);
	const results = await Promise.all(Array.from({ length: 50 }, () => run('mail')));
	return { asked, made: () => made, results, run };
}

describe('given fifty identical calls in one answer', () => {
	test('then the user is asked once, the call runs once, and the model is told that it ran once', async () => {
		const { asked, made, results } = await fifty();
		expect([asked, made()]).toEqual([[50], 1]);
		const told = results.map(resultText);
		expect(told[0]).toBe('sent');
		expect(told.slice(1).every((text) => /^sent\n+.*which ran once/s.test(text))).toBe(true);
	});

	test('when the user allows every call, then each one runs', async () => {
		const { asked, made } = await fifty({ every: true });
		expect([asked, made()]).toEqual([[50], 50]);
	});

	test('when the call fails, then all fifty get that failure', async () => {
		const { results } = await fifty({ result: errorResult('no such mailbox') });
		expect(new Set(results.map(resultText))).toEqual(new Set(['no such mailbox']));
	});

	test('then different calls, and identical ones in later answers, are asked about separately', async () => {
		const { asked, made, run } = await fifty();
		await run('mail');
		await Promise.all([run('mail'), run('other')]);
		expect([asked, made()]).toEqual([[50, 1, 1, 1], 4]);
	});
});
