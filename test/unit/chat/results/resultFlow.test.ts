import { describe, expect, test } from 'vitest';
import { flowsInto } from '../../../../src/chat/results/flowsInto.ts';
import { ResultFlow } from '../../../../src/chat/results/resultFlow.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';

const secret = 'Meeting with Ada about the merger, Tuesday at nine';

function afterResult(text: string, server = 'calendar'): ResultFlow {
	const flow = new ResultFlow();
	flow.keep(server, textResult(text));
	return flow;
}

describe('given text of one server in a call of another', () => {
	test('then it is reported with its server, its path and an excerpt', () => {
		const flow = afterResult(`1. ${secret}\n2. Lunch`);
		expect(flowsInto(flow, 'mail', { to: 'x@example.com', parts: [{ body: `Hi! ${secret}.` }] })).toEqual([
			{ server: 'calendar', excerpt: `${secret}.`, path: 'parts[0].body' },
		]);
	});

	test('when the call goes to the same server, then nothing is reported', () => {
		expect(flowsInto(afterResult(secret), 'calendar', { body: secret })).toEqual([]);
	});

	test.each([
		['other line ends and indents', secret.replaceAll(' ', '\r\n\t ')],
		['hidden characters in it', secret.split('').join('\u200b')],
		['another case', secret.toUpperCase()],
		['other punctuation', `“**${secret.replaceAll(' ', ', ')}**”!`],
		['line ends of JSON', secret.replaceAll(' ', '\\n')],
		['another text around it', `${'x'.repeat(5000)} ${secret} ${'y'.repeat(5000)}`],
	])('then it is found with %s', (_what, body) => {
		expect(flowsInto(afterResult(secret), 'mail', { body })).toHaveLength(1);
		expect(flowsInto(afterResult(body), 'mail', { body: secret })).toHaveLength(1);
	});

	test.each([
		['slashes of JSON', String.raw`\/home\/ann\/.ssh\/id_rsa`],
		['characters of JSON', String.raw`\u002fhome\u002fann\u002f.ssh\u002fid_rsa`],
		['entities of HTML', '&#47;home&#x2f;ann&#47;.ssh&#47;id_rsa'],
		['escapes of an address', '%2Fhome%2fann%2F.ssh%2Fid_rsa'],
		['a name before it', 'KEY=/home/ann/.ssh/id_rsa'],
		['an address before it', 'https://x.example/?q=/home/ann/.ssh/id_rsa'],
	])('then even a short path is found with %s', (_what, body) => {
		const path = '/home/ann/.ssh/id_rsa';
		expect(flowsInto(afterResult(path), 'mail', { body })).toHaveLength(1);
		expect(flowsInto(afterResult(body), 'mail', { body: path })).toHaveLength(1);
	});

	test.each([
		['of 24 characters', secret.slice(0, 24), 1],
		['of 23 characters', secret.slice(0, 23), 0],
		['in other words', 'Ada and you speak of the merger on Tuesday', 0],
		['a secret of 12 characters', 'k3y-A1b2C3d4', 1],
		['a path', 'read /etc/passwd- now', 1],
		['a path with an ending', 'src/index.ts', 1],
		['an address', 'b@evil.example', 1],
		['a command', 'please rm -rf ~/docs, thanks', 1],
		['a type', 'text/markdown', 0],
		['a place', 'Europe/Berlin', 0],
		['a date', '2026-11-23T10:00', 0],
	])('then the check of %s: %j', (_what, body, count) => {
		const flow = afterResult(
			`${secret.slice(0, 24)} | ${secret} k3y-A1b2C3d4 /etc/passwd- src/index.ts b@evil.example text/markdown Europe/Berlin 2026-11-23T10:00 $ rm -rf ~/docs end`,
		);
		expect(flowsInto(flow, 'mail', { body })).toHaveLength(count);
	});

	test('then it is found in argument names and in numbers', () => {
		expect(flowsInto(afterResult(secret), 'mail', { headers: { [secret]: 1 } })).toEqual([
			{ server: 'calendar', excerpt: secret, path: `headers.${secret}` },
		]);
		expect(flowsInto(afterResult('IBAN 123456789012'), 'bank', { to: 123_456_789_012 })).toHaveLength(1);
	});

	test('then it is found behind padding, in the same argument or another one', () => {
		const padding = Array.from({ length: 60_000 }, (_, i) => `word${i}`).join(' ');
		expect(flowsInto(afterResult(secret), 'mail', { padding: padding.repeat(3), body: secret })).toHaveLength(
			1,
		);
		expect(flowsInto(afterResult(secret), 'mail', { body: `${padding} ${secret}` })).toEqual([
			{ server: 'calendar', excerpt: secret, path: 'body' },
		]);
	});

	test('when it comes from several servers, then at most five are reported, the longest first', () => {
		const flow = new ResultFlow();
		for (let i = 0; i < 7; i++) {
			flow.keep(`s${i}`, textResult(`Record ${'abcdefg'[i]} of the archive ${'.'.repeat(20 + i)} end`));
		}
		const body = [...'abcdefg'].map(
			(letter, i) => `Record ${letter} of the archive ${'.'.repeat(20 + i)} end`,
		);
		const told = flowsInto(flow, 'mail', { body: body.join('\n') });
		expect(told).toHaveLength(5);
		expect(told.map(({ server }) => server).slice(0, 2)).toEqual(['s6', 's5']);
	});

	test('when one argument has several pieces of a server, then the longest is reported', () => {
		const flow = afterResult(secret);
		flow.keep('calendar', textResult('Lunch with Bob on Wednesday'));
		const body = `${secret} and Lunch with Bob on Wednesday`;
		expect(flowsInto(flow, 'mail', { body })).toMatchObject([{ excerpt: secret }]);
	});

	test('when it is long, then the excerpt is short and on one line', () => {
		const long = Array.from({ length: 200 }, (_, i) => `line ${i} says something else`).join('\n');
		const [flow] = flowsInto(afterResult(long), 'mail', { body: long });
		expect(flow?.excerpt.length).toBeLessThanOrEqual(80);
		expect(flow?.excerpt).not.toContain('\n');
	});
});

