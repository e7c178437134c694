import * as assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { after, before, beforeEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import {
	ask,
	configUri,
	configureModel,
	fileUri,
	newChat,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

/** A model that lists tools, reads a large file, and then the second page of what it was given. */
function playing(endpoint: LLMock, path: string): void {
	endpoint.on({ predicate: () => true }, ({ messages }) => {
		const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
		switch (results.length) {
			case 0:
				return call('search_tools', { tool_names: ['filesystem:read_text_file'] });
			case 1:
				return call('filesystem__read_text_file', { path });
			case 2:
				return call('read_result', { file: /result-[0-9a-f]+/.exec(results[1] ?? '')?.[0], page: 2 });
			case 3:
				return call('list_available_tools', { filter_by_server: 'memory' });
			default:
				return { content: 'Read.' };
		}
	});
}

describe('given a file that is too large for a chat', () => {
	const endpoint = new LLMock({ port: 0 });
	const large = fileUri('large.txt');
	let original: string;

	before(async () => {
		playing(endpoint, large.fsPath);
		await endpoint.start();
		await serversListed();
		await write(large, Array.from({ length: 2_000 }, (_, i) => `line ${i + 1}`).join('\n'));
		original = await textOf(configUri());
		const text = original.replace('"enabled": true', '"enabled": true, "inspection_tools": true');
		await configureModel(text, `${endpoint.url}/v1`);
	});

	beforeEach(newChat);

	after(async () => {
		await write(configUri(), original);
		await vscode.workspace.fs.delete(large);
		await endpoint.stop();
	});

	test('when a model reads it, then it gets the beginning and the end, pages on request, and inspection tools', async () => {
		await ask('read it', 'local');
		const body = JSON.parse(JSON.stringify(endpoint.getLastRequest()?.body)) as {
			messages: { role: string; content: string }[];
			tools: { function: { name: string } }[];
		};
		const results = body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		assert.match(results[1] ?? '', /^line 1\nline 2\n.* bytes are omitted here\. .*\nline 2000$/s);
		assert.ok((results[1] ?? '').length < 6_000);
		assert.match(results[2] ?? '', /^\[Page 2 of 3 of result-[0-9a-f]{12}\]\nline \d+\n/);
		assert.ok(JSON.parse(results[3] ?? '').length > 5);
		assert.deepEqual(
			body.tools.slice(0, 4).map((tool) => tool.function.name),
			['search_tools', 'list_available_tools', 'list_tool_details', 'read_result'],
		);
	});
});
