import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;
const two = ['stdio', 'streamable-http'] as const;
const everywhere = ['stdio', 'sse', 'streamable-http', 'json'] as const;

/** Each definition refers ten times to the next one, and the last one is empty: following all of them takes 10^20 steps. */
function definitionsBomb(): object {
	const levels = Array.from({ length: 20 }, (_, i) => [
		`d${i}`,
		{ allOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/d${i + 1}` })) },
	]);
	return {
		type: 'object',
		$ref: '#/$defs/d0',
		$defs: { ...Object.fromEntries(levels), d20: { minLength: 1 } },
	};
}

/** The server is usable nevertheless. */
const works = { start: 'ready', after: { text: 'work done' } } as const;

export const listingFaults: readonly Fault[] = [
	{
		name: 'hangs while it lists',
		mode: ['hangs', 'tools/list'],
		isOfTransport: true,
		transports: everywhere,
		limits: { listPageMs: 1_500 },
		expected: { start: 'list-timeout' },
	},
	...(
		[
			['ends its list with the empty string', 'empty-cursor', { tools: 3 }],
			[
				'gives the same cursor for ever',
				'repeating',
				{ tools: 4, cutShort: 'the server gave the same cursor twice' },
			],
			['lists without an end', 'endless', { tools: 66, cutShort: 'the list was cut off after 64 pages' }],
		] as const
	).map(
		([name, way, expected]): Fault => ({
			name,
			mode: ['pages', way],
			transports: two,
			expected: { ...works, ...expected },
		}),
	),
	{
		name: 'lists good tools among broken ones',
		mode: ['malformed-tools'],
		transports: two,
		expected: { ...works, tools: 4, dropped: 7 },
	},
	{
		name: 'answers with a list that is none',
		mode: ['answers', 'tools/list', '{"tools":{"work":{}}}'],
		transports: two,
		expected: { start: 'protocol' },
	},
	{
		name: 'lists 100,000 tools',
		mode: ['many-tools', '100000'],
		transports: everywhere,
		expected: { ...works, tools: 5_000, cutShort: 'only the first 5000 tools are taken' },
	},
	{
		name: 'lists 800 MB of tools over 64 pages',
		mode: ['heavy-pages'],
		transports: local,
		expected: { ...works },
	},
	{
		name: 'lists a page over the limit of a message',
		mode: ['many-tools', '200000'],
		isOfTransport: true,
		transports: everywhere,
		expected: { start: 'message-too-large' },
	},
	{
		name: 'has a schema of 5 MB',
		onlyNightly: true,
		mode: ['huge-schema'],
		transports: two,
		expected: { ...works, tools: 2, dropped: 1 },
	},
	...['arrays', 'keys', 'depth'].map(
		(kind, i): Fault => ({
			name: `has a schema of 15 MB of ${kind}`,
			mode: ['dense-list', kind],
			...(i > 0 && { onlyNightly: true }),
			transports: two,
			expected: { start: 'message-too-large' },
		}),
	),
	{
		name: 'lists five million entries that are none',
		onlyNightly: true,
		mode: ['dense-list', 'entries'],
		transports: two,
		expected: { start: 'message-too-large' },
	},
	{
		name: 'has a schema nested 500,000 times',
		mode: ['deep-schema', '500000'],
		transports: two,
		expected: { start: 'message-too-large' },
	},
	{
		name: 'has a schema nested 100 times',
		onlyNightly: true,
		mode: ['deep-schema', '100'],
		transports: two,
		expected: { ...works, tools: 2, dropped: 1 },
	},
	...[
		{
			what: 'promises results of a pattern that takes years to refute',
			schema: { type: 'object', properties: { word: { type: 'string', pattern: '^(a+)+$' } } },
		},
		{ what: 'refers to a schema elsewhere', schema: { $ref: 'http://127.0.0.1:9/schema.json' } },
		{ what: 'promises results of a schema that multiplies itself', schema: definitionsBomb() },
	].map(
		({ what, schema }, i): Fault => ({
			name: what,
			...(i > 1 && { onlyNightly: true }),
			mode: ['trap', JSON.stringify(schema)],
			transports: two,
			expected: { ...works, fault: { text: `trapped\n{"word":"${'a'.repeat(40)}!"}` } },
		}),
	),
	{
		name: 'has names that trip people',
		onlyNightly: true,
		mode: ['odd-names'],
		transports: two,
		expected: { ...works, tools: 13, dropped: 0 },
	},
	{
		name: 'has what is no tool under a name of 5 MB',
		onlyNightly: true,
		mode: ['long-name-of-no-tool', '5000000'],
		transports: two,
		expected: { ...works, tools: 2, dropped: 1 },
	},
	{
		name: 'loses its list later',
		mode: ['list-fails-later'],
		transports: ['stdio', 'sse', 'streamable-http'],
		limits: { listChangedQuietMs: 50 },
		lookOnMs: 200,
		expected: { ...works, tools: 2, fault: { text: 'announced' } },
	},
];
