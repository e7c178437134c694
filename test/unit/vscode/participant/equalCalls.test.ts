import { describe, expect, test } from 'vitest';
import { errorResult, resultText, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { EqualCalls } from '../../../../src/vscode/participant/equalCalls.ts';

/** Fifty calls of one answer: how often the question was asked, for how many calls, and what each call was told. */
async function fifty(result = textResult('sent')) {
	const equal = new EqualCalls();
	const asked: number[] = [];
	const run = (key: string) =>
		equal.run(key, async (times) => {
			asked.push(times);
			return result;
		});
	const results = await Promise.all(Array.from({ length: 50 }, () => run('mail')));
	return { asked, results, run };
}

describe('given fifty identical calls in one answer', () => {
	test('then the user is asked once, the call runs once, and the model is told that it ran once', async () => {
		const { asked, results } = await fifty();
		expect(asked).toEqual([50]);
		const told = results.map(resultText);
		expect(told[0]).toBe('sent');
		expect(told.slice(1).every((text) => /^sent\n+.*which ran once/s.test(text))).toBe(true);
	});

	test('when the call fails, then all fifty get that failure', async () => {
		const { results } = await fifty(errorResult('no such mailbox'));
		expect(new Set(results.map(resultText))).toEqual(new Set(['no such mailbox']));
	});

	test('then different calls, and identical ones in later answers, are asked about separately', async () => {
		const { asked, run } = await fifty();
		await run('mail');
		await Promise.all([run('mail'), run('other')]);
		expect(asked).toEqual([50, 1, 1, 1]);
	});
});
