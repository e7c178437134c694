import { describe, expect, test } from 'vitest';
import {
	type DiscoveryPolicy,
	defaultServerPolicy,
	type Loading,
} from '../../../../src/discovery/catalog/policy.ts';
import { prefetch } from '../../../../src/discovery/session/prefetch.ts';
import { ids, office, policyFor, servers, surfaceOf, tool } from '../fixtures.ts';

const clear = 'Send a message to the Slack channel #general, please';
const first = { isFirst: true, loading: 'append' } as const;

/** Names of the tools that the first message of a chat in the office loads. */
async function loadedBy(message: string, more: Partial<DiscoveryPolicy> = {}): Promise<string[]> {
	return ids((await prefetch(surfaceOf(office, more), message, first)).tools);
}

describe('prefetching by the words of the first message', () => {
	test('loads the tool that they clearly ask for', async () => {
		expect(await prefetch(surfaceOf(), clear, first)).toMatchObject({
			reason: 'prefetch',
			tools: [{ id: 'slack:send_message' }],
			words: clear,
		});
	});

	test('loads the best matches up to the configured number', async () => {
		const both = 'create an event in the calendar, search the events of the calendar';
		const [one, two] = [await loadedBy(both, { prefetch: 1 }), await loadedBy(both, { prefetch: 2 })];
		expect(one).toEqual(two.slice(0, 1));
		expect(two.toSorted()).toEqual(['calendar:create_event', 'calendar:search']);
	});

	test('loads a tool that may destroy something only if it is sure', async () => {
		expect(await loadedBy('delete an event from the calendar')).toEqual(['calendar:delete_event']);
		const twice = servers({ work: ['delete_event'], home: ['delete_event'] });
		expect(ids((await prefetch(surfaceOf(twice), 'delete an event', first)).tools)).toEqual([]);
	});

	test('loads nothing when a tool that is always loaded is the one they ask for', async () => {
		const calendar = { ...defaultServerPolicy, deferLoading: true, pinned: ['search'] };
		const some = new Map([...policyFor(office).servers, ['calendar', calendar]]);
		expect(await loadedBy('search the calendar', { servers: some })).toEqual([]);
	});

	test.each(['Hello, who are you?', 'Write a poem about the sea', '', '+ +', 'find it'])(
		'loads nothing when they ask for no tool: %j',
		async (message) => {
			expect(await loadedBy(message)).toEqual([]);
		},
	);

	test('does not treat a plus sign as the mark of a required word', async () => {
		expect(await loadedBy(`+1 ${clear}`)).toEqual(['slack:send_message']);
	});

	test('records the words with the loaded tool, truncated to one line', async () => {
		const { words } = await prefetch(surfaceOf(), `${clear}\n${'so on '.repeat(50)}`, first);
		expect(words).toMatch(/^Send a message [^\n]*\.\.\.$/);
		expect(words?.length).toBeLessThanOrEqual(100);
	});

	test('loads nothing when the ranking has no confidence', async () => {
		expect(await loadedBy(clear, { ranking: 'okapi' })).toEqual([]);
	});

	test.each(['append', 'native', 'call'] as const)('loads nothing in later turns: %s', async (loading) => {
		expect((await prefetch(surfaceOf(), clear, { isFirst: false, loading })).tools).toEqual([]);
	});
});

test.each<[string, Partial<DiscoveryPolicy>]>([
	['discovery is off', { enabled: false }],
	['it is set to 0', { prefetch: 0 }],
	['nothing is deferred', { servers: new Map() }],
])('nothing is preloaded when %s', async (_, more) => {
	expect(await loadedBy(clear, more)).toEqual([]);
	expect(await loadedBy('use slack:send_message', more)).toEqual([]);
});

describe('a tool that the message names', () => {
	test.each([
		['use slack:search for it', 'slack:search'],
		['`slack:search`?', 'slack:search'],
		['Call slack__search.', 'slack:search'],
		['#slack__search (quickly)', 'slack:search'],
	])('is loaded, and no other tool is preloaded: %s', async (message, id) => {
		const found = await prefetch(surfaceOf(), `${message} ${clear}`, first);
		expect(found).toMatchObject({ reason: 'reference', tools: [{ id }] });
		expect(found.words).toBeUndefined();
	});

	test.each(['slack:searching', 'myslack:search', 'search', 'Slack:Search', 'https://slack:search/x'])(
		'must be named exactly and in full: %s',
		async (name) => {
			const { reason } = await prefetch(surfaceOf(), `about ${name}`, first);
			expect(reason).toBe('prefetch');
		},
	);

	test('is loaded in message order with others, without duplicates, up to the search limit', async () => {
		const message = 'slack:search, calendar:search, slack__search, slack:send_message';
		expect(await loadedBy(message)).toEqual(['slack:search', 'calendar:search', 'slack:send_message']);
		expect(await loadedBy(message, { maxSearchResults: 2 })).toEqual(['slack:search', 'calendar:search']);
	});

	test('is not loaded when the name is ambiguous', async () => {
		const twins = servers({ 'a:b': ['c'], a: ['b:c', 'd'] });
		const { tools } = await prefetch(surfaceOf(twins), 'a:b:c a:d', first);
		expect(ids(tools)).toEqual(['a:d']);
	});

	test('is not loaded when it is always loaded, and no other tool is preloaded', async () => {
		const mixed = surfaceOf(office, {
			servers: new Map([
				['slack', { deferLoading: false, pinned: true, tools: new Map() }],
				['calendar', { deferLoading: true, pinned: false, tools: new Map() }],
			]),
		});
		const message = 'slack:search for: create an event in a calendar';
		expect((await prefetch(mixed, message, first)).tools).toEqual([]);
	});

	test.each<[Loading, string[]]>([
		['append', ['slack:search']],
		['native', []],
		['call', []],
	])(
		'is loaded later in a chat only if a search would break the cache as well: %s',
		async (loading, expected) => {
			const { tools } = await prefetch(surfaceOf(), 'slack:search', { isFirst: false, loading });
			expect(ids(tools)).toEqual(expected);
		},
	);

	test('is not loaded when the name is far from both ends of a long message', async () => {
		const log = 'log line\n'.repeat(500);
		expect(await loadedBy(`${log} slack:search`)).toEqual(['slack:search']);
		expect(await loadedBy(`${log} slack:search\n${log}`)).toEqual([]);
	});

	test('is loaded when it is named like a built-in property', async () => {
		const odd = servers({ constructor: [tool('constructor', '__proto__')] });
		const { tools } = await prefetch(surfaceOf(odd), 'constructor:__proto__', first);
		expect(ids(tools)).toEqual(['constructor:__proto__']);
	});
});
