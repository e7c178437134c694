import { expect, test } from 'vitest';
import { readAnswer } from '../../../src/models/ollama/answer.ts';
import { callsIn, endpoint, type Json, lacks, type Made, thinker } from './oddCalls.ts';

const callsOfLines = (calls: readonly unknown[], end: Json = {}) =>
	callsIn((answer) => {
		const lines = calls.map((tool_calls) => ({
			message: { content: '', tool_calls: [tool_calls].flat() },
		}));
		const written = [...lines, { done: true, ...end }].map((line) => JSON.stringify(line));
		return readAnswer(
			endpoint,
			(async function* () {
				yield* written;
			})(),
			answer,
			thinker,
		);
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
