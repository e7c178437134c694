import { describe, expect, test } from 'vitest';
import { office, servers, tool, toolset } from '../fixtures.ts';
import { inspect, inspecting } from './inspecting.ts';

const list = 'list_available_tools';

describe('list_available_tools', () => {
	test('given no parameter, then every tool is an object of server, tool and description', async () => {
		const { json, failed } = await inspect(inspecting(), list);
		expect(failed).toBe(false);
		expect(json).toHaveLength(6);
		expect(json).toContainEqual({
			server: 'slack',
			tool: 'send_message',
			description: 'Send a message to a Slack channel',
		});
	});

	test('given a server, then only its tools; an empty name is none; case does not matter', async () => {
		const names = async (filter_by_server: unknown) => {
			const { json } = await inspect(inspecting(), list, { filter_by_server });
			return (json as { server: string; tool: string }[]).map(({ server, tool }) => `${server}:${tool}`);
		};
		const ofSlack = ['slack:send_message', 'slack:list_channels', 'slack:search'];
		expect(await names('slack')).toEqual(ofSlack);
		expect(await names('Slack')).toEqual(ofSlack);
		expect(await names('')).toHaveLength(6);
	});

	test('given detailed, then each has its input schema as well', async () => {
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

	test('given words, then the tools that say all of them; where none does, an empty list', async () => {
		const found = async (search: string) => (await inspect(inspecting(), list, { search })).json;
		expect(await found('SEARCH calendar')).toMatchObject([{ server: 'calendar', tool: 'search' }]);
		expect(await found('telescope')).toEqual([]);
	});

	test('has a line for each tool, and says the same at each time', async () => {
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
	])('given %j, then the error is JSON, too', async (input, message) => {
		const { json, failed } = await inspect(inspecting(), list, input);
		expect(failed).toBe(true);
		expect(json).toEqual({ error: expect.stringContaining(message) });
	});

	test('given a toolset, then what it excludes is nowhere', async () => {
		const session = inspecting(office, {}, toolset('some', { slack: { exclude: ['search'] } }));
		const { json, text } = await inspect(session, list);
		expect(json).toHaveLength(2);
		expect(text).not.toMatch(/calendar|search/);
		const { text: error } = await inspect(session, list, { filter_by_server: 'calendar' });
		expect(error).toMatch(/Available servers: slack"/);
	});

	test("given hostile text, then the list is JSON with nothing invisible and no manifest's tag in it", async () => {
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

describe('the name under which a listing is kept', () => {
	const named = async (all = office, input = {}) => (await inspect(inspecting(all), list, input)).listing;
	const slack = { filter_by_server: 'slack' };

	test('stays as long as the list of that server does, whatever other servers do', async () => {
		const mail = servers({ mail: ['send'] });
		expect(await named(office, slack)).toMatch(/^slack-[a-z0-9]+$/);
		expect(await named([...office, ...mail], slack)).toBe(await named(office, slack));
		expect(await named([...office, ...mail])).not.toBe(await named());
	});

	test('is another one once a tool of it changes, or something else was asked for', async () => {
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

	test('is legal whatever the server is called', async () => {
		const name = await named(servers({ '../../日本 ☂': ['a'] }), { filter_by_server: '../../日本 ☂' });
		expect(name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
	});
});
