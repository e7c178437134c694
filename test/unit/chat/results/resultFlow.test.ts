import { describe, expect, test } from 'vitest';
import { ResultFlow } from '../../../../src/chat/results/resultFlow.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';

const secret = 'Meeting with Ada about the merger, Tuesday at nine';

function afterResult(text: string, server = 'calendar'): ResultFlow {
	const flow = new ResultFlow();
	flow.keep(server, textResult(text));
	return flow;
}

describe('text of one server in a call of another', () => {
	test('is told with its server, its place and the text', () => {
		const flow = afterResult(`1. ${secret}\n2. Lunch`);
		expect(flow.into('mail', { to: 'x@example.com', parts: [{ body: `Hi! ${secret}.` }] })).toEqual([
			{ server: 'calendar', excerpt: secret, path: 'parts[0].body' },
		]);
	});

	test('is no news to the server that it came from', () => {
		expect(afterResult(secret).into('calendar', { body: secret })).toEqual([]);
	});

	test.each([
		['other line ends and indents', secret.replaceAll(' ', '\r\n\t ')],
		['hidden characters in it', secret.split('').join('\u200b')],
		['another text around it', `${'x'.repeat(5000)} ${secret} ${'y'.repeat(5000)}`],
	])('is found with %s', (_what, body) => {
		expect(afterResult(secret).into('mail', { body })).toHaveLength(1);
		expect(afterResult(body).into('mail', { body: secret })).toHaveLength(1);
	});

	test.each([
		['of 24 characters', secret.slice(0, 24), 1],
		['of 23 characters', secret.slice(0, 23), 0],
		['in other words', 'Ada and you speak of the merger on Tuesday', 0],
		['a secret of 12 characters', 'k3y-A1b2C3d4', 1],
	])('%s: %j', (_what, body, count) => {
		const flow = afterResult(`${secret.slice(0, 24)} | ${secret} k3y-A1b2C3d4 end`);
		expect(flow.into('mail', { body })).toHaveLength(count);
	});

	test('of several servers is told of each, the longest first, at most five', () => {
		const flow = new ResultFlow();
		for (let i = 0; i < 7; i++) {
			flow.keep(`s${i}`, textResult(`Record ${'abcdefg'[i]} of the archive ${'.'.repeat(20 + i)} end`));
		}
		const body = [...'abcdefg'].map(
			(letter, i) => `Record ${letter} of the archive ${'.'.repeat(20 + i)} end`,
		);
		const told = flow.into('mail', { body: body.join('\n') });
		expect(told).toHaveLength(5);
		expect(told.map(({ server }) => server).slice(0, 2)).toEqual(['s6', 's5']);
	});

	test('of any length has a short excerpt on one line', () => {
		const long = Array.from({ length: 200 }, (_, i) => `line ${i} says something else`).join('\n');
		const [flow] = afterResult(long).into('mail', { body: long });
		expect(flow?.excerpt.length).toBeLessThanOrEqual(80);
		expect(flow?.excerpt).not.toContain('\n');
	});
});

test('arguments nested without end, or that hold no text, carry nothing, and disturb nothing', () => {
	const flow = afterResult(secret);
	let nested: unknown = secret;
	for (let i = 0; i < 20_000; i++) nested = [nested];
	expect(flow.into('mail', { nested })).toHaveLength(1);
	expect(flow.into('mail', { a: 1, b: null, c: true, d: [], __proto__: null })).toEqual([]);
	expect(flow.into('mail', JSON.parse(`{"__proto__": ${JSON.stringify(secret)}}`))).toHaveLength(1);
});

test('a chat of many results keeps the newest, in bounded memory', () => {
	const flow = afterResult(secret);
	const filler = (i: number) => `${i} `.repeat(200_000);
	for (let i = 10; i < 20; i++) flow.keep('files', textResult(filler(i)));
	expect(flow.characters).toBeLessThanOrEqual(4_000_000);
	expect(flow.into('mail', { body: secret })).toEqual([]);
	flow.keep('calendar', textResult(secret));
	expect(flow.into('mail', { body: secret })).toHaveLength(1);
});

test('pictures are no text, and a server’s errors are', () => {
	const flow = new ResultFlow();
	flow.keep('camera', {
		content: [{ type: 'image', data: 'iVBOR0123456789', mimeType: 'image/png' }],
		isError: false,
	});
	expect(flow.characters).toBe(0);
	flow.keep('files', { content: [{ type: 'text', text: `Error: ${secret}` }], isError: true });
	expect(flow.into('mail', { body: secret })).toMatchObject([{ server: 'files' }]);
});
