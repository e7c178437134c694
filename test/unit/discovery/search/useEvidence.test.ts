import { describe, expect, test } from 'vitest';
import { matchedWords } from '../../../../src/chat/commands/matchedWords.ts';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import type { Ranking } from '../../../../src/discovery/catalog/policy.ts';
import { toolId } from '../../../../src/discovery/catalog/tool.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import { certainty } from '../../../../src/discovery/search/certainty.ts';
import { ToolIndex, type ToolSearchOptions } from '../../../../src/discovery/search/toolIndex.ts';
import { type TurnUse, UseEvidence, wantedWords } from '../../../../src/discovery/search/useEvidence.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { ended, policyFor, search, servers, tool } from '../fixtures.ts';

const tools = [
	tool('shell', 'start_process', 'Start a program in a terminal'),
	tool('shell', 'list_processes', 'List programs'),
	tool('weather', 'get_weather', 'Get the weather of a city'),
	tool('weather', 'forecast', 'Tell what the next days bring'),
	tool('files', 'write_file', 'Write a file'),
	tool('files', 'read_file', 'Read a file'),
	...['rose', 'tulip', 'fern', 'lily', 'oak'].map((plant) =>
		tool('garden', `water_${plant}`, `Water the ${plant}`),
	),
];

/** Turns in which each of these queries found and called a tool: `['run a script', 'shell:start_process']`. */
function led(...searches: readonly (readonly [query: string, tool: string])[]): TurnUse[] {
	return searches.map(([query, its], at) => ({
		chat: `chat ${at}`,
		at,
		searches: [{ words: wantedWords(query).map(({ term }) => term), found: [its], missed: [] }],
		calls: [its],
	}));
}

/** Turns of one chat that called these tools one after the other. */
function called(...calls: readonly string[]): TurnUse[] {
	return [{ chat: 'chat', at: 0, searches: [], calls }];
}

function indexWith(turns: readonly TurnUse[], ranking?: Ranking): ToolIndex {
	return new ToolIndex(tools, { use: () => UseEvidence.of(turns), ...(ranking && { ranking }) });
}

function found(turns: readonly TurnUse[], query: string, options: ToolSearchOptions = {}): string[] {
	return indexWith(turns)
		.search(query, options)
		.map((hit) => toolId(hit.tool));
}

/** What past chats add to a tool's score for "save notes". */
function gain(turns: readonly TurnUse[], its: string): number {
	const use = UseEvidence.of(turns).speaksFor('save notes', () => 1);
	return use.get(its)?.gain ?? 0;
}

/** Those of which the search is sure. */
function sureOf(turns: readonly TurnUse[], query: string): string[] {
	const hits = indexWith(turns).search(query);
	return hits.filter(({ confidence = 1 }) => confidence >= certainty).map((hit) => toolId(hit.tool));
}

