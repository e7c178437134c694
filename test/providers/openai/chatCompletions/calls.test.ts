import { expect, test } from 'vitest';
import { CallAssembly } from '../../../../src/models/openai/chatCompletions/calls.ts';

interface Written {
	readonly index?: number;
	readonly id?: string | null;
	readonly name?: string | null;
	readonly arguments?: unknown;
}

/** The calls made of pieces; each inner list comes in one chunk. */
function assembled(chunks: readonly (readonly Written[])[], isCut = false) {
	const assembly = new CallAssembly();
	for (const chunk of chunks) {
		assembly.add(
			chunk.map(({ name, arguments: input, ...rest }) => ({
				...rest,
				type: 'function',
				function: { name, arguments: input },
			})),
		);
	}
	// Our own ids are none of a test's; what the provider called a call stands for it.
	return assembly.calls(isCut).map(({ call, id }) => ({ ...call, id }));
}

const read = { id: 'c1', name: 'files__read', input: { path: 'a.md' } };
const list = { id: 'c2', name: 'files__list', input: {} };

test.each<[string, (readonly Written[])[]]>([
	[
		'piece by piece, as OpenAI does',
		[
			[{ index: 0, id: 'c1', name: 'files__read', arguments: '' }],
			[{ index: 0, arguments: '{"path":' }],
			[{ index: 0, arguments: '"a.md"}' }],
			[{ index: 1, id: 'c2', name: 'files__list', arguments: '' }],
			[{ index: 1, arguments: '{}' }],
		],
	],
	[
		'by turns',
		[
			[
				{ index: 0, id: 'c1', name: 'files__read', arguments: '{"path":' },
				{ index: 1, id: 'c2', name: 'files__list', arguments: '{' },
			],
			[
				{ index: 0, arguments: '"a.md"}' },
				{ index: 1, arguments: '}' },
			],
		],
	],
	[
		'without an index',
		[
			[{ id: 'c1', name: 'files__read', arguments: '{"path":' }],
			[{ arguments: '"a.md"}' }],
			[{ id: 'c2', name: 'files__list', arguments: '{}' }],
		],
	],
	[
		'with id and name in each piece',
		[
			[{ index: 0, id: 'c1', name: 'files__read', arguments: '{"path":' }],
			[{ index: 0, id: 'c1', name: 'files__read', arguments: '"a.md"}' }],
			[{ index: 1, id: 'c2', name: 'files__list', arguments: '{}' }],
			[{ index: 1, id: 'c2', name: 'files__list', arguments: '' }],
		],
	],
	[
		'with another id in each piece',
		[
			[{ index: 0, id: 'c1', name: 'files__read', arguments: '{"path":' }],
			[{ index: 0, id: 'x7', name: null, arguments: '"a.md"}' }],
			[{ index: 1, id: 'c2', name: 'files__list', arguments: '{}' }],
		],
	],
	[
		'whole, all with one index',
		[
			[{ index: 0, id: 'c1', name: 'files__read', arguments: '{"path":"a.md"}' }],
			[{ index: 0, id: 'c2', name: 'files__list', arguments: '{}' }],
		],
	],
	[
		'in pieces, all with one index',
		[
			[{ index: 0, id: 'c1', name: 'files__read', arguments: '{"path":' }],
			[{ index: 0, arguments: '"a.md"}' }],
			[{ index: 0, id: 'c2', name: 'files__list', arguments: '{' }],
			[{ index: 0, arguments: '}' }],
		],
	],
	[
		'whole, all in one chunk, with arguments that are no text',
		[
			[
				{ id: 'c1', name: 'files__read', arguments: { path: 'a.md' } },
				{ id: 'c2', name: 'files__list', arguments: null },
			],
		],
	],
])('calls are put together: %s', (_, chunks) => {
	expect(assembled(chunks)).toEqual([read, list]);
});

test.each([null, ''])('calls without an id (%j) stay apart though the tool is the same', (id) => {
	const calls = assembled([
		[{ index: 0, id, name: 'files__read', arguments: '{"path":"a.md"}' }],
		[{ index: 0, id, name: 'files__read', arguments: '{"path":"b.md"}' }],
	]);

	expect(calls.map(({ input }) => input)).toEqual([{ path: 'a.md' }, { path: 'b.md' }]);
});

test('calls of two tools stay apart though nothing else tells them from one another', () => {
	const calls = assembled([[{ index: 0, name: 'files__list' }], [{ index: 0, name: 'files__tree' }]]);

	expect(calls.map(({ name }) => name)).toEqual(['files__list', 'files__tree']);
});

test.each(['{"path": "a', '[1]', '{"path": "a.md"}{}'])('arguments %s are a fault', (json) => {
	const [call] = assembled([[{ index: 0, id: 'c1', name: 'files__read', arguments: json }]]);

	expect(call).toMatchObject({ id: 'c1', name: 'files__read', input: {}, fault: expect.any(String) });
});

test('the last call of an answer that was cut is a fault if its arguments had not begun', () => {
	const pieces: Written[] = [
		{ index: 0, id: 'c1', name: 'files__list', arguments: '' },
		{ index: 1, id: 'c2', name: 'files__read', arguments: '' },
	];

	const [first, last] = assembled([pieces], true);

	expect(first).toEqual({ id: 'c1', name: 'files__list', input: {} });
	expect(last?.fault).toContain('cut off');
});

test('a call that names no tool is a fault', () => {
	const [call] = assembled([[{ index: 0, id: 'c1', arguments: '{}' }]]);

	expect(call?.fault).toContain('names no tool');
});

test.each([undefined, null, 'calls', [null, 1, 'x']])('pieces that are none (%j) are left out', (pieces) => {
	const assembly = new CallAssembly();

	assembly.add(pieces);

	expect(assembly.calls(false)).toEqual([]);
});

test('arguments in any number of pieces that each repeat the name are parsed a few times only', () => {
	const calls = new CallAssembly();
	let parsed = 0;
	const parse = JSON.parse;
	JSON.parse = (text: string) => {
		parsed += text.length;
		return parse(text);
	};
	const piece = (json: string) => ({ index: 0, function: { name: 'read', arguments: json } });
	try {
		calls.add([piece('{"a":"'), ...Array.from({ length: 2_000 }, () => piece('}')), piece('"}')]);
		expect(calls.calls(false).map(({ call }) => call.input)).toEqual([{ a: '}'.repeat(2_000) }]);
	} finally {
		JSON.parse = parse;
	}
	expect(parsed).toBeLessThan(10_000);
});
