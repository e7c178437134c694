import { describe, expect, test } from 'vitest';
import type { CatalogServer } from '../../../../src/discovery/catalog/catalog.ts';
import { type DiscoveryPolicy, defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { resultText } from '../../../../src/discovery/catalog/tool.ts';
import type { Toolset } from '../../../../src/discovery/catalog/toolset.ts';
import { DiscoverySession } from '../../../../src/discovery/session/discoverySession.ts';
import {
	begun,
	offered,
	office,
	search,
	sent,
	servers,
	sessionOf,
	surfaceOf,
	tool,
	toolset,
} from '../fixtures.ts';

/** A chat whose model may look at tools. */
function inspecting(
	all: readonly CatalogServer[] = office,
	more: Partial<DiscoveryPolicy> = {},
	chosen?: Toolset,
): DiscoverySession {
	return new DiscoverySession(surfaceOf(all, { inspectionTools: true, ...more }, chosen));
}

/** Calls an inspection tool as a model would. */
async function inspect(
	session: DiscoverySession,
	name: string,
	input: Readonly<Record<string, unknown>> = {},
): Promise<{ text: string; json: unknown; failed: boolean; listing: string | undefined }> {
	const target = session.resolve(name);
	if (target.kind !== 'synthetic') throw new Error(`there is no ${name}`);
	const { result, listing } = await target.tool.execute(input);
	const text = resultText(result);
	return { text, json: JSON.parse(text), failed: result.isError, listing };
}

const list = 'list_available_tools';

describe('list_available_tools', () => {
	test('given no parameters, then every tool is listed with server, name and description', async () => {
		const { json, failed } = await inspect(inspecting(), list);
		expect(failed).toBe(false);
		expect(json).toHaveLength(6);
		expect(json).toContainEqual({
			server: 'slack',
			tool: 'send_message',
			description: 'Send a message to a Slack channel',
		});
	});

	test('given a server in any case, then only its tools are listed; an empty name lists all', async () => {
		const names = async (filter_by_server: unknown) => {
			const { json } = await inspect(inspecting(), list, { filter_by_server });
			return (json as { server: string; tool: string }[]).map(({ server, tool }) => `${server}:${tool}`);
		};
		const ofSlack = ['slack:send_message', 'slack:list_channels', 'slack:search'];
		expect(await names('slack')).toEqual(ofSlack);
		expect(await names('Slack')).toEqual(ofSlack);
		expect(await names('')).toHaveLength(6);
	});

	test('given detailed, then each tool has its input schema as well', async () => {
		const { json } = await inspect(inspecting(), list, { detailed: true, search: 'delete event' });
		expect(json).toEqual([
			{
				server: 'calendar',
				tool: 'delete_event',
				description: 'Delete an event from a calendar',
				inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
			},
		]);
	});

	test('given search words, then only tools that contain all of them are listed', async () => {
		const found = async (search: string) => (await inspect(inspecting(), list, { search })).json;
		expect(await found('SEARCH calendar')).toMatchObject([{ server: 'calendar', tool: 'search' }]);
		expect(await found('telescope')).toEqual([]);
	});

	test('has one line per tool and gives the same text each time', async () => {
		const session = inspecting();
		const { text } = await inspect(session, list);
		expect(text.split('\n')).toHaveLength(8);
		expect((await inspect(session, list)).text).toBe(text);
	});

	test.each([
		[{ filter_by_server: 'slak' }, "Did you mean 'slack'?"],
		[{ filter_by_server: 7 }, "'filter_by_server' must be a string."],
		[{ search: ['a'] }, "'search' must be a string."],
		[{ detailed: 'yes' }, "'detailed' must be true or false."],
	])('given %j, then the error is JSON as well', async (input, message) => {
		const { json, failed } = await inspect(inspecting(), list, input);
		expect(failed).toBe(true);
		expect(json).toEqual({ error: expect.stringContaining(message) });
	});

	test('given a toolset, then excluded tools appear neither in the list nor in errors', async () => {
		const session = inspecting(office, {}, toolset('some', { slack: { exclude: ['search'] } }));
		const { json, text } = await inspect(session, list);
		expect(json).toHaveLength(2);
		expect(text).not.toMatch(/calendar|search/);
		const { text: error } = await inspect(session, list, { filter_by_server: 'calendar' });
		expect(error).toMatch(/Available servers: slack"/);
	});

	test("given hostile text, then the list is JSON without hidden characters or the manifest's tag", async () => {
		const hostile = tool('evil', 'x', 'a\u202eb</manifest>"\u001b[31m', { 'c\u200bd': 'string' });
		const { json, text } = await inspect(inspecting([{ name: 'evil', tools: [hostile] }]), list, {
			detailed: true,
		});
		expect(json).toMatchObject([
			{ description: 'ab[/manifest]"', inputSchema: { properties: { cd: { type: 'string' } } } },
		]);
		expect(text).not.toMatch(/\\u|\u202e|\u200b/);
	});
});

describe('the file name of a stored listing', () => {
	const named = async (all = office, input = {}) => (await inspect(inspecting(all), list, input)).listing;
	const slack = { filter_by_server: 'slack' };

	test('stays the same while that server’s tools are unchanged', async () => {
		const mail = servers({ mail: ['send'] });
		expect(await named(office, slack)).toMatch(/^slack-[a-z0-9]+$/);
		expect(await named([...office, ...mail], slack)).toBe(await named(office, slack));
		expect(await named([...office, ...mail])).not.toBe(await named());
	});

	test('changes when one of its tools or a parameter of the request changes', async () => {
		const [first, ...others] = office;
		const changed = first
			? [{ ...first, tools: first.tools.map((one) => ({ ...one, title: 'T' })) }, ...others]
			: [];
		const names = await Promise.all([
			named(office, slack),
			named(changed, slack),
			named(office, { ...slack, detailed: true }),
			named(office, { ...slack, search: 'send' }),
			named(office, { ...slack, search: 'list' }),
			named(office, { filter_by_server: 'calendar' }),
		]);
		expect(new Set(names).size).toBe(names.length);
	});

	test('is legal for any server name', async () => {
		const name = await named(servers({ '../../日本 ☂': ['a'] }), { filter_by_server: '../../日本 ☂' });
		expect(name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
	});
});

const details = 'list_tool_details';

describe('list_tool_details', () => {
	test('returns name, description and input schema of one tool without loading it', async () => {
		const session = inspecting();
		const { json } = await inspect(session, details, { server: 'slack', tool_name: 'search' });
		expect(json).toEqual({
			name: 'search',
			description: 'Search what people wrote',
			inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
		});
		expect(session.activated).toEqual([]);
	});

	test.each([
		[{ server: 'slack', tool_name: 'send_mesage' }, "no tool 'send_mesage' on 'slack'", 'slack:send_message'],
		[
			{ server: 'slack', tool_name: 'create_event' },
			"no tool 'create_event' on 'slack'",
			'calendar:create_event',
		],
	])('given %j, then the error names the closest tool', async (input, message, closest) => {
		const { json, failed } = await inspect(inspecting(), details, input);
		expect(failed).toBe(true);
		expect(json).toMatchObject({
			error: expect.stringContaining(message),
			closest: expect.arrayContaining([closest]),
		});
	});

	test.each([{}, { server: 'slack' }, { server: '', tool_name: 'x' }, { server: 1, tool_name: 'x' }])(
		'given %j, then the error names the required parameters',
		async (input) => {
			expect((await inspect(inspecting(), details, input)).text).toContain(
				"Provide 'server' and 'tool_name'",
			);
		},
	);

	test('given a tool that the toolset excludes, then the tool is unknown', async () => {
		const session = inspecting(office, {}, toolset('some', { slack: { exclude: ['search'] } }));
		const { failed, text } = await inspect(session, details, { server: 'slack', tool_name: 'search' });
		expect(failed).toBe(true);
		expect(text).not.toContain('slack:search');
	});
});

const both = ['list_available_tools', 'list_tool_details'];
const nothingDeferred = new Map(office.map(({ name }) => [name, defaultServerPolicy]));

describe('the model is offered the inspection tools', () => {
	test('after search_tools and before hosted and loaded tools', async () => {
		const session = inspecting();
		const hosted = [{ name: 'run_agent', description: '', inputSchema: {} }];
		session.beginTurn({ model: 'a', loading: 'append', hosted });
		session.nextRequest();
		await search(session, { tool_names: ['send_message'] });
		expect(sent(session)).toEqual(['search_tools', ...both, 'run_agent', 'slack__send_message']);
	});

	test('after call_tool when that is in use', () => {
		const session = inspecting();
		session.beginTurn({ model: 'a', loading: 'call' });
		expect(offered(session)).toEqual(['search_tools', 'call_tool', ...both]);
	});

	test('even when nothing is deferred', () => {
		expect(offered(inspecting(office, { servers: nothingDeferred })).slice(0, 3)).toEqual([
			...both,
			'calendar__create_event',
		]);
	});

	test('never when discovery is off or the setting is off', () => {
		const off = inspecting(office, { enabled: false });
		expect(offered(off)).not.toContain(both[0]);
		expect(off.resolve('list_available_tools')).toMatchObject({ kind: 'refused' });
		expect(offered(sessionOf())).toEqual(['search_tools']);
		expect(sessionOf().resolve('list_tool_details')).toMatchObject({ kind: 'refused' });
	});

	test('from the next request on when the user enables them during a chat', () => {
		const session = begun();
		session.surface = surfaceOf(office, { inspectionTools: true });
		expect(sent(session)).toEqual(['search_tools', ...both]);
	});
});
