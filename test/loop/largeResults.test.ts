import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoundedFolder } from '../../src/chat/boundedFolder.ts';
import { ChatResults, readResultTool } from '../../src/chat/results/chatResults.ts';
import { resultText } from '../../src/discovery/catalog/tool.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';
import { OWNERS_FILE } from '../fileModes.ts';
import { temporaryFolder } from '../servers/poolFixture.ts';
import {
	asks,
	call,
	lastResults,
	lastTexts,
	type Round,
	ScriptedModel,
	says,
	turn,
} from '../unit/chat/conversation.ts';
import { realServers } from './realServers.ts';
import { transcript } from './transcript.ts';

const servers = realServers();

const limit = 8 * 1024;

/** Large results of one chat, with the folder that they are kept in. */
function largeResults(folder = join(temporaryFolder(), 'results')) {
	const results = new ChatResults(new BoundedFolder(folder));
	const fitResult = (result: Parameters<ChatResults['fit']>[0], of?: Parameters<ChatResults['fit']>[2]) =>
		results.fit(result, limit, of);
	return { folder, turn: { fitResult, hosted: [readResultTool(results)] } };
}

/** What the model was told last. */
function told({ messages }: ChatRequest): string {
	const last = messages.at(-1);
	return last?.role === 'tool' ? resultText(last.results[0]?.result ?? { content: [], isError: false }) : '';
}

/** Reads a page of the file that the first result names, as a model does that takes the name from there. */
function readsPage(page: number): Round {
	return (request, signal) => {
		const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
		const file = /result-[0-9a-f]{12}/.exec(results.map(({ result }) => resultText(result)).join())?.[0];
		return asks(call('read_result', { file, page }))(request, signal);
	};
}

test('a file of 20 KB is truncated to its beginning and end, and its pages together contain all of it', async () => {
	const folder = servers.folder();
	const path = join(folder, 'large.txt');
	const text = Array.from({ length: 700 }, (_, i) => `${i}: grüße, 日本 🗼 🌍`).join('\n');
	writeFileSync(path, text);
	const kept = largeResults();
	const pages = [1, 2, 3, 4];
	const model = new ScriptedModel([
		asks(call('search_tools', { tool_names: ['files:read_text_file'] })),
		asks(call('files__read_text_file', { path })),
		...pages.map(readsPage),
		says('I have read all of it.'),
	]);
	const { end } = await turn(model, { ...servers.chat(), ...kept.turn });

	expect(end).toMatchObject({ reason: 'answered' });
	const [, , shortened, ...read] = model.requests.map(told);
	expect(Buffer.byteLength(shortened ?? '')).toBeLessThan(5.5 * 1024);
	expect(shortened).toContain('0: grüße, 日本 🗼 🌍\n1: grüße');
	expect(shortened).toMatch(/bytes are omitted here\. .*698: grüße, 日本 🗼 🌍\n699: grüße, 日本 🗼 🌍$/s);
	for (const page of read) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(limit);
	const whole = read.slice(0, 3).map((page) => page.slice(page.indexOf('\n') + 1));
	expect(whole.join('')).toBe(text);
	expect(lastTexts(model)[0]).toMatch(/^Error: 'result-[0-9a-f]{12}' has pages 1 to 3\.$/);
	// The prompt begins with the same at each request: reading on was there from the beginning.
	const tools = model.requests.map((request) => JSON.stringify(request.tools).slice(0, -1));
	expect(tools.every((one, i) => i === 0 || one.startsWith(tools[i - 1] ?? '-'))).toBe(true);
	const [file] = readdirSync(kept.folder);
	expect(statSync(join(kept.folder, file ?? '')).mode & 0o777).toBe(OWNERS_FILE);
});

test('a picture stays in the result, however long the text next to it', async () => {
	const model = new ScriptedModel([asks(call('everything__get-tiny-image')), says('A picture.')]);
	const chat = servers.chat({ loading: 'append', servers: new Map() });
	const { folder, turn: large } = largeResults();
	await turn(model, { ...chat, ...large, fitResult: (result) => large.fitResult(withLongText(result)) });
	const [answer] = lastResults(model);
	// What its server says of its tools follows as a note.
	const own = answer?.result.content.filter((part) => part.type !== 'text' || !part.isNote) ?? [];
	expect(own.map(({ type }) => type)).toEqual(['text', 'image']);
	expect(readdirSync(folder)).toHaveLength(1);
});

test('when discovery is off, then a large result is sent in full, and no file is written', async () => {
	const folder = servers.folder();
	const path = join(folder, 'large.txt');
	writeFileSync(path, 'x'.repeat(50_000));
	const { folder: kept, turn: large } = largeResults();
	const model = new ScriptedModel([asks(call('files__read_text_file', { path })), says('Read.')]);
	await turn(model, { ...servers.chat({ enabled: false }), ...large });
	expect(lastTexts(model)).toEqual(['x'.repeat(50_000)]);
	expect(() => readdirSync(kept)).toThrow('ENOENT');
	expect(model.requests[0]?.tools.some(({ name }) => name === 'read_result')).toBe(false);
});

test('inspection lists tools, shows details, and saves a large listing to a file that the next chat reuses', async () => {
	const { folder: kept } = largeResults();
	const asked = [
		asks(call('list_available_tools', { filter_by_server: 'memory' })),
		asks(call('list_tool_details', { server: 'memory', tool_name: 'read_graph' })),
		asks(call('list_available_tools', { detailed: true })),
	];
	const chats = await Promise.all(
		[0, 1].map(async () => {
			const model = new ScriptedModel([...asked, says('I have looked.')]);
			const chat = servers.chat({ inspectionTools: true });
			const { events } = await turn(model, { ...chat, ...largeResults(kept).turn });
			return { model, events, session: chat.session };
		}),
	);
	for (const { model, events, session } of chats) {
		const [, listed, details, large] = model.requests.map(told);
		expect(JSON.parse(listed ?? '')).toContainEqual({
			server: 'memory',
			tool: 'read_graph',
			description: 'Read the entire knowledge graph',
		});
		expect(JSON.parse(details ?? '')).toMatchObject({ name: 'read_graph', inputSchema: { type: 'object' } });
		expect(JSON.parse(large ?? '')).toMatchObject({
			file: expect.stringMatching(/^all-[a-z0-9]+-detailed$/),
		});
		expect(session.activated).toEqual([]);
		const text = transcript(model.requests, events);
		expect(text).toMatch(/^list_available_tools: \{"detailed":true\}$/m);
		expect(text).not.toContain('search among');
	}
	expect(readdirSync(kept)).toHaveLength(1);
});

function withLongText(result: Parameters<ChatResults['fit']>[0]): Parameters<ChatResults['fit']>[0] {
	return { ...result, content: [{ type: 'text', text: 'y'.repeat(limit + 1) }, ...result.content] };
}
