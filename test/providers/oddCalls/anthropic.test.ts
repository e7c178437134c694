import { expect, test } from 'vitest';
import { AnthropicReader } from '../../../src/models/anthropic/anthropicReader.ts';
import { callsIn, endpoint, type Json, lacks, type Made, thinker } from './oddCalls.ts';

const start = (index: unknown, id: string, name: string, input: unknown = {}): Json => ({
	type: 'content_block_start',
	index,
	content_block: { type: 'tool_use', id, name, input },
});
const delta = (index: unknown, partial_json: string): Json => ({
	type: 'content_block_delta',
	index,
	delta: { type: 'input_json_delta', partial_json },
});
const stop = (index: unknown): Json => ({ type: 'content_block_stop', index });
const other = (index: unknown, type: string): Json => ({
	type: 'content_block_start',
	index,
	content_block: { type, text: '', thinking: '' },
});
const callsOfEvents = (events: readonly Json[], reason = 'tool_use') =>
	callsIn((answer) => {
		const reader = new AnthropicReader(endpoint, answer, thinker, { max_tokens: 100 });
		for (const event of events) reader.read(event);
		reader.read({ type: 'message_delta', delta: { stop_reason: reason } });
		reader.read({ type: 'message_stop' });
		reader.end();
	});
const both: Made[] = [
	['read', { path: 'a' }],
	['read', { path: 'b' }],
];

test.each<[string, Json[], Made[]]>([
	[
		'by turns',
		[
			start(0, 'A', 'read'),
			start(1, 'B', 'read'),
			delta(0, '{"path":'),
			delta(1, '{"path":"b"}'),
			delta(0, '"a"}'),
			stop(0),
			stop(1),
		],
		both,
	],
	[
		'with all blocks at index 0',
		[
			start(0, 'A', 'read'),
			delta(0, '{"path":"a"}'),
			stop(0),
			start(0, 'B', 'read'),
			delta(0, '{"path":"b"}'),
			stop(0),
		],
		both,
	],
	[
		'with the index as a text in some events',
		[
			start(0, 'A', 'read'),
			delta('0', '{"path":"a"}'),
			stop('0'),
			start('1', 'B', 'read'),
			delta(1, '{"path":"b"}'),
		],
		both,
	],
	[
		'without an index',
		[
			start(undefined, 'A', 'read'),
			delta(undefined, '{"path":"a"}'),
			start(undefined, 'B', 'read'),
			delta(undefined, '{"path":"b"}'),
		],
		both,
	],
	[
		'with arguments at an index that never began: https://github.com/Wei-Shaw/sub2api/pull/4294',
		[
			start(0, 'A', 'read'),
			delta(0, '{"path":"a"}'),
			stop(0),
			start(1, 'B', 'read'),
			delta(2, '{"path":"b"}'),
			stop(1),
		],
		both,
	],
	[
		'with arguments at the index of a text: https://github.com/Oaklight/llm-rosetta/issues/246',
		[
			other(0, 'text'),
			start(1, 'A', 'read'),
			delta(0, '{"path":"a"}'),
			start(2, 'B', 'read'),
			delta(2, '{"path":"b"}'),
		],
		both,
	],
	[
		'with arguments that come with the beginning: https://github.com/Yeachan-Heo/gajae-code/pull/1895',
		[start(0, 'A', 'read', { path: 'a' }), stop(0), start(1, 'B', 'read', { path: 'b' }), stop(1)],
		both,
	],
	[
		'with one id for all: https://github.com/HKUDS/nanobot/issues/4473',
		[start(0, 'read:3', 'read', { path: 'a' }), start(1, 'read:3', 'read', { path: 'b' })],
		both,
	],
	[
		'beside a tool that the provider runs itself',
		[
			start(0, 'A', 'read'),
			other(1, 'server_tool_use'),
			delta(1, '{"query":"x"}'),
			stop(1),
			delta(0, '{"path":"a"}'),
		],
		[['read', { path: 'a' }]],
	],
	['of a tool without arguments', [start(0, 'A', 'list'), stop(0)], [['list', {}]]],
	[
		'more arguments than one object',
		[start(0, 'A', 'read'), delta(0, '{"path":"a"}'), delta(0, '{"path":"b"}')],
		[['read', lacks]],
	],
	['arguments that end early', [start(0, 'A', 'read'), delta(0, '{"path":"a'), stop(0)], [['read', lacks]]],
	['no name', [start(0, 'A', ''), delta(0, '{}'), stop(0)], [['unnamed', lacks]]],
	['arguments without a call', [delta(0, '{"path":"a"}')], [['unnamed', lacks]]],
	[
		'arguments at an index that never began, beside a call without any',
		[start(0, 'A', 'delete'), stop(0), start(1, 'B', 'read'), delta(3, '{"path":"a"}'), stop(1)],
		[
			['delete', lacks],
			['read', { path: 'a' }],
		],
	],
])('calls %s', async (_, events, calls) => {
	expect(await callsOfEvents(events)).toEqual(calls);
});

test('at the limit of output, a call without arguments counts only if another block followed', async () => {
	const events = [start(0, 'A', 'list'), stop(0), start(1, 'B', 'list'), stop(1)];
	expect(await callsOfEvents(events, 'max_tokens')).toEqual([
		['list', {}],
		['list', lacks],
	]);
});
