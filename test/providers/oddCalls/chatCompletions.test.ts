import { expect, test } from 'vitest';
import { ChatReader } from '../../../src/models/openai/chatCompletions/chatReader.ts';
import { callsIn, endpoint, type Json, lacks, type Made, thinker } from './oddCalls.ts';

/** A piece of a call as Chat Completions sends it. */
function piece(index: unknown, id: unknown, name: unknown, json: unknown): Json {
	return { index, id, function: { name, arguments: json } };
}

/** Each piece comes in a chunk of its own; a list of them in one. */
const callsOfPieces = (pieces: readonly (Json | readonly Json[])[], reason: string | null = 'tool_calls') =>
	callsIn((answer) => {
		const reader = new ChatReader(endpoint, answer, thinker);
		for (const calls of pieces)
			reader.read({ choices: [{ index: 0, delta: { tool_calls: [calls].flat() } }] });
		reader.read({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
		reader.read('done');
		reader.end();
	});
const read = ['read', { path: 'a' }] as const;
const list = ['list', {}] as const;

test.each<[string, (Json | Json[])[], Made[]]>([
	[
		'as OpenAI does',
		[
			piece(0, 'A', 'read', ''),
			piece(0, undefined, undefined, '{"path":'),
			piece(0, undefined, undefined, '"a"}'),
			piece(1, 'B', 'list', ''),
			piece(1, undefined, undefined, '{}'),
		],
		[read, list],
	],
	[
		'by turns, as the protocol allows: https://github.com/continuedev/continue/issues/13223',
		[
			[piece(0, 'A', 'read', ''), piece(1, 'B', 'list', '')],
			[piece(0, undefined, undefined, '{"path":'), piece(1, undefined, undefined, '{')],
			[piece(1, undefined, undefined, '}'), piece(0, undefined, undefined, '"a"}')],
		],
		[read, list],
	],
	[
		'by turns, in another order than they began',
		[
			piece(1, 'A', 'read', ''),
			piece(0, 'B', 'list', ''),
			piece(1, undefined, undefined, '{"path":"a"}'),
			piece(0, undefined, undefined, '{}'),
		],
		[read, list],
	],
	[
		'without an index: https://github.com/ollama/ollama/issues/7881',
		[
			piece(undefined, 'A', 'read', '{"path":'),
			piece(undefined, undefined, undefined, '"a"}'),
			piece(undefined, 'B', 'list', '{}'),
		],
		[read, list],
	],
	[
		'without an index, each piece with its id',
		[
			piece(null, 'A', 'read', ''),
			piece(null, 'B', 'list', ''),
			piece(null, 'A', null, '{"path":"a"}'),
			piece(null, 'B', null, '{}'),
		],
		[read, list],
	],
	[
		'without an index, each piece with another id',
		[
			piece(undefined, 'A', 'read', '{"path":'),
			piece(undefined, 'x7', undefined, '"a"}'),
			piece(undefined, 'B', 'list', '{}'),
		],
		[read, list],
	],
	[
		'with the index as a text',
		[
			piece('0', 'A', 'read', ''),
			piece('1', 'B', 'list', ''),
			piece('0', '', '', '{"path":"a"}'),
			piece('1', '', '', '{}'),
		],
		[read, list],
	],
	[
		'with the index as a text in some pieces only',
		[
			piece(0, 'A', 'read', ''),
			piece(1, 'B', 'list', ''),
			piece('0', '', '', '{"path":"a"}'),
			piece('1', '', '', '{}'),
		],
		[read, list],
	],
	[
		'whole, all with the index 0: https://github.com/ollama/ollama/issues/15457',
		[piece(0, 'A', 'read', '{"path":"a"}'), piece(0, 'B', 'list', '{}')],
		[read, list],
	],
	[
		'in pieces, all with the index 0 and the id only at first: https://github.com/InternLM/lmdeploy/issues/3412',
		[
			piece(0, 'A', 'read', ''),
			piece(0, '', null, '{"path":'),
			piece(0, '', null, '"a"}'),
			piece(0, 'B', 'list', ''),
			piece(0, '', null, '{}'),
		],
		[read, list],
	],
	[
		'in pieces that repeat the id, all with the index 0, as SGLang: https://github.com/InternLM/lmdeploy/issues/3412',
		[
			piece(0, '0', 'read', ''),
			piece(0, '0', null, '{"path":"a"}'),
			piece(0, '1', 'list', ''),
			piece(0, '1', null, '{}'),
		],
		[read, list],
	],
	[
		'with id and name in each piece',
		[
			piece(0, 'A', 'read', '{"path":'),
			piece(0, 'A', 'read', '"a"}'),
			piece(1, 'B', 'list', '{}'),
			piece(1, 'B', 'list', ''),
		],
		[read, list],
	],
	[
		'with another id in each piece',
		[piece(0, 'A', 'read', '{"path":'), piece(0, 'x7', null, '"a"}'), piece(1, 'B', 'list', '{}')],
		[read, list],
	],
	[
		'begun at index 0, and continued at another index: https://github.com/dirac-run/dirac/pull/215',
		[
			piece(0, 'A', 'kpi', '{"a":1}'),
			piece(0, 'B', 'chart', '{"ser'),
			piece(1, undefined, undefined, 'ies":'),
			piece(2, undefined, undefined, '"x"}'),
		],
		[
			['kpi', { a: 1 }],
			['chart', { series: 'x' }],
		],
	],
	[
		'three of them begun at index 0, and continued at their own',
		[
			piece(0, 'A', 'kpi', ''),
			piece(0, undefined, undefined, '{"a":1}'),
			piece(0, 'B', 'chart', '{"b'),
			piece(1, undefined, undefined, '":2}'),
			piece(0, 'C', 'list', '{"c'),
			piece(2, undefined, undefined, '":3}'),
		],
		[
			['kpi', { a: 1 }],
			['chart', { b: 2 }],
			['list', { c: 3 }],
		],
	],
	[
		'with arguments that come under the index of another call: the id decides',
		[
			piece(0, 'A', 'read', ''),
			piece(1, 'B', 'list', ''),
			piece(1, 'A', null, '{"path":"a"}'),
			piece(0, 'B', null, '{}'),
		],
		[read, list],
	],
	[
		'with arguments under the index of another call, which gets its own later without an id',
		[
			piece(0, 'A', 'read', ''),
			piece(1, 'B', 'list', ''),
			piece(1, 'A', null, '{"path":"a"}'),
			piece(1, null, null, '{}'),
		],
		[read, list],
	],
	[
		'with arguments of the first after the second has begun, by its id',
		[piece(0, 'A', 'read', ''), piece(0, 'B', 'list', '{}'), piece(0, 'A', '', '{"path":"a"}')],
		[read, list],
	],
	[
		'with a tail at the index of a call that has ended: it is the open one’s',
		[piece(0, 'A', 'kpi', '{"a":1}'), piece(1, 'B', 'chart', '{"ser'), piece(0, null, null, 'ies":"x"}')],
		[
			['kpi', { a: 1 }],
			['chart', { series: 'x' }],
		],
	],
	[
		'with one id for all, at indexes of their own: https://github.com/HKUDS/nanobot/pull/3943',
		[
			piece(0, 'call_00', 'read', ''),
			piece(0, undefined, undefined, '{"path":"a"}'),
			piece(1, 'call_00', 'read', ''),
			piece(1, undefined, undefined, '{"path":"b"}'),
		],
		[read, ['read', { path: 'b' }]],
	],
	[
		'with one id for all, by turns',
		[
			[piece(0, 'x', 'read', ''), piece(1, 'x', 'read', '')],
			[piece(0, null, null, '{"path":"a"}'), piece(1, null, null, '{"path":"b"}')],
		],
		[read, ['read', { path: 'b' }]],
	],
	[
		'with one id and one index for all: https://github.com/skye-harris/hass_local_openai_llm/pull/92',
		[piece(0, 'x', 'read', '{"path":"a"}'), piece(0, 'x', 'list', '{}')],
		[read, list],
	],
	[
		'with one id and one index for all, of one tool',
		[piece(0, 'x', 'read', '{"path":"a"}'), piece(0, 'x', 'read', '{"path":"b"}')],
		[read, ['read', { path: 'b' }]],
	],
	[
		'without id and index, of one tool',
		[piece(undefined, null, 'read', '{"path":"a"}'), piece(undefined, '', 'read', '{"path":"b"}')],
		[read, ['read', { path: 'b' }]],
	],
	[
		'with nothing but the name',
		[[piece(0, undefined, 'list', undefined), piece(0, undefined, 'tree', undefined)]],
		[list, ['tree', {}]],
	],
	[
		'with a name that comes late: https://github.com/router-for-me/CLIProxyAPI/issues/3748',
		[piece(0, 'A', '', ''), piece(0, 'A', 'read', '{"path":"a"}')],
		[read],
	],
	[
		'whole, in one chunk, with arguments that are no text',
		[[piece(undefined, 'A', 'read', { path: 'a' }), piece(undefined, 'B', 'list', null)]],
		[read, list],
	],
	[
		'with an object in it that ends before the arguments do',
		[
			piece(0, null, 'draw', '{"a":{"b":"}{\\""}'),
			piece(0, null, 'draw', '}'),
			piece(0, null, 'draw', '{"c":1}'),
		],
		[
			['draw', { a: { b: '}{"' } }],
			['draw', { c: 1 }],
		],
	],
	['twice', [piece(0, 'A', 'read', '{"path":"a"}'), piece(0, 'A', 'read', '{"path":"a"}')], [read]],
])('calls are put together %s', async (_, pieces, calls) => {
	expect(await callsOfPieces(pieces)).toEqual(calls);
});

test.each<[string, Json[], Made[]]>([
	[
		'more arguments, without a name, for a call that is whole: https://github.com/dyedd/lens/issues/49',
		[piece(0, 'A', 'glob', ''), piece(0, null, '', '{"path":"a"}'), piece(0, null, '', '{"path":"b"}')],
		[['glob', lacks]],
	],
	[
		'pieces of a call that never began',
		[piece(0, 'A', 'read', '{"path":"a"}'), piece(1, 'B', '', '{"path":"b"}')],
		[read, ['unnamed', lacks]],
	],
	['nothing but pieces without a name', [piece(0, 'A', '', '{}')], [['unnamed', lacks]]],
	[
		'pieces that say of themselves to be of no call, beside a call without any',
		[piece(0, 'A', 'delete', ''), piece(1, 'B', 'read', ''), piece(7, 'C', '', '{"path":"a"}')],
		[
			['delete', lacks],
			['read', { path: 'a' }],
		],
	],
	[
		'arguments of two calls under one id',
		[
			piece(0, 'A', 'read', ''),
			piece(1, 'B', 'read', ''),
			piece(0, 'A', '', '{"path":"a"}'),
			piece(1, 'A', '', '{"path":"b"}'),
		],
		[
			['read', lacks],
			['read', lacks],
		],
	],
	['arguments that end early', [piece(0, 'A', 'read', '{"path":"a')], [['read', lacks]]],
	['arguments that are no object', [piece(0, 'A', 'read', '["a"]')], [['read', lacks]]],
	['arguments with a rest', [piece(0, 'A', 'read', '{"path":"a"}{}')], [['read', lacks]]],
])('a call with a fault comes of %s', async (_, pieces, calls) => {
	expect(await callsOfPieces(pieces)).toEqual(calls);
});

const cut = [piece(0, 'A', 'list', ''), piece(1, 'B', 'read', '{"path":"a"}'), piece(2, 'C', 'read', '')];
const lacking: Made[] = [['list', lacks], read, ['read', lacks]];

test.each([
	['the limit of output', 'length', lacking],
	['no reason at all', null, lacking],
	['a filter', 'content_filter', undefined],
	['an error', 'error', undefined],
])('an answer that ends with %s', async (_, reason, calls) => {
	const made = callsOfPieces(cut, reason);
	if (calls) expect(await made).toEqual(calls);
	else await expect(made).rejects.toThrow();
});

test.each([undefined, null, 'calls', [null, 1, 'x']])(
	'pieces that are none (%j) are left out',
	async (pieces) => {
		const made = await callsIn((answer) => {
			const reader = new ChatReader(endpoint, answer, thinker);
			reader.read({ choices: [{ delta: { tool_calls: pieces }, finish_reason: 'stop' }] });
			reader.end();
		});
		expect(made).toEqual([]);
	},
);
