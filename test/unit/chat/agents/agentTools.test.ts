import { describe, expect, test } from 'vitest';
import { agentSurface, agentTools } from '../../../../src/chat/agents/agentTools.ts';
import { ids, office, servers, surfaceOf, toolset } from '../../discovery/fixtures.ts';
import { agent } from './agents.ts';

const surface = surfaceOf([...office, ...servers({ 'my.files': ['read_text', 'slack'] })]);

describe('an agent’s tool list resolves', () => {
	test.each([
		[undefined, 8, []],
		[[], 0, []],
		[['*'], 8, []],
		[['slack__send_message'], ['slack:send_message'], []],
		[['slack:send_message', 'slack/search'], ['slack:send_message', 'slack:search'], []],
		[['send_message'], ['slack:send_message'], []],
		[['calendar/*'], ['calendar:create_event', 'calendar:delete_event', 'calendar:search'], []],
		[['calendar'], ['calendar:create_event', 'calendar:delete_event', 'calendar:search'], []],
		[['mcp__slack__search'], ['slack:search'], []],
		[['mcp__my_files__read_text'], ['my.files:read_text'], []],
		[['mcp__my_files'], ['my.files:read_text', 'my.files:slack'], []],
		[['mcp__my_files__*'], ['my.files:read_text', 'my.files:slack'], []],
		[
			['@slack/search', 'mcp__plugin_chat-tools_slack__list_channels'],
			['slack:list_channels', 'slack:search'],
			[],
		],
		[['@my.files', 'mcp__claude_ai_calendar__*'], 5, []],
		// One server's tool has the name of another server.
		[['slack'], [], ['slack']],
		[['search'], [], ['search']],
		[['edit', 'Read', 'send_message'], ['slack:send_message'], ['edit', 'Read']],
		[['Send_Message', 'nosuch/*', ''], [], ['Send_Message', 'nosuch/*', '']],
		[['search_tools', 'Task(reviewer)', 'agent'], [], []],
	])('%j', (tools, expected, unknown) => {
		const taken = agentTools(agent('a', { tools }), surface);
		if (typeof expected === 'number') expect(taken.permitted.length).toBe(expected);
		else expect(ids(taken.permitted)).toEqual(expected);
		expect(taken.unknown).toEqual(unknown);
	});

	test('when a tool is disallowed, then it is excluded even if it is also allowed', () => {
		const all = agentTools(agent('a', { disallowedTools: ['calendar', 'my.files/*', 'search'] }), surface);
		expect(ids(all.permitted)).toEqual(['slack:send_message', 'slack:list_channels']);
		const some = agent('a', { tools: ['slack/*'], disallowedTools: ['slack/search'] });
		expect(ids(agentTools(some, surface).permitted)).toEqual(['slack:send_message', 'slack:list_channels']);
	});
});

describe('given a name that matches several tools', () => {
	const twins = surfaceOf(servers({ files: ['write'], notes: ['write', 'read'], write: ['wipe', 'undo'] }));
	const left = (...disallowedTools: string[]) =>
		ids(agentTools(agent('a', { disallowedTools }), twins).permitted);

	test('when it is disallowed, then all of them are excluded', () => {
		expect(left('write')).toEqual(['notes:read']);
		expect(left('write(secret.txt)')).toEqual(['notes:read']);
		expect(left('notes:w*', 'mcp__files__*')).toEqual(['notes:read', 'write:wipe', 'write:undo']);
		expect(left('*')).toEqual([]);
		expect(left('[', 'nothing(')).toHaveLength(5);
	});

	test('when it is allowed, then none is permitted, and no tool of a server with that name', () => {
		expect(agentTools(agent('a', { tools: ['write'] }), twins)).toEqual({
			permitted: [],
			unknown: ['write'],
		});
	});
});

describe('the surface of an agent', () => {
	test('is its caller’s surface when nothing is filtered, so no new index is built', () => {
		expect(agentSurface(agent('a'), surface)).toBe(surface);
		expect(agentSurface(agent('a', { tools: ['*'] }), surface)).toBe(surface);
	});

	test('is built once for each surface of its caller', () => {
		const one = agent('a', { tools: ['slack/*'] });
		const seen = agentSurface(one, surface);
		expect(agentSurface(one, surface)).toBe(seen);
		expect(agentSurface(one, surfaceOf())).not.toBe(seen);
	});

	test('keeps its caller’s tool names, and its search finds no other tools', async () => {
		const seen = agentSurface(agent('a', { tools: ['calendar/*'] }), surface);
		expect(seen.deferred.map(({ wireName }) => wireName)).toEqual(
			surface.deferred.filter(({ server }) => server === 'calendar').map(({ wireName }) => wireName),
		);
		const hits = (await seen.index()).search('send a message to a channel');
		expect(hits.filter(({ tool }) => tool.server !== 'calendar')).toEqual([]);
		expect(seen.manifest(1000)).not.toContain('slack');
	});

	test('stays within the toolset of the chat', () => {
		const reading = surfaceOf(office, {}, toolset('reading', { slack: ['search'], calendar: ['search'] }));
		expect(ids(agentSurface(agent('a', { tools: ['slack/*'] }), reading).tools)).toEqual(['slack:search']);
	});
});
