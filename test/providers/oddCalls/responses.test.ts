import { expect, test } from 'vitest';
import { ResponsesReader } from '../../../src/models/openai/responses/responsesReader.ts';
import { callsIn, endpoint, type Json, lacks, type Made, thinker } from './oddCalls.ts';

const item = (call_id: string | undefined, name: string, json: unknown, id = `fc_${call_id}`): Json => ({
	type: 'function_call',
	id,
	call_id,
	name,
	arguments: json,
});
const added = (output_index: unknown, of: Json): Json => ({
	type: 'response.output_item.added',
	output_index,
	item: { ...of, arguments: '' },
});
const done = (output_index: unknown, of: Json): Json => ({
	type: 'response.output_item.done',
	output_index,
	item: of,
});
const delta = (place: Json, text: string): Json => ({
	type: 'response.function_call_arguments.delta',
	...place,
	delta: text,
});
const allArguments = (place: Json, text: string): Json => ({
	type: 'response.function_call_arguments.done',
	...place,
	arguments: text,
});
const callsOfEvents = (events: readonly Json[], response: Json = { status: 'completed' }) =>
	callsIn((answer) => {
		const reader = new ResponsesReader(endpoint, answer, thinker, { searchTool: 'search_tools' });
		for (const event of [...events, { type: 'response.completed', response }]) reader.read(event);
		reader.end();
	});
const a = item('A', 'read', '{"path":"a"}');
const b = item('B', 'read', '{"path":"b"}');
const both: Made[] = [
	['read', { path: 'a' }],
	['read', { path: 'b' }],
];

test.each<[string, Json[], Made[]]>([
	[
		'as OpenAI does',
		[
			added(0, a),
			delta({ item_id: 'fc_A', output_index: 0 }, '{"path":"a"}'),
			allArguments({ item_id: 'fc_A', output_index: 0 }, '{"path":"a"}'),
			done(0, a),
			added(1, b),
			delta({ item_id: 'fc_B', output_index: 1 }, '{"path":'),
			delta({ item_id: 'fc_B', output_index: 1 }, '"b"}'),
			done(1, b),
		],
		both,
	],
	['with finished items only', [done(0, a), done(1, b)], both],
	['with finished items twice', [done(0, a), done(0, a), done(1, b), done(1, b)], both],
	[
		'with one id of the item for all',
		[done(0, item('A', 'read', '{"path":"a"}', 'fc')), done(1, item('B', 'read', '{"path":"b"}', 'fc'))],
		both,
	],
	[
		'with one id for all',
		[done(0, item('x', 'read', '{"path":"a"}')), done(1, item('x', 'read', '{"path":"b"}'))],
		both,
	],
	[
		'without ids',
		[
			done(0, item(undefined, 'read', '{"path":"a"}', '')),
			done(1, item(undefined, 'read', '{"path":"b"}', '')),
		],
		both,
	],
	[
		'with arguments in the deltas, and none in the finished item: https://github.com/Wei-Shaw/sub2api/pull/6629',
		[added(0, a), delta({ item_id: 'fc_A' }, '{"path":"a"}'), done(0, item('A', 'read', ''))],
		[['read', { path: 'a' }]],
	],
	[
		'with arguments in their own event only: https://github.com/tailcallhq/forgecode/pull/2558',
		[added(0, a), allArguments({ item_id: 'fc_A' }, '{"path":"a"}'), done(0, item('A', 'read', ''))],
		[['read', { path: 'a' }]],
	],
	[
		'without a finished item: https://github.com/sgl-project/sglang/issues/12652',
		[added(0, a), delta({ item_id: 'fc_A' }, '{"path":'), allArguments({ item_id: 'fc_A' }, '{"path":"a"}')],
		[['read', { path: 'a' }]],
	],
	[
		'with deltas that have the id of the call: https://github.com/lidge-jun/opencodex/pull/1361',
		[
			added(0, a),
			added(1, b),
			delta({ call_id: 'B' }, '{"path":"b"}'),
			delta({ call_id: 'A' }, '{"path":"a"}'),
			done(0, item('A', 'read', '')),
			done(1, item('B', 'read', '')),
		],
		both,
	],
	[
		'with deltas that have only an index, by turns: https://github.com/ddutchie/cairn/pull/127',
		[
			added(2, a),
			added('5', b),
			delta({ output_index: '2' }, '{"path":'),
			delta({ output_index: 5 }, '{"path":"b"}'),
			delta({ output_index: 2 }, '"a"}'),
			done(2, item('A', 'read', undefined)),
			done(5, item('B', 'read', undefined)),
		],
		both,
	],
	[
		'with deltas under the index of another call: the id decides',
		[
			added(0, a),
			added(1, b),
			delta({ item_id: 'fc_A', output_index: 1 }, '{"path":"a"}'),
			delta({ item_id: 'fc_B', output_index: 0 }, '{"path":"b"}'),
		],
		both,
	],
	[
		'with deltas before the call',
		[delta({ item_id: 'fc_A', output_index: 0 }, '{"path":"a"}'), done(0, a), done(1, b)],
		both,
	],
	['with arguments that are no text', [done(0, item('A', 'read', { path: 'a' }))], [['read', { path: 'a' }]]],
	[
		'of a tool without arguments',
		[added(0, item('A', 'list', '')), done(0, item('A', 'list', ''))],
		[['list', {}]],
	],
	['that never got arguments, nor an end', [added(0, a)], [['read', lacks]]],
	['that never got an end', [added(0, a), delta({ item_id: 'fc_A' }, '{"path":"a')], [['read', lacks]]],
	['arguments that end early', [done(0, item('A', 'read', '{"path":"a'))], [['read', lacks]]],
	['no name', [done(0, item('A', '', '{}'))], [['unnamed', lacks]]],
	['arguments without a call', [delta({ item_id: 'fc_A' }, '{"path":"a"}')], [['unnamed', lacks]]],
])('calls %s', async (_, events, calls) => {
	expect(await callsOfEvents(events)).toEqual(calls);
});

test('calls that come with the end of the answer only', async () => {
	expect(await callsOfEvents([], { status: 'completed', output: [a, b] })).toEqual(both);
});

test('a call that was begun is finished by the end of the answer', async () => {
	expect(await callsOfEvents([added(0, a)], { status: 'completed', output: [a] })).toEqual([both[0]]);
});

test('a call that was cut off at the limit of output is no call', async () => {
	const limit = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
	const events = [done(0, a), added(1, b), delta({ item_id: 'fc_B' }, '{"path":"b"}')];
	expect(await callsOfEvents(events, limit)).toEqual([both[0]]);
});

test.each([
	['failed', { status: 'failed', error: { code: 'server_error' } }],
	['cancelled', { status: 'cancelled' }],
	['filtered', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
])('an answer that was %s makes no call', async (_, response) => {
	await expect(callsOfEvents([done(0, a)], response)).rejects.toThrow();
});
