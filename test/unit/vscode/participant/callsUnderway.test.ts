import { expect, test } from 'vitest';
import { CallsUnderway } from '../../../../src/vscode/participant/callsUnderway.ts';

interface Call {
	readonly name: string;
	invoked: boolean;
}

const input = { tool: 'files:write', arguments: { path: 'a' } };
const goesOn = new AbortController().signal;

/** An editor that knows of a call nothing but its input, and does what its user says, one question after the other. */
function editorWith(underway: CallsUnderway<Call>, answers: readonly ('allow' | 'skip')[]) {
	const left = [...answers];
	return async (call: Call, sent: unknown = structuredClone(input)): Promise<string> => {
		return underway.send(sent, call, goesOn, async () => {
			// The question stands for a while.
			await new Promise((resolve) => setTimeout(resolve, 1));
			if (left.shift() === 'skip') return 'skipped';
			const expected = underway.get(structuredClone(sent));
			if (expected) expected.invoked = true;
			return 'done';
		});
	};
}

test.each([
	[['skip', 'allow']],
	[['allow', 'skip']],
	[['skip', 'skip', 'allow', 'skip']],
	[['allow', 'skip', 'allow']],
] as const)('of equal calls side by side each gets its own answer: %j', async (answers) => {
	const underway = new CallsUnderway<Call>();
	const ask = editorWith(underway, answers);
	const calls = answers.map((_, i) => ({ name: `${i}`, invoked: false }));
	const results = await Promise.all(calls.map((call) => ask(call)));
	expect(results).toEqual(answers.map((answer) => (answer === 'allow' ? 'done' : 'skipped')));
	expect(calls.map(({ invoked }) => invoked)).toEqual(answers.map((answer) => answer === 'allow'));
	expect(underway.get(input)).toBeUndefined();
});

test('calls that differ are on their way together', async () => {
	const underway = new CallsUnderway<string>();
	const { promise, resolve } = Promise.withResolvers<string>();
	const first = underway.send({ tool: 'a' }, 'first', goesOn, () => promise);
	await underway.send({ tool: 'b' }, 'second', goesOn, async () => resolve('both'));
	expect(await first).toBe('both');
});

test('a call that waits is stopped without being sent, and one that fails keeps none waiting', async () => {
	const underway = new CallsUnderway<string>();
	const stop = new AbortController();
	const { promise, reject } = Promise.withResolvers<string>();
	const first = underway.send(input, 'first', goesOn, () => promise);
	const second = underway.send(input, 'second', stop.signal, async () => 'sent');
	const third = underway.send(input, 'third', goesOn, async () => 'sent');
	stop.abort();
	await expect(second).rejects.toThrow();
	reject(new Error('It broke.'));
	await expect(first).rejects.toThrow('It broke.');
	expect(await third).toBe('sent');
});