describe('given words that led to a tool in past chats', () => {
	const script = led(['run a python script', 'shell:start_process']);

	test('when a query finds other tools as well, then the learned tool ranks first', () => {
		const query = 'run a python script that will list files';
		expect(found([], query)).not.toContain('shell:start_process');
		expect(found(script, query)[0]).toBe('shell:start_process');
	});

	test('when nothing else matches, then the learned tool is a sure match only after two uses', () => {
		expect(sureOf(script, 'run my python script')).toEqual([]);
		const twice = led(
			['run a python script', 'shell:start_process'],
			['python script to run', 'shell:start_process'],
		);
		expect(sureOf(twice, 'run my python script')).toEqual(['shell:start_process']);
		expect(indexWith(twice).search('run my python script')[0]?.confidence).toBe(0.5);
		expect(sureOf(twice, 'bake a python out of marzipan and raspberries')).toEqual([]);
	});

	test('when a single word led to the tool, then it needs several uses and ranks below textual matches', () => {
		const once = led(['weather', 'weather:forecast']);
		expect(found(once, 'weather')).toEqual(found([], 'weather'));
		const often = led(...Array.from({ length: 9 }, () => ['weather', 'files:read_file'] as const));
		expect(found([], 'weather')).toEqual(['weather:get_weather', 'weather:forecast']);
		expect(found(often, 'weather')).toEqual(['weather:get_weather', 'weather:forecast', 'files:read_file']);
		const other = led(...Array.from({ length: 9 }, () => ['weather', 'weather:forecast'] as const));
		expect(found(other, 'weather')).toEqual(['weather:get_weather', 'weather:forecast']);
	});

	test('when the query has the exact name of another tool, then that tool ranks first', () => {
		const query = 'jot down whatever write_file gets as notes';
		const often = led(...Array.from({ length: 9 }, () => [query, 'shell:start_process'] as const));
		expect(found(often, query.replace('write_file', 'it'))[0]).toBe('shell:start_process');
		expect(found(often, query)[0]).toBe('files:write_file');
	});

	test('when the words led to several tools, then each gains less, and the most recent gains most', () => {
		const one = led(['save notes', 'files:write_file']);
		const two = led(['save notes', 'files:write_file'], ['save notes', 'garden:water_oak']);
		expect(gain(two, 'files:write_file')).toBeLessThan(gain(one, 'files:write_file'));
		expect(gain(two, 'garden:water_oak')).toBeGreaterThan(gain(two, 'files:write_file'));
		const much = led(...Array.from({ length: 500 }, () => ['save notes', 'files:write_file'] as const));
		expect(gain(much, 'files:write_file')).toBeLessThan(2 * gain(one, 'files:write_file'));
	});

	test('when the search had missed the tool, then the words count less than after a hit', () => {
		const found = led(['save notes', 'files:write_file']);
		const missed = found.map(({ searches, ...turn }) => ({
			...turn,
			searches: searches.map((search) => ({ ...search, found: [], missed: search.found })),
		}));
		expect(gain(missed, 'files:write_file')).toBeGreaterThan(0);
		expect(gain(missed, 'files:write_file')).toBeLessThan(gain(found, 'files:write_file'));
	});

	test('when the search has a server filter or a required word, then the learned tool must satisfy it', () => {
		const query = 'run a python script';
		expect(found(script, query, { server: 'files' })).not.toContain('shell:start_process');
		expect(found(script, query, { server: 'shell' })).toEqual(['shell:start_process']);
		expect(found(script, `${query} +file`, { unlikely: true })).not.toContain('shell:start_process');
	});

	test('when the tool no longer exists, then the words have no effect', () => {
		const gone = led(['run a script', 'gone:run'], ['run a script', 'gone:run']);
		expect(found(gone, 'run a script')).toEqual(found([], 'run a script'));
	});

	test('then the explanation says that the words come from chats', () => {
		const [own = tool('s', 'x')] = tools;
		const matches = indexWith(script).explain('run scripts in a terminal with python', own);
		expect(matches).toEqual([
			{ word: 'terminal', field: 'summary' },
			{ word: 'run', field: 'use' },
			{ word: 'scripts', field: 'use' },
			{ word: 'python', field: 'use' },
		]);
		expect(matchedWords(matches, String)).toBe(
			'terminal (description); run, scripts, python (from your chats)',
		);
		expect(indexWith(script).explain('python', own)).toEqual([]);
	});

	test('when the ranking is okapi or name-parts, then past use has no effect', () => {
		const query = 'run a python script that will list files';
		for (const ranking of ['okapi', 'name-parts'] as const) {
			expect(indexWith(script, ranking).search(query)).toEqual(indexWith([], ranking).search(query));
		}
	});
});

describe('given tools that were called one after the other', () => {
	const turns = called('weather:get_weather', 'weather:forecast', 'weather:forecast');

	test('when the chat has called the first tool, then only the second scores slightly higher', () => {
		const scores = (after: readonly string[], evidence = turns) =>
			new Map(
				indexWith(evidence)
					.search('weather of a city', { after })
					.map(({ tool: its, score }) => [toolId(its), score]),
			);
		const before = scores([]);
		const after = scores(['weather:get_weather']);
		const ratio = (after.get('weather:forecast') ?? 0) / (before.get('weather:forecast') ?? 1);
		expect(ratio).toBeGreaterThan(1);
		expect(ratio).toBeLessThanOrEqual(1.1);
		expect(after.get('weather:get_weather')).toBe(before.get('weather:get_weather'));
		expect(scores(['weather:get_weather'], [])).toEqual(before);
	});

	test('then the second tool is not found without a textual match', () => {
		const after = ['weather:get_weather'];
		expect(found(turns, 'write a file', { after })).not.toContain('weather:forecast');
	});
});