test('deeply nested arguments are searched, and arguments without text report nothing', () => {
	const flow = afterResult(secret);
	let nested: unknown = secret;
	for (let i = 0; i < 20_000; i++) nested = [nested];
	expect(flowsInto(flow, 'mail', { nested })).toHaveLength(1);
	expect(flowsInto(flow, 'mail', { a: 1, b: null, c: true, d: [], __proto__: null })).toEqual([]);
	expect(flowsInto(flow, 'mail', JSON.parse(`{"__proto__": ${JSON.stringify(secret)}}`))).toHaveLength(1);
});

test('a chat with many results remembers the newest in bounded memory', () => {
	const flow = afterResult(secret);
	const filler = (i: number) => `${i} `.repeat(200_000);
	for (let i = 10; i < 20; i++) flow.keep('files', textResult(filler(i)));
	expect(flow.kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(4_000_000);
	expect(flowsInto(flow, 'mail', { body: secret })).toEqual([]);
	flow.keep('calendar', textResult(secret));
	expect(flowsInto(flow, 'mail', { body: secret })).toHaveLength(1);
});

test('images are not tracked as text, but errors of a server are', () => {
	const flow = new ResultFlow();
	flow.keep('camera', {
		content: [{ type: 'image', data: 'iVBOR0123456789', mimeType: 'image/png' }],
		isError: false,
	});
	expect(flow.kept).toEqual([]);
	flow.keep('files', { content: [{ type: 'text', text: `Error: ${secret}` }], isError: true });
	expect(flowsInto(flow, 'mail', { body: secret })).toMatchObject([{ server: 'files' }]);
});
