import { describe, expect, test } from 'vitest';
import { clearest } from '../../../../src/chat/commands/find.ts';
import type { SlashCommandContext } from '../../../../src/chat/commands/namedTools.ts';
import { slashCommandHandlers } from '../../../../src/chat/commands/slashCommands.ts';
import { Catalog, type CatalogServer, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { type DiscoveryPolicy, defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { ToolSurface } from '../../../../src/discovery/catalog/toolSurface.ts';
import type { Toolset } from '../../../../src/discovery/catalog/toolset.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import { activeMarkup, hostileTexts } from '../../common/hostileText.ts';
import {
	ids,
	office,
	policyFor,
	search,
	servers,
	sessionOf,
	surfaceOf,
	tool,
	toolset,
} from '../../discovery/fixtures.ts';

/** A chat in which slash commands are typed. */
class Chat {
	readonly session: DiscoverySession;
	readonly toolsets: ReadonlyMap<string, Toolset>;
	searching: Pick<SlashCommandContext, 'miss' | 'onUnsearched'> = {};
	/** The tools that the last search would load. */
	found: readonly CatalogTool[] = [];
	readonly #surface: (chosen: Toolset | undefined) => ToolSurface;

	constructor(
		all: readonly CatalogServer[] = office,
		more: Partial<DiscoveryPolicy> = {},
		toolsets: readonly Toolset[] = [],
	) {
		const catalog = new Catalog(all, 1);
		this.#surface = (chosen) => new ToolSurface(catalog, policyFor(all, more), chosen);
		this.session = new DiscoverySession(this.#surface(undefined));
		this.toolsets = new Map(toolsets.map((one) => [one.name, one]));
	}

	/** `type('/find a file')`: the answer, in Markdown. */
	async type(line: string): Promise<string> {
		const [, name = '', args = ''] = /^\/(\w+) ?(.*)$/s.exec(line) ?? [];
		const handler = slashCommandHandlers[name];
		if (!handler) throw new Error(`no command ${name}`);
		return handler(args, {
			session: this.session,
			toolsets: this.toolsets,
			chooseToolset: (chosen) => {
				this.session.surface = this.#surface(chosen === undefined ? undefined : this.toolsets.get(chosen));
			},
			agents: async () => ({ agents: [], faults: [] }),
			onFound: (tools) => {
				this.found = tools;
			},
			...this.searching,
		});
	}
}

const pinnedCalendar = new Map([
	['slack', { ...defaultServerPolicy, deferLoading: true }],
	['calendar', { ...defaultServerPolicy, pinned: true }],
]);

const off = new Chat(office, { enabled: false });

test.each<[string, string, Chat?]>([
	['has no words', '/find'],
	['has only spaces', '/find   '],
	['has only punctuation', '/find ---'],
	['finds nothing', '/find xylophone'],
	['finds nothing but a similar name', '/find zyzxxqq', new Chat(servers({ s: ['zzyzxqq', 'other'] }))],
	['names an unknown server', '/tools calender'],
	['lists no tool', '/tools', new Chat([])],
	['names a server while there is none', '/tools x', new Chat([])],
	['names no tool', '/describe'],
	['names an unknown tool', '/describe create_evnt'],
	['has an ambiguous name', '/describe search'],
	['names no tool to load', '/load'],
	['loads known and unknown tools', '/load fly send_message'],
	['unloads nothing', '/unload'],
	['unloads all of nothing', '/unload all'],
	['counts without a limit', '/context', new Chat(office, { maxActiveSchemas: null })],
	['counts while discovery is off', '/context', off],
	['lists toolsets while there are none', '/toolset'],
])('a command that %s, %j, says so', async (_, line, chat = new Chat()) => {
	expect(await chat.type(line)).toMatchSnapshot();
});

describe('/find', () => {
	test('waits for starting servers when nothing is found, and reports which servers were not searched', async () => {
		const chat = new Chat();
		const told: unknown[] = [];
		let waits = 0;
		const unsearched = { servers: [{ name: 'github', why: 'signed-out' as const }] };
		chat.searching = {
			miss: { settle: async () => void waits++, unsearched: () => unsearched },
			onUnsearched: (one) => told.push(one),
		};
		await chat.type('/find send a message');
		expect([waits, told]).toEqual([0, []]);
		await chat.type('/find weather forecast');
		expect([waits, told]).toEqual([1, [unsearched]]);
	});

	test('lists at most five tools, a line each with the description, and loads nothing itself', async () => {
		const chat = new Chat(
			servers({
				notes: Array.from({ length: 9 }, (_, i) => tool('notes', `note_${i}`, `Write a note ${i}`)),
			}),
			{ maxSearchResults: 9 },
		);
		const [heading, , ...lines] = (await chat.type('/find write a note')).split('\n');
		expect(heading).toBe('Closest tools:');
		expect(lines).toHaveLength(5);
		for (const line of lines) expect(line).toMatch(/^- `notes:note_\d`.* — Write a note \d$/);
		expect(chat.found).toHaveLength(1);
		expect(chat.session.activated).toEqual([]);
		expect(chat.session.log.statistics.search_calls).toBe(0);
	});

	test('lists the next best tools, too, but offers to load only those that match', async () => {
		const chat = new Chat(office, { maxSearchResults: 1, ranking: 'okapi' });
		const answer = await chat.type('/find create event');
		expect(answer).toMatch(/^- `calendar:create_event` — .*\n- `calendar:\w+` \(weaker match\)/);
		expect(ids(chat.found)).toEqual(['calendar:create_event']);
	});

	test.each([
		['those that match, also behind a weaker one', [0.2, 0.9, 0.3, undefined], [0.9, undefined]],
		['only the closest if none matches', [0.3, 0.4], [0.3]],
	])('offers to load %s', (_, found, loaded) => {
		const hits = found.map((confidence) => (confidence === undefined ? {} : { confidence }));
		expect(clearest(hits).map(({ confidence }) => confidence)).toEqual(loaded);
	});

	test('does not offer to load what is loaded', async () => {
		const chat = new Chat();
		await chat.type('/load create_event');
		expect(await chat.type('/find select:create_event')).toContain('`calendar:create_event` (loaded)');
		expect(chat.found).toEqual([]);
	});

	test('answers in JSON with --json', async () => {
		const json = async (line: string) =>
			JSON.parse((await new Chat().type(line)).replace(/^```json\n|\n```$/g, ''));
		expect(await json('/find --json create an event')).toMatchObject({
			query: 'create an event',
			query_kind: 'keyword',
		});
		expect(await json('/find select:send_message --json')).toMatchObject({
			query_kind: 'select',
			missing: [],
		});
		expect(await json('/find --json')).toMatchObject({ matches: [], error: expect.any(String) });
	});

	test('reports unknown and ambiguous names, and finds the others', async () => {
		const answer = await new Chat().type('/find select:send_message,send_mesage,search');
		expect(answer).toContain('- `slack:send_message`');
		expect(answer).toContain('There is no tool `send_mesage`. Closest names: `slack:send_message`');
		expect(answer).toContain('More than one tool is called `search`: `slack:search`, `calendar:search`.');
	});
});

describe('/tools', () => {
	test('does not mention what is loaded while discovery is off', async () => {
		const chat = new Chat(office, { enabled: false });
		expect(await chat.type('/tools')).toBe(
			'- **slack** (3 tools)\n- **calendar** (3 tools)\n\n' +
				'6 tools in all. `/tools SERVER` lists the tools of a server.',
		);
		expect(await chat.type('/tools slack')).toContain('- `slack:search` — Search what people wrote');
		expect(await chat.type('/describe slack:search')).toMatch(
			/\n\n≈\d+ tokens \(estimated\) · models call it/,
		);
		expect(await chat.type('/find select:slack:search')).toContain('- `slack:search` — Search');
		for (const said of ['/tools', '/tools slack', '/describe slack:search', '/find select:slack:search']) {
			expect(await chat.type(said)).not.toMatch(/\bloaded\b/);
		}
	});

	test('lists the servers, a line each with the number of their tools and of those that are loaded', async () => {
		const chat = new Chat();
		await search(chat.session, { tool_names: ['send_message'] });
		expect(await chat.type('/tools')).toMatchSnapshot();
	});

	test('lists the tools of one server, each with its state', async () => {
		const answer = await new Chat(office, { servers: pinnedCalendar }).type('/tools Calendar');
		expect(answer).toContain('- `calendar:create_event` (pinned) — Create an event in a calendar');
		expect(answer).not.toContain('slack');
	});

	test('names only the first of five thousand tools and counts the rest', async () => {
		const many = Array.from({ length: 5000 }, (_, i) => `tool_${i}`);
		expect(await new Chat(servers({ big: many })).type('/tools big')).toContain('- … and 4,500 more');
	});
});

describe('/describe', () => {
	test('shows state, cost, wire name, description, parameters and schema of a tool', async () => {
		const answer = await new Chat().type('/describe calendar:create_event');
		expect(answer).toMatch(
			/^### calendar\\:create\\_event\n\ndeferred · ≈\d+ tokens \(estimated\) · models call it `calendar__create_event`/,
		);
		expect(answer).toContain('Parameters: title \\(string, required\\), start \\(string, required\\)');
		expect(answer).toContain('"type": "object"');
	});

	test('truncates a schema of a megabyte', async () => {
		const huge = { ...tool('s', 'x'), inputSchema: { type: 'object', description: 'y'.repeat(1_000_000) } };
		expect((await new Chat(servers({ s: [huge] })).type('/describe x')).length).toBeLessThan(50_000);
	});
});

describe('/load and /unload', () => {
	test('accept several tools at once, by any of their names', async () => {
		const chat = new Chat();
		expect(await chat.type('/load send_message, calendar:create_event calendar__search')).toMatchSnapshot();
		expect(chat.session.activations.map(({ reason }) => reason)).toEqual(['user', 'user', 'user']);
		expect(await chat.type('/load send_message')).toMatchSnapshot();
		expect(await chat.type('/unload send_message')).toMatchSnapshot();
		expect(await chat.type('/unload send_message')).toMatchSnapshot();
		expect(await chat.type('/unload all')).toMatchSnapshot();
	});

	test('show an example with a loaded tool', async () => {
		const chat = new Chat();
		await chat.type('/load send_message');
		expect(await chat.type('/unload')).toMatchSnapshot();
	});

	test('leave pinned tools loaded', async () => {
		const chat = new Chat(office, { servers: pinnedCalendar });
		expect(await chat.type('/load create_event')).toMatchSnapshot();
		expect(await chat.type('/unload create_event')).toMatch(/^Always loaded, .*`calendar:create_event`/);
		expect(ids(chat.session.loadedTools)).toContain('calendar:create_event');
	});

	test('evict tools of the last turn at the cap, and say when there is no room', async () => {
		const chat = new Chat(office, { maxActiveSchemas: 1 });
		chat.session.beginTurn({ model: 'm', loading: 'append' });
		await search(chat.session, { tool_names: ['send_message'] });
		expect(await chat.type('/load create_event')).toMatchSnapshot();
		expect(await chat.type('/load send_message list_channels')).toContain(
			'There is no room for `slack:list_channels`',
		);
	});
});

describe('/toolset', () => {
	const talk = { ...toolset('talk', { slack: true, teams: true }), description: 'For *chatting*' };
	const chat = () => new Chat(office, {}, [talk, toolset('plan', { calendar: true })]);

	test('lists, selects, marks and clears a toolset', async () => {
		const one = chat();
		expect(await one.type('/toolset')).toContain('- `talk`: For \\*chatting\\*\n- `plan`');
		expect(await one.type('/toolset talk')).toMatchSnapshot();
		expect(await one.type('/toolset')).toContain('- `talk` (chosen)');
		expect(await one.type('/tools')).not.toContain('calendar');
		expect(await one.type('/toolset none')).toMatchSnapshot();
	});

	test('suggests the closest name for an unknown toolset, and selects nothing', async () => {
		const one = chat();
		expect(await one.type('/toolset tolk')).toMatch(
			/^There is no toolset `tolk`\. Did you mean `talk`\?\n\n- `talk`/,
		);
		expect(one.session.surface.toolset).toBeUndefined();
	});

	test('says when the chat’s toolset is missing, and which tools the chat keeps meanwhile', async () => {
		const one = new Chat(office, {}, [toolset('plan', { calendar: true })]);
		one.session.surface = surfaceOf(office, {}, { ...talk, missing: true });
		expect(await one.type('/toolset')).toMatch(
			/^The toolset `talk` is missing from the configuration\. This chat keeps the toolset’s last tools .* `\/toolset none`\.\n\n- `plan`\n\n/,
		);
		expect(await one.type('/context')).toContain('The toolset `talk` is missing from the configuration');
		one.session.surface = surfaceOf(office, {}, { name: 'talk', servers: new Map(), missing: true });
		expect(await one.type('/tools')).toMatch(/^The toolset `talk` .* This chat has no tools until/);
	});
});

test('/reset unloads every tool, clears the toolset and resets the counts', async () => {
	const chat = new Chat(office, {}, [toolset('talk', { slack: true })]);
	await chat.type('/toolset talk');
	await search(chat.session, { tool_names: ['send_message'] });
	expect(await chat.type('/reset')).toMatchSnapshot();
	expect(chat.session.activated).toEqual([]);
	expect(chat.session.surface.toolset).toBeUndefined();
	expect(chat.session.log.statistics).toEqual({ search_calls: 0, tools_discovered: 0 });
	expect(sessionOf().activations).toEqual([]);
});

test.each(hostileTexts.filter((text) => text.trim() !== ''))(
	'given a server whose names are all %j, then no answer has active markup from it',
	async (text) => {
		const evil = (name: string) => ({
			...tool('evil', name, `${text} words`, { [text]: 'string' }),
			title: text,
		});
		const all = [
			{ name: text, description: text, tools: [{ ...evil(text), server: text }] },
			{ name: 'evil', tools: [evil('a'), evil(text)] },
		];
		const sets = [
			{ ...toolset('x', { [text]: true, [`${text}2`]: true }), description: text },
			toolset(text, { evil: [text, `${text}2`] }),
		];
		for (const line of [
			'/find words',
			'/find --json words',
			`/find ${text}`,
			`/find select:${text},a`,
			'/tools',
			'/tools evil',
			`/tools ${text}`,
			`/tools ${text}?`,
			'/describe a',
			`/describe ${text}`,
			`/load evil:${text}`,
			`/load ${text}`,
			`/unload ${text}`,
			'/unload',
			'/context',
			'/toolset',
			'/toolset x',
			`/toolset ${text}`,
			`/toolset ${text}?`,
			'/reset',
		]) {
			const chat = new Chat(all, {}, sets);
			chat.session.load(chat.session.surface.deferred.slice(0, 1));
			// Headings, quotes, bold names and the one table are our own.
			const answer = (await chat.type(line))
				.replace(/^### |^> |^\|.*\|$/gm, '')
				.replaceAll(/\*\*((?:\\.|[^*\n\\])*)\*\*/g, '$1');
			expect(activeMarkup(answer), line).toEqual([]);
		}
	},
);
