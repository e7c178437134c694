import * as assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { after, before, beforeEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { ids } from '../../../src/vscode/ui/ids.ts';
import { answerCalls, restoreDialogs } from './dialogs.ts';
import {
	activated,
	ask,
	configUri,
	configureModel,
	eventually,
	fileUri,
	invokeTool,
	logOf,
	newChat,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

/** What a model is told of a call that fails. */
async function failure(id: string, input: object): Promise<string> {
	return invokeTool(id, input).then(
		(text) => assert.fail(`it did not fail, but said ${text}`),
		(error: unknown) => String(error),
	);
}

describe('given the example workspace, when another chat participant uses our tools', () => {
	before(serversListed);

	test('then it can use our four tools by name', () => {
		const offered = vscode.lm.tools.filter(({ name }) => name.startsWith('mcpDiscovery_'));
		const names = offered.map(({ name }) => name);
		for (const id of [ids.searchTools, ids.listTools, ids.toolDetails, ids.callTool]) {
			assert.ok(names.includes(id), names.join());
		}
		const characters = offered.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
		assert.ok(characters < 6_000, `${characters}`);
	});

	test('then search finds deferred and other tools with their schemas, and it calls them by those names', async () => {
		const found = JSON.parse(await invokeTool(ids.searchTools, { query: 'read a text file' }));
		const names = found.matches.map(({ name }: { name: string }) => name);
		assert.ok(names.includes('filesystem:read_text_file'), names.join());
		assert.ok(found.matches[0].parameters.properties.path);
		assert.equal(found.query, 'read a text file');
		assert.equal(found.query_kind, 'keyword');
		assert.ok(found.matches[0].score > 0);
		const loaded = JSON.parse(await invokeTool(ids.searchTools, { query: 'echo a message back' }));
		assert.equal(loaded.matches[0].name, 'everything:echo');

		const input = { tool: 'filesystem:read_text_file', arguments: { path: 'docs/architecture.md' } };
		assert.match(await invokeTool(ids.callTool, input), /\w/);
	});

	test('then it can list tools and get the details of one', async () => {
		const { tools } = JSON.parse(await invokeTool(ids.listTools, { server: 'memory' }));
		assert.ok(tools.length > 5);
		const details = JSON.parse(await invokeTool(ids.toolDetails, { tool: tools[0].tool }));
		assert.equal(details.tool, tools[0].tool);
		assert.equal(details.inputSchema.type, 'object');
	});

	test('then names that do not exist fail', async () => {
		assert.match(await failure(ids.toolDetails, { tool: 'nothing:like_it' }), /There is no tool/);
		assert.match(await failure(ids.searchTools, { query: 'x', server: 'file' }), /Unknown server 'file'/);
	});
});

/** A tool that VS Code brings along, in an extension of its own. */
const theirs = 'renderMermaidDiagram';
const calls = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

const told = 'The alarm of the house goes off with the code 4711, ask Ada.';

/** A model that reads a file, and gives what it has read to the tool. */
function drawingTheAlarm(messages: readonly { readonly role: string }[]) {
	switch (messages.filter(({ role }) => role === 'tool').length) {
		case 0:
			return calls('search_tools', { tool_names: [`editor:${theirs}`, 'filesystem:read_text_file'] });
		case 1:
			return calls('filesystem__read_text_file', { path: fileUri('house.txt').fsPath });
		case 2:
			return calls(`editor__${theirs}`, { markup: `graph TD; A-->${told}`, title: 'A to B' });
		default:
			return { content: 'Not drawn.' };
	}
}

/** A model that searches for the tool and calls it. */
function playing(endpoint: LLMock): void {
	endpoint.on({ predicate: () => true }, ({ messages }) => {
		if (JSON.stringify(messages).includes('draw the alarm')) return drawingTheAlarm(messages);
		switch (messages.filter(({ role }) => role === 'tool').length) {
			case 0:
				return calls('search_tools', { tool_names: [`editor:${theirs}`] });
			case 1:
				return calls(`editor__${theirs}`, { markup: 'graph TD; A-->B', title: 'A to B' });
			default:
				return { content: 'Drawn.' };
		}
	});
}

describe("given the user makes VS Code's own tools searchable", () => {
	const endpoint = new LLMock({ port: 0 });
	let original: string;

	before(async () => {
		playing(endpoint);
		await endpoint.start();
		await serversListed();
		original = await textOf(configUri());
		const text = original.replace('"enabled": true', '"enabled": true, "editor_tools": true');
		await configureModel(text, `${endpoint.url}/v1`);
	});

	beforeEach(newChat);

	after(async () => {
		await write(configUri(), original);
		await endpoint.stop();
	});

	test('when a model needs such a tool, then it finds the tool and calls it', async () => {
		const answer = await ask('draw it', 'local');
		assert.deepEqual(activated(answer), [`editor__${theirs}`]);
		assert.deepEqual(answer.called, [`editor__${theirs}`]);
		const [call] = logOf(answer).usage.calls;
		assert.deepEqual(
			{ ...call, totalMs: 0 },
			{
				server: 'editor',
				tool: theirs,
				calls: 1,
				failures: 0,
				totalMs: 0,
			},
		);
	});

	test('when a call passes on text from a server, then the user is asked first, and can skip the call', async () => {
		await write(fileUri('house.txt'), told);
		const asked = answerCalls('Skip');
		const answer = await ask('draw the alarm', 'local');
		restoreDialogs();
		assert.equal(asked.length, 1);
		assert.match(asked[0]?.message ?? '', /Contains text from `filesystem`/);
		assert.match(asked[0]?.message ?? '', /This chat has read results from `filesystem`/);
		assert.deepEqual(asked[0]?.buttons, ['Allow Once', 'Skip']);
		const drawn = logOf(answer).usage.calls.filter(({ server }) => server === 'editor');
		assert.deepEqual(drawn, []);
	});

	test('then our own tools are excluded, and other chats do not find the editor’s tools through us', async () => {
		const ours = await ask(`/load editor:${ids.callTool} editor:${ids.searchTools} editor:${theirs}`);
		assert.deepEqual(activated(ours), [`editor__${theirs}`]);
		const found = await invokeTool(ids.searchTools, { query: 'render a mermaid diagram' });
		assert.doesNotMatch(found, new RegExp(theirs));
		await assert.rejects(
			invokeTool(ids.callTool, { tool: `editor:${theirs}` }),
			new RegExp(`is one of VS Code's own tools: call ${theirs} directly`),
		);
	});

	test('when the user turns this off, then the tools are gone', async () => {
		await write(
			configUri(),
			(await textOf(configUri())).replace('"editor_tools": true', '"editor_tools": false'),
		);
		await eventually('the editor to be gone', async () => {
			await newChat();
			return activated(await ask(`/load editor:${theirs}`)).length === 0 || undefined;
		});
	});
});
