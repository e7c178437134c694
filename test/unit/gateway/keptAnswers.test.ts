import { describe, expect, test } from 'vitest';
import { KeptAnswers } from '../../../src/gateway/keptAnswers.ts';
import { FakeClock } from '../mcp/fakeClock.ts';

const never = new AbortController().signal;

/** Questions that the test answers. */
function asking() {
	const open: { answer: (text: string) => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
	const question = (signal: AbortSignal) =>
		new Promise<string>((answer, fail) => open.push({ answer, fail, signal }));
	return { open, question };
}

describe('given a client that gives up before the user has decided', () => {
	test('when it makes the same call again, then nobody is asked again, and the answer counts once', async () => {
		const { open, question } = asking();
		const kept = new KeptAnswers<string>(new FakeClock(), 1_000);
		const stop = new AbortController();
		const first = kept.ask('write', question, stop.signal);
		stop.abort(new Error('timeout'));
		await expect(first).rejects.toThrow('timeout');
		expect(open[0]?.signal.aborted).toBe(false);
		open[0]?.answer('yes');
		expect(await kept.ask('write', question, never)).toBe('yes');
		expect(open).toHaveLength(1);
		const again = kept.ask('write', question, never);
		expect(open).toHaveLength(2);
		open[1]?.answer('no');
		expect(await again).toBe('no');
	});

	test('when it asks for something else, then that is another question', async () => {
		const { open, question } = asking();
		const kept = new KeptAnswers<string>(new FakeClock(), 1_000);
		const [one, other] = [kept.ask('a', question, never), kept.ask('b', question, never)];
		open[1]?.answer('b');
		open[0]?.answer('a');
		expect(await Promise.all([one, other])).toEqual(['a', 'b']);
	});

	test('when it never comes back, then the question closes and the answer is forgotten', async () => {
		const clock = new FakeClock();
		const { open, question } = asking();
		const kept = new KeptAnswers<string>(clock, 1_000);
		const stop = new AbortController();
		const first = kept.ask('write', question, stop.signal);
		stop.abort(new Error('gone'));
		await expect(first).rejects.toThrow('gone');
		await clock.pass(1_001);
		expect(open[0]?.signal.aborted).toBe(true);
		void kept.ask('write', question, never);
		expect(open).toHaveLength(2);
	});
});

test('given two equal calls at once, when the user decides, then the decision is for one, and the other is asked about', async () => {
	const { open, question } = asking();
	const kept = new KeptAnswers<string>(new FakeClock(), 1_000);
	const both = [kept.ask('write', question, never), kept.ask('write', question, never)];
	open[0]?.answer('yes');
	expect(await Promise.race(both)).toBe('yes');
	await expect.poll(() => open.length).toBe(2);
	open[1]?.answer('no');
	expect(await Promise.all(both)).toEqual(['yes', 'no']);
});

test('given a question that fails, when the call is made again, then it is asked again', async () => {
	const { open, question } = asking();
	const kept = new KeptAnswers<string>(new FakeClock(), 1_000);
	const first = kept.ask('write', question, never);
	open[0]?.fail(new Error('no chat'));
	await expect(first).rejects.toThrow('no chat');
	const second = kept.ask('write', question, never);
	open[1]?.answer('yes');
	expect(await second).toBe('yes');
});
