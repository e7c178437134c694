import { expect, test } from 'vitest';
import type { AskedQuestion, QuestionAnswer } from '../../../src/mcp/connection/questions.ts';
import { oneAtATime } from '../../../src/mcp/questionQueue.ts';

const never = new AbortController().signal;
const asked = (server: string): AskedQuestion => ({
	server,
	call: 'Tool "x"',
	question: { kind: 'form', message: '', fields: [] },
});

/** A user who sees questions, and answers when the test says so. */
function slowUser() {
	const shown: { readonly server: string; readonly answer: (answer: QuestionAnswer) => void }[] = [];
	const ask = oneAtATime(
		({ server }) => new Promise<QuestionAnswer>((answer) => shown.push({ server, answer })),
	);
	return { ask, shown };
}

test('a second question is shown when the first is answered', async () => {
	const { ask, shown } = slowUser();
	const first = ask(asked('a'), never);
	const second = ask(asked('b'), never);
	await expect.poll(() => shown.length).toBe(1);
	shown[0]?.answer({ action: 'decline' });
	expect(await first).toEqual({ action: 'decline' });
	await expect.poll(() => shown.map(({ server }) => server)).toEqual(['a', 'b']);
	shown[1]?.answer({ action: 'accept' });
	expect(await second).toEqual({ action: 'accept' });
});

test('a question whose call is over does not block others', async () => {
	const { ask, shown } = slowUser();
	const over = new AbortController();
	const first = ask(asked('a'), over.signal);
	const waiting = ask(asked('b'), over.signal);
	const last = ask(asked('c'), never);
	await expect.poll(() => shown.length).toBe(1);
	over.abort(new Error('the call is over'));
	await expect(first).rejects.toThrow('the call is over');
	await expect(waiting).rejects.toThrow('the call is over');
	await expect.poll(() => shown.map(({ server }) => server)).toEqual(['a', 'c']);
	shown[1]?.answer({ action: 'cancel' });
	expect(await last).toEqual({ action: 'cancel' });
});

test('questions beyond the limit are cancelled', async () => {
	const { ask } = slowUser();
	const all = Array.from({ length: 40 }, (_, i) => ask(asked(String(i)), never));
	expect(await all.at(-1)).toEqual({ action: 'cancel' });
});
