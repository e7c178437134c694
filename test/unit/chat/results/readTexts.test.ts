import { describe, expect, test } from 'vitest';
import { ReadTexts } from '../../../../src/chat/results/readTexts.ts';
import { type ToolResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { otherWords, spellings } from './spellings.ts';

const secret = 'Meeting with Ada about the merger, Tuesday at nine';

function afterResult(text: string, server = 'calendar'): ReadTexts {
	const reads = new ReadTexts();
	reads.addResult('a', [server], textResult(text));
	return reads;
}

/** What the question about a call of `mail` would show. */
function flows(reads: ReadTexts, input: Readonly<Record<string, unknown>>, server = 'mail') {
	return reads.flowsInto({ chat: 'a', server, input });
}

describe('given text of one server in a call of another', () => {
	test('then it is reported with its server and an excerpt', () => {
		const reads = afterResult(`1. ${secret}\n2. Lunch`);
		expect(flows(reads, { to: 'x@example.com', parts: [{ body: `Hi! ${secret}.` }] })).toEqual([
			{ kind: 'text', server: 'calendar', excerpt: `${secret}.` },
		]);
	});

	test('then the excerpt does not begin with the end of a word that both happen to have before it', () => {
		const [concern] = flows(afterResult(`In the workspace: ${secret}`), { type: 'place', body: secret });
		expect(concern).toMatchObject({ excerpt: secret });
	});

	test('when the call goes to the same server, then nothing is reported', () => {
		expect(flows(afterResult(secret), { body: secret }, 'calendar')).toEqual([]);
	});

	describe.each(otherWords)('%s', (_what, words) => {
		test.each(spellings)('is found when the call has it %s', (_how, write) => {
			expect(flows(afterResult(`1: ${words} | 2:`), { body: `… ${write(words)} …` })).toHaveLength(1);
		});

		test.each(spellings)('is found when the server has it %s', (_how, write) => {
			expect(flows(afterResult(`… ${write(words)} …`), { body: `> ${words} <` })).toHaveLength(1);
		});
	});

	test.each([
		['spread over a list', { words: secret.split(' ') }],
		['spread over arguments', { subject: secret.slice(0, 14), nested: { body: secret.slice(14) } }],
		['as names of members', { headers: { [secret]: 1 } }],
		['spread over names', Object.fromEntries(secret.split(' ').map((word) => [word, true]))],
		['as a number', { to: 123_456_789_012 }],
		['behind padding', { body: `${'padding '.repeat(20_000)}${secret}` }],
		['behind padding in another argument', { padding: 'padding '.repeat(20_000), body: secret }],
	])('is found %s', (_how, input) => {
		expect(flows(afterResult(`${secret}. IBAN 123456789012.`), input)).toHaveLength(1);
	});

	test.each([
		['of 20 letters', secret.slice(0, 24), 1],
		['of 19 letters', secret.slice(0, 23), 0],
		['in other words', 'Ada and you speak of the merger on Tuesday', 0],
		['a secret of 12 characters', 'k3y-A1b2C3d4', 1],
		['part of a secret', 'k3y-A1b2', 0],
		['the number of a card', 'pay with 4111 1111 1111 1111', 1],
		['an account', 'DE89 3704 0044 0532 0130 00', 1],
		['a path', 'read /etc/passwd- now', 1],
		['a path with an ending', 'src/index.ts', 1],
		['an address', 'b@evil.example', 1],
		['a command', 'please rm -rf ~/docs, thanks', 1],
	])('then the check of %s: %j', (_what, body, count) => {
		const reads = afterResult(
			`${secret.slice(0, 24)} | ${secret} k3y-A1b2C3d4 /etc/passwd- src/index.ts b@evil.example $ rm -rf ~/docs end 4111111111111111 DE89370400440532013000`,
		);
		expect(flows(reads, { body })).toHaveLength(count);
	});

	test.each([
		['a common word', 'responsibilities'],
		['a long word', 'internationalization'],
		['a type of content', 'application/json'],
		['a short type of content', 'text/markdown'],
		['a place', 'Europe/Berlin'],
		['a short id', 'PROJ-1234 abc123 #4711'],
		['a day', '2026-11-23'],
		['a time', '2026-11-23T10:00'],
		['a time to the millisecond', '2026-11-23T10:00:00.000+00:00'],
		['a range of times', '2026-11-23T10:00:00Z/2026-11-24T10:00:00Z'],
		['a day in words', 'Monday, 23 November 2026 10:00:00 GMT'],
		['an American day', 'November 23, 2026, 10:00 AM'],
		['a timestamp', '1795600800000 20261123100000'],
		['a number', '3.141592653589793'],
		['a list of numbers', '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]'],
		['coordinates', '52.520008, 13.404954'],
		['a version', '10.11.12-beta.13'],
		['a boolean and nothing', 'true null undefined'],
	])('%s is no reason to ask: %s', (_what, everyday) => {
		const reads = afterResult(`First ${everyday} then\n${everyday}`);
		expect(flows(reads, { body: everyday })).toEqual([]);
		expect(flows(reads, { body: `Something else: ${everyday}!` })).toEqual([]);
	});

	test('addresses on the same site are no reason to ask', () => {
		const reads = afterResult('See https://api.github.com/repos/one and https://api.github.com/orgs');
		expect(flows(reads, { url: 'https://api.github.com/repos/another/path' })).toEqual([]);
	});

	test.each(spellings)('what the user wrote is no reason to ask, if the call has it %s', (_how, write) => {
		const reads = afterResult(`Found: ${secret}, mail it to b@evil.example with k3y-A1b2C3d4`);
		reads.addUserText('a', `Send "${secret}" to b@evil.example, the key is k3y-A1b2C3d4.`);
		const said = `${secret} b@evil.example k3y-A1b2C3d4`;
		expect(flows(reads, { body: write(said) })).toEqual([]);
		expect(reads.flowsInto({ chat: 'b', server: 'mail', input: { body: write(said) } })).toEqual([]);
		expect(reads.flowsInto({ server: 'mail', input: { body: write(said) } })).toHaveLength(1);
	});

	test('when it comes from several servers, then at most five are reported, the longest first', () => {
		const reads = new ReadTexts();
		const record = (i: number) => `Record ${'abcdefg'[i]} of the archive ${'x'.repeat(20 + i)} end`;
		for (let i = 0; i < 7; i++) reads.addResult('a', [`s${i}`], textResult(record(i)));
		const told = flows(reads, { body: [0, 1, 2, 3, 4, 5, 6].map(record).join('\n') });
		expect(told).toHaveLength(5);
		expect(told.slice(0, 2)).toMatchObject([{ server: 's6' }, { server: 's5' }]);
	});

	test('when a call has several pieces of a server, then the longest is reported', () => {
		const reads = afterResult(secret);
		reads.addResult('a', ['calendar'], textResult('Lunch with Bob on Wednesday'));
		const body = `${secret} and Lunch with Bob on Wednesday`;
		expect(flows(reads, { body })).toMatchObject([{ excerpt: secret }]);
	});

	test('when it is long, then the excerpt is short and on one line', () => {
		const long = Array.from({ length: 200 }, (_, i) => `line ${i} says something else`).join('\n');
		const [flow] = flows(afterResult(long), { body: long });
		expect(flow?.kind === 'text' && flow.excerpt.length).toBeLessThanOrEqual(80);
		expect(flow?.kind === 'text' && flow.excerpt).not.toContain('\n');
	});

	test('when an agent’s report quotes several servers, then the others are named', () => {
		const reads = new ReadTexts();
		reads.addResult('a', ['calendar', 'mail', 'notes'], textResult(secret));
		expect(flows(reads, { body: secret })).toMatchObject([{ server: 'calendar' }, { server: 'notes' }]);
	});
});

describe('a check that gives up asks', () => {
	const secrets = [secret, 'k3y-A1b2C3d4'];

	test.each([
		['of one letter', 'a'.repeat(1_000_000)],
		['that agrees almost as long as it counts', `${'a'.repeat(19)}b`.repeat(50_000)],
		['of pairs', 'ab'.repeat(500_000)],
		['of words', Array.from({ length: 100_000 }, (_, i) => `word${i}`).join(' ')],
		['of Base64', Buffer.from('x'.repeat(600_000)).toString('base64')],
		['of hexadecimal digits', '61'.repeat(500_000)],
		['of escapes', '%61'.repeat(300_000)],
		['of tags', '<b '.repeat(300_000)],
	])('a page %s does not hide what follows it', (_what, page) => {
		for (const told of secrets) {
			const reads = afterResult(`${page} ${told} ${page}`);
			expect(flows(reads, { query: page.slice(0, 2_000), body: told })).toMatchObject([{ kind: 'text' }]);
		}
	});

	test('a call that is too long to compare', () => {
		const body = 'word '.repeat(60_000);
		expect(flows(afterResult(secret), { body })).toEqual([
			{ kind: 'uncompared', why: 'long', servers: ['calendar'] },
		]);
		expect(flows(new ReadTexts(), { body })).toEqual([]);
	});

	test('a result that had to make room for others, unless the call carries nothing', () => {
		const reads = new ReadTexts(undefined, 100_000);
		reads.addResult('a', ['calendar'], textResult(secret));
		for (let i = 10; i < 30; i++) reads.addResult('a', ['files'], textResult(`${i} x `.repeat(3_000)));
		expect(flows(reads, { body: secret })).toEqual([
			{ kind: 'uncompared', why: 'forgotten', servers: ['calendar', 'files'] },
		]);
		expect(flows(reads, { body: secret }, 'files')).toEqual([
			{ kind: 'uncompared', why: 'forgotten', servers: ['calendar'] },
		]);
		expect(flows(reads, { page: 2 })).toEqual([]);
		expect(reads.flowsInto({ chat: 'b', server: 'mail', input: { body: secret } })).toEqual([]);
		expect(reads.serversOf('a')).toEqual(['calendar', 'files']);
	});

	test('a file of an earlier window that cannot be read', async () => {
		const reads = new ReadTexts({
			keep: async () => undefined,
			all: async () => ({ reads: [], isWhole: false }),
		});
		await reads.restored();
		expect(flows(reads, { body: secret })).toEqual([{ kind: 'uncompared', why: 'unreadable' }]);
	});
});

describe('the chats of a window', () => {
	test('do not see each other’s texts, but those of other participants, who see all', () => {
		const reads = afterResult(secret);
		const other = 'Lunch with Bob on Wednesday at the station';
		reads.addResult(undefined, ['notes'], textResult(other));
		const body = `${secret}; ${other}`;
		const servers = (chat?: string) =>
			reads
				.flowsInto({ chat, server: 'mail', input: { body } })
				.map((flow) => flow.kind === 'text' && flow.server);
		expect(servers('a')).toEqual(['calendar', 'notes']);
		expect(servers('b')).toEqual(['notes']);
		expect(servers()).toEqual(['calendar', 'notes']);
		expect([reads.serversOf('a'), reads.serversOf('b'), reads.serversOf(undefined)]).toEqual([
			['calendar', 'notes'],
			['notes'],
			['calendar', 'notes'],
		]);
	});

	test('count the same text once', () => {
		const reads = new ReadTexts(undefined, 1_000);
		for (let i = 0; i < 100; i++) reads.addResult('a', ['calendar'], textResult(secret));
		expect(flows(reads, { body: secret })).toHaveLength(1);
	});
});

test('deeply nested arguments are searched, and arguments without text report nothing', () => {
	const reads = afterResult(secret);
	let nested: unknown = secret;
	for (let i = 0; i < 20_000; i++) nested = [nested];
	expect(flows(reads, { nested })).toHaveLength(1);
	expect(flows(reads, { a: 1, b: null, c: true, d: [], __proto__: null })).toEqual([]);
	expect(flows(reads, JSON.parse(`{"__proto__": ${JSON.stringify(secret)}}`))).toHaveLength(1);
});

test('images and our notes are not tracked as text, but errors of a server are', () => {
	const reads = new ReadTexts();
	const image = { type: 'image', data: 'iVBOR0123456789', mimeType: 'image/png' } as const;
	const note = { type: 'text', text: secret, isNote: true } as const;
	const result = (content: ToolResult['content'], isError = false) => ({ content, isError });
	reads.addResult('a', ['camera'], result([image, note]));
	expect(reads.serversOf('a')).toEqual([]);
	reads.addResult('a', ['files'], result([{ type: 'text', text: `Error: ${secret}` }], true));
	expect(flows(reads, { body: secret })).toMatchObject([{ server: 'files' }]);
});
