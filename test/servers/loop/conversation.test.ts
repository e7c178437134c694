import { expect, test } from 'vitest';
import type { ToolRunner } from '../../../src/chat/loopOptions.ts';
import { isResourceReader } from '../../../src/chat/resources.ts';
import { resourceResult } from '../../../src/mcp/callResult.ts';
import { searchMiss } from '../../../src/mcp/listing/unsearched.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { asks, lastResults, lastTexts, ScriptedModel, says, turn } from '../../unit/chat/conversation.ts';
import { node, publishedServer } from '../launches.ts';
import { startedPool } from '../poolFixture.ts';
import { chatOver, realServers, surfaceOf } from './realServers.ts';

const servers = realServers();

test('stopping during a call ends the turn at once; the server stays ready for the next turn', async () => {
	const { session, pool, runTool } = servers.chat({ enabled: false });
	const stop = new AbortController();
	const long = {
		id: '1',
		name: 'everything__trigger-long-running-operation',
		input: { duration: 60, steps: 2 },
	};
	const { end } = await turn(new ScriptedModel([asks(long), says('unreachable')]), {
		session,
		runTool,
		signal: stop.signal,
		onEvent: ({ type }) => type === 'toolStarted' && stop.abort(),
	});
	expect(end).toMatchObject({ reason: 'cancelled' });

	const next = new ScriptedModel([
		asks({ id: '2', name: 'everything__echo', input: { message: 'again' } }),
		says('Yes.'),
	]);
	await turn(next, { session, runTool });
	expect(lastTexts(next)).toEqual(['Echo: again']);
	expect(pool.servers().find(({ name }) => name === 'everything')?.state.kind).toBe('ready');
});

test('when a server is removed between the search and the call, then the call fails with an error that names it', async () => {
	const pool = await startedPool({ everything: node(publishedServer('everything')) });
	const { session, runTool } = chatOver(pool);
	const model = new ScriptedModel([
		asks({ id: '1', name: 'search_tools', input: { tool_names: ['everything:echo'] } }),
		asks({ id: '2', name: 'everything__echo', input: { message: 'hello?' } }),
		says('It is gone.'),
	]);
	await turn(model, {
		session,
		runTool,
		onEvent: ({ type }) => {
			if (type !== 'activated') return;
			pool.setLaunches(new Map());
			session.surface = surfaceOf(pool);
		},
	});
	expect(lastResults(model)[0]?.result.isError).toBe(true);
	expect(lastTexts(model)[0]).toContain('everything__echo');
});

test('when a server is still starting, then the search waits for it and finds its tools', async () => {
	const everything = node(publishedServer('everything'));
	const pool = await startedPool({ everything });
	const { session } = chatOver(pool);
	pool.onDidChange(() => {
		session.surface = surfaceOf(pool);
	});
	const files = node(publishedServer('filesystem'), temporaryFolder());
	const query = { id: '1', name: 'search_tools', input: { query: 'make a new folder' } };
	const model = new ScriptedModel([
		(request, signal) => {
			pool.setLaunches(new Map(Object.entries({ everything, files })));
			return asks(query)(request, signal);
		},
		says('Found.'),
	]);
	const miss = searchMiss({ pool, toolset: () => undefined, faulty: () => [], patienceMs: 60_000 });
	await turn(model, { session, miss });
	expect(lastTexts(model)[0]).toContain('files__create_directory');
	expect(session.log.statistics.search_calls).toBe(1);
});

test('links in results and URIs that a template covers can be read, and other addresses cannot', async () => {
	const { session, pool } = servers.chat();
	const runTool: ToolRunner = async (tool, { input }, { signal }) =>
		isResourceReader(tool)
			? resourceResult(
					await pool.withClient(tool.server, (offered, its) => offered.readResource(String(input.uri), its), {
						signal,
					}),
				)
			: pool.callTool(tool.server, tool.name, input, { signal });
	const read = (id: string, uri: string) => ({
		id,
		name: 'read_resource',
		input: { server: 'everything', uri },
	});
	const model = new ScriptedModel([
		asks({ id: '1', name: 'search_tools', input: { tool_names: ['everything:get-resource-links'] } }),
		asks({ id: '2', name: 'everything__get-resource-links', input: { count: 2 } }),
		asks(
			read('3', 'demo://resource/dynamic/text/2'),
			read('4', 'demo://resource/dynamic/blob/1'),
			read('5', 'demo://resource/dynamic/text/77'),
			read('6', 'file:///etc/passwd'),
		),
		says('Read.'),
	]);
	await turn(model, { session, runTool, hasLinks: (server) => pool.hasLinks(server) });
	const [text, blob, template, foreign] = lastTexts(model);
	expect(text).toContain('Resource 2');
	expect(blob).toContain('Resource 1');
	expect(template).toContain('Resource 77');
	expect(foreign).toContain('was not read');
	expect(JSON.stringify(model.requests[1]?.messages)).toContain("Server 'everything' says of its tools");
});
