import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AnswerLimits } from '../../../src/models/http/limits.ts';
import { failureIn, limits, provider } from './provider.ts';

const impatient: AnswerLimits = { ...limits, firstByteMs: 40, gapMs: 40 };

test('a provider that takes the request and says nothing is left', async () => {
	const { ask, connections } = await provider(() => {});
	const failure = await failureIn(ask(impatient));
	expect(failure.reason).toBe('stalled');
	expect(failure.message).toMatch(
		/^127\.0\.0\.1:\d+ said nothing for 0 s\. Try again, or pick another model\.$/,
	);
	await expect.poll(connections).toBe(0);
});

test('so is one that sends the head of an answer and no more', async () => {
	const { ask, connections } = await provider(
		(_request, response) => void response.writeHead(200).flushHeaders(),
	);
	const response = await ask(impatient);
	expect((await failureIn(response.text())).reason).toBe('stalled');
	await expect.poll(connections).toBe(0);
});

test('so is one that stops in the middle', async () => {
	const { ask, connections } = await provider((_request, response) => void response.write('data: 1\n\n'));
	const response = await ask({ ...limits, gapMs: 40 });
	expect((await failureIn(response.text())).reason).toBe('stalled');
	await expect.poll(connections).toBe(0);
});

test('comments that keep the connection alive are signs of life', async () => {
	const { ask } = await provider(async (_request, response) => {
		for (let time = 0; time < 8; time++) {
			response.write(': OPENROUTER PROCESSING\n\n');
			await pause(200);
		}
		response.end('data: [DONE]\n\n');
	});
	const response = await ask({ ...limits, firstByteMs: 1_500, gapMs: 1_500 });
	expect(await response.text()).toMatch(/DONE/);
});

test('but not for ever', async () => {
	let timer: NodeJS.Timeout | undefined;
	const { ask } = await provider((request, response) => {
		timer = setInterval(() => response.write(': alive\n\n'), 5);
		request.once('close', () => clearInterval(timer));
	});
	const failure = await failureIn(ask({ ...limits, totalMs: 80 }).then((response) => response.text()));
	expect(failure.reason).toBe('stalled');
	expect(failure.message).toContain('did not end within');
	clearInterval(timer);
});

test('a reader that takes its time is no provider that stalls', async () => {
	const { ask } = await provider(async (_request, response) => {
		response.write('first');
		await pause(10);
		response.end('second');
	});
	const response = await ask({ ...limits, gapMs: 1_000 });
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	const first = await reader?.read();
	await pause(1_200);
	// On a busy machine both pieces may have come at once.
	const second = await reader?.read();
	expect([first?.value, second?.value].join('')).toBe('firstsecond');
});

test('a failing answer whose body never ends is known by its status', async () => {
	const { ask, connections } = await provider((_request, response) => {
		response.writeHead(500, { 'content-type': 'text/plain' });
		response.write('out of');
	});
	const failure = await failureIn(ask({ ...limits, gapMs: 40 }));
	expect(failure).toMatchObject({ reason: 'server', status: 500 });
	expect(failure.message).toContain('(500): out of.');
	await expect.poll(connections).toBe(0);
});
