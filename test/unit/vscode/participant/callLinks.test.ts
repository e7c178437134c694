import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import type { ChatMessage } from '../../../../src/discovery/catalog/message.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../../src/models/answerParts.ts';
import { callIn, callsLine, isCallLink } from '../../../../src/vscode/participant/callLinks.ts';
import { shownCall } from '../../../../src/vscode/run/result.ts';
import { tool } from '../../discovery/fixtures.ts';

const catalog = new Catalog([{ name: 'files', tools: [tool('files', 'read', 'Reads')] }], 1);
const [read] = catalog.tools;
if (!read) throw new Error('it is in the catalog');

describe('the line below an answer that links its calls', () => {
	const of = (n: number, outcome: 'done' | 'failed' | 'skipped' = 'done') =>
		Array.from({ length: n }, (_, i) => ({ id: `c${i}`, tool: read, outcome }));

	test('links each call up to a limit, marks failed and skipped ones, and counts the rest', () => {
		expect(callsLine('s', [])).toBeUndefined();
		const line = callsLine('s', [...of(1), ...of(1, 'failed'), ...of(1, 'skipped')]) ?? '';
		expect(line.split(' · ')).toHaveLength(3);
		expect(line).toContain('[files\\:read]');
		expect(line).toContain('[files\\:read 2 failed]');
		expect(line).toContain('[files\\:read 3 skipped]');
		const [failed] = of(1, 'failed');
		if (failed)
			expect(callsLine('s', [{ ...failed, why: 'no such file' }])).toMatch(/ failed\].*\): no such file$/);
		expect(callsLine('s', of(1))).toContain('[files\\:read]');
		// Two of them would make a formula of all between them.
		expect(line.split('$')).toHaveLength(2);
		const [, query = ''] = /showCall\?(\S+) /.exec(line) ?? [];
		const [link] = JSON.parse(decodeURIComponent(query));
		expect(link).toEqual({ session: 's', call: 'c0' });
		expect(isCallLink(link)).toBe(true);
		expect(callsLine('s', of(30))).toMatch(/ · 18 more$/);
	});

	test('names the agent that made a call', () => {
		const calls = [...of(1), ...of(2).map((one) => ({ ...one, agent: 'clerk' }))];
		expect(callsLine('s', calls)?.match(/(?<=\[)[^\]]+/g)).toEqual([
			'files\\:read',
			'clerk: files\\:read',
			'clerk: files\\:read 2',
		]);
	});

	test.each([undefined, 7, {}, { session: 's' }, { session: 1, call: 'c' }])(
		'does not accept %j as the target of a link',
		(value) => {
			expect(isCallLink(value)).toBe(false);
		},
	);
});

describe('a call of a chat', () => {
	const messages: readonly ChatMessage[] = [
		{ role: 'user', text: 'Read it.' },
		plainAnswer('', [
			{ id: 'c0', name: 'files__read', input: { path: 'a.txt' } },
			{ id: 'c1', name: 'call_tool', input: { name: 'gone__tool', arguments: { x: 1 } } },
			{ id: 'c2', name: 'files__read', input: {} },
		]),
		{
			role: 'tool',
			results: [
				{ callId: 'c0', result: textResult('Hello') },
				{ callId: 'c1', result: textResult('{"y":2}') },
			],
		},
	];

	test('is found with its arguments and result, even if it was wrapped or its tool no longer exists', () => {
		expect(callIn(messages, 'c0', catalog)).toEqual({
			tool: read,
			args: { path: 'a.txt' },
			result: textResult('Hello'),
		});
		expect(callIn(messages, 'c1', catalog)).toMatchObject({ tool: { id: 'gone:tool' }, args: { x: 1 } });
		expect(callIn(messages, 'c2', catalog)).toBeUndefined();
		expect(callIn(messages, 'other', catalog)).toBeUndefined();
	});

	test('is shown with its arguments and result, and can run again with the same arguments', () => {
		const call = callIn(messages, 'c1', catalog);
		if (!call) throw new Error('it is kept');
		const { document, args } = shownCall(call);
		expect(document.text).toContain('"x": 1');
		expect(document.text).toContain('"y": 2');
		expect(args).toEqual({ x: 1 });
	});
});
