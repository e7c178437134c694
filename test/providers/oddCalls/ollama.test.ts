import { expect, test } from 'vitest';
import { ContextWindow } from '../../../src/models/ollama/contextWindow.ts';
import { OllamaReader } from '../../../src/models/ollama/ollamaReader.ts';
import { callsIn, endpoint, type Json, lacks, type Made, thinker } from './oddCalls.ts';

const callsOfLines = (calls: readonly unknown[], end: Json = {}) =>
	callsIn((answer) => {
		const window = new ContextWindow({ id: 'm', name: 'M', model: 'm' });
		const reader = new OllamaReader(endpoint, answer, thinker, { window, options: { num_ctx: 8_192 } });
		for (const tool_calls of calls)
			reader.read({ message: { content: '', tool_calls: [tool_calls].flat() } });
		reader.read({ done: true, ...end });
		reader.end();
	});
const call = (name: unknown, input: unknown, more: Json = {}): Json => ({
	...more,
	function: { index: 0, name, arguments: input },
});
const both: Made[] = [
	['read', { path: 'a' }],
	['read', { path: 'b' }],
];

test.each<[string, unknown[], Made[]]>([
	[
		'with one index for all: https://github.com/ollama/ollama/issues/15497',
		[call('read', { path: 'a' }), call('read', { path: 'b' })],
		both,
	],
	['in one line', [[call('read', { path: 'a' }), call('read', { path: 'b' })]], both],
	['with arguments that are text', [call('read', '{"path":"a"}'), call('read', '{"path":"b"}')], both],
	[
		'with one id for all',
		[call('read', { path: 'a' }, { id: 'x' }), call('read', { path: 'b' }, { id: 'x' })],
		both,
	],
	[
		'twice with one id',
		[call('read', { path: 'a' }, { id: 'x' }), call('read', { path: 'a' }, { id: 'x' })],
		[['read', { path: 'a' }]],
	],
	[
		'twice without an id: the model means both',
		[call('roll', null), call('roll', null)],
		[
			['roll', {}],
			['roll', {}],
		],
	],
	['in pieces', [call('read', '{"path":'), call('', '"a"}'), call('read', { path: 'b' })], both],
	['in pieces after its end', [call('read', '{"path":"a"}'), call('', '{"path":"b"}')], [['read', lacks]]],
	['arguments that end early', [call('read', '{"path":"a')], [['read', lacks]]],
	['among what is none', [['read', null, 7, call('read', { path: 'a' })]], [['read', { path: 'a' }]]],
	['no name', [call('', { path: 'a' })], [['unnamed', lacks]]],
	[
		'arguments that are no object',
		[call('read', ['a']), call('read', 7)],
		[
			['read', lacks],
			['read', lacks],
		],
	],
])('calls %s', async (_, calls, made) => {
	expect(await callsOfLines(calls)).toEqual(made);
});

test('at the limit of output, the last call without arguments is a fault', async () => {
	const calls = [call('list', undefined), call('list', undefined)];
	expect(await callsOfLines(calls, { done_reason: 'length' })).toEqual([
		['list', {}],
		['list', lacks],
	]);
});