describe('given a chat whose servers have learned use from past chats', () => {
	const office = servers({ files: ['zz_file', 'yy_file', 'xx_file'], notes: ['new_note'] });
	const surfaceWith = (turns: readonly TurnUse[]) =>
		new ToolSurface(new Catalog(office, 1), policyFor(office), undefined, {
			use: async () => () => UseEvidence.of(turns),
		});

	test('when its model or one of its agents searches, then learned use counts', async () => {
		const query = 'file that under remarks';
		const turns = led(['put under remarks', 'notes:new_note']);
		const whole = surfaceWith(turns);
		for (const surface of [whole, whole.narrowed('an agent', whole.tools)]) {
			const { search: outcome } = await search(new DiscoverySession(surface), { query });
			expect(outcome?.ok && outcome.hits[0]?.tool.id).toBe('notes:new_note');
		}
	});

	test('when it has called a tool, then its usual successor ranks first among equally good matches', async () => {
		const session = new DiscoverySession(surfaceWith(called('notes:new_note', 'files:zz_file')));
		const first = async () => {
			const { search: outcome } = await search(session, { query: 'file' });
			return outcome?.ok ? outcome.hits[0]?.tool.id : undefined;
		};
		expect(await first()).toBe('files:xx_file');
		const note = session.surface.get('notes__new_note') as CatalogTool;
		ended(session, note);
		expect(await first()).toBe('files:zz_file');
	});
});

describe('given no relevant evidence', () => {
	test('then every search gives exactly the same results and scores', () => {
		const plain = new ToolIndex(tools);
		for (const query of [
			'weather',
			'write a file',
			'run +file',
			'get_weather',
			'water the oak and list',
			'',
		]) {
			const options = { unlikely: true, after: ['files:write_file'] };
			expect(indexWith([]).find(query, options)).toEqual(plain.find(query, options));
			const elsewhere = indexWith(led(['hoover crumbs', 'files:write_file']));
			expect(elsewhere.find(query, options)).toEqual(plain.find(query, options));
		}
	});
});

describe('the learned words of a query', () => {
	const words = (query: string) => wantedWords(query).map(({ text }) => text);

	test('are its meaningful words, without duplicates', () => {
		expect(words('Please could you convert these files, and convert them to PDF')).toEqual([
			'convert',
			'files',
			'pdf',
		]);
	});

	test.each([
		['a secret by its name', 'send mail with password: correcthorse', ['send', 'mail', 'password']],
		['a secret in a sentence', 'sign up where the password is correcthorse', ['sign', 'password']],
		['a secret before a host', 'query postgres://ada:correcthorse@host/db tables', ['query', 'tables']],
		['a key by its issuer', 'list issues with ghp_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ', ['list', 'issues']],
		['what looks random', 'open ticket x7f9a2b4c6d8e0f1 now', ['open', 'ticket']],
		['a path', 'read /home/ada/secret/plan.txt aloud', ['read', 'aloud']],
		['an address', 'fetch https://intranet.example/salaries page', ['fetch', 'page']],
		['the name of a computer', 'restart db.intranet.example tonight', ['restart', 'tonight']],
		['an address of mail', 'write to ada@example.org tonight', ['write', 'tonight']],
		['a quotation', 'post "we are going to fire everyone" to channel', ['post', 'channel']],
		['a number', 'pay invoice 4711 of 2026', ['pay', 'invoice']],
		['a name', 'send greetings to Ada Lovelace', ['send', 'greetings']],
		['a made-up word', `find ${'x'.repeat(31)} again`, []],
	])('leave out %s', (_, query, left) => {
		const small = new Set(['find', 'again']);
		expect(words(query)).toEqual(left.filter((word) => !small.has(word)));
	});

	test('include the names of services', () => {
		expect(words('send message with Slack')).toEqual(['send', 'message', 'slack']);
	});
});
