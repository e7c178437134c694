import * as assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ids } from '../../../src/vscode/ids.ts';
import { serversListed } from './workspace.ts';

/** Calls a language-model tool as any chat of the editor does. */
async function invoke(id: string, input: object): Promise<string> {
	const { content } = await vscode.lm.invokeTool(id, { input, toolInvocationToken: undefined });
	return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** What a model is told of a call that fails. */
async function failure(id: string, input: object): Promise<string> {
	return invoke(id, input).then(
		(text) => assert.fail(`it did not fail, but said ${text}`),
		(error: unknown) => String(error),
	);
}

describe('given the example workspace, when another chat than ours looks for tools', () => {
	before(serversListed);

	it('then it is offered four definitions that people can name', () => {
		const offered = vscode.lm.tools.filter(({ name }) => name.startsWith('mcpDiscovery_'));
		const names = offered.map(({ name }) => name);
		for (const id of [ids.searchTools, ids.listTools, ids.toolDetails, ids.callTool]) {
			assert.ok(names.includes(id), names.join());
		}
		const characters = offered.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
		assert.ok(characters < 6_000, `${characters}`);
	});

	it('then it finds one with its schema, whether we defer it or not, and calls it by that name', async () => {
		const found = JSON.parse(await invoke(ids.searchTools, { query: 'read a text file' }));
		const names = found.matches.map(({ name }: { name: string }) => name);
		assert.ok(names.includes('filesystem:read_text_file'), names.join());
		assert.ok(found.matches[0].parameters.properties.path);
		assert.equal(found.query, 'read a text file');
		assert.equal(found.query_kind, 'keyword');
		assert.ok(found.matches[0].score > 0);
		const loaded = JSON.parse(await invoke(ids.searchTools, { query: 'echo a message back' }));
		assert.equal(loaded.matches[0].name, 'everything:echo');

		const input = { tool: 'filesystem:read_text_file', arguments: { path: 'docs/architecture.md' } };
		assert.match(await invoke(ids.callTool, input), /\w/);
	});

	it('then it lists tools, and asks for the details of one', async () => {
		const { tools } = JSON.parse(await invoke(ids.listTools, { server: 'memory' }));
		assert.ok(tools.length > 5);
		const details = JSON.parse(await invoke(ids.toolDetails, { tool: tools[0].tool }));
		assert.equal(details.tool, tools[0].tool);
		assert.equal(details.inputSchema.type, 'object');
	});

	it('then a wrong name, and wrong arguments, are told before anything is asked or called', async () => {
		assert.match(
			await failure(ids.callTool, { tool: 'filesystem:read_txt_file', arguments: {} }),
			/There is no tool 'filesystem:read_txt_file'\. Closest: filesystem:read_text_file/,
		);
		// This one would ask first, and nobody is there to answer.
		assert.match(
			await failure(ids.callTool, { tool: 'filesystem:write_file', arguments: { path: 7 } }),
			/The arguments do not fit 'filesystem:write_file', so it was not called\..*Its input schema: /s,
		);
		assert.match(await failure(ids.toolDetails, { tool: 'nothing:like_it' }), /There is no tool/);
		assert.match(await failure(ids.searchTools, { query: 'x', server: 'file' }), /Unknown server 'file'/);
	});
});
