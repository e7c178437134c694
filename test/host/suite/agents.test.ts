import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { after, before, beforeEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import {
	activated,
	ask,
	configUri,
	configureModel,
	eventually,
	fileUri,
	logOf,
	newChat,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

const scout = `---
description: Looks into files
tools: [filesystem/read_text_file]
---
You are the scout.
`;
const broken = '---\nname: broken\ninherit_active_mcp: sometimes\n---\nNobody.\n';

/** A model that sends the scout, and plays it. */
function playing(endpoint: LLMock): void {
	const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });
	endpoint.on({ predicate: () => true }, ({ messages }) => {
		const isScout = JSON.stringify(messages.filter(({ role }) => role === 'system')).includes('the scout');
		const done = messages.filter(({ role }) => role === 'tool').length;
		if (!isScout)
			return done === 0 ? call('run_agent', { agent: 'scout', task: 'Look.' }) : { content: 'Told.' };
		if (done === 0) return call('search_tools', { tool_names: ['filesystem:read_text_file'] });
		if (done === 1) return call('filesystem__read_text_file', { path: 'docs/architecture.md' });
		return { content: 'I have read it.' };
	});
}

describe('given agent files in the workspace', () => {
	const endpoint = new LLMock({ port: 0 });
	const brokenUri = fileUri('.claude/agents/broken.md');
	let original: string;

	before(async () => {
		playing(endpoint);
		await endpoint.start();
		await serversListed();
		original = await textOf(configUri());
		await write(fileUri('.github/agents/scout.agent.md'), scout);
		await write(brokenUri, broken);
		await configureModel(original, `${endpoint.url}/v1`);
	});

	beforeEach(newChat);

	after(async () => {
		await write(configUri(), original);
		for (const folder of ['.github', '.claude']) {
			await vscode.workspace.fs.delete(fileUri(folder), { recursive: true });
		}
		await endpoint.stop();
	});

	test('when /agents is run, then a fault is marked in its file until it is fixed and saved', async () => {
		await ask('/agents');
		const [fault] = vscode.languages.getDiagnostics(brokenUri);
		assert.equal(fault?.message, 'inherit_active_mcp: expected true or false.');
		assert.equal(fault.range.start.line, 2);

		const document = await vscode.workspace.openTextDocument(brokenUri);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(brokenUri, document.lineAt(2).range, 'inherit_active_mcp: true');
		await vscode.workspace.applyEdit(edit);
		await document.save();
		await eventually(
			'the mark to go',
			() => vscode.languages.getDiagnostics(brokenUri).length === 0 || undefined,
		);
	});

	test('when a file is too large, not UTF-8, or leads out of the workspace, then it is not an agent', async () => {
		const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
		writeFileSync(path.join(outside, 'theirs.md'), scout);
		const [large, binary, out, inside] = ['large', 'binary', 'out', 'inside'].map((name) =>
			fileUri(`.claude/agents/${name}.md`),
		);
		assert.ok(large && binary && out && inside);
		await write(large, `---\nname: large\n---\n${'x'.repeat(70_000)}`);
		await vscode.workspace.fs.writeFile(binary, Uint8Array.of(0x2d, 0x2d, 0x2d, 0xff, 0xfe));
		symlinkSync(path.join(outside, 'theirs.md'), out.fsPath);
		symlinkSync('../../.github/agents/scout.agent.md', inside.fsPath);
		await ask('/agents');
		const told = [large, binary, out, inside].map((uri) => vscode.languages.getDiagnostics(uri)[0]?.message);
		assert.match(told[0] ?? '', /has 700\d\d bytes\. The limit is 65536/);
		assert.match(told[1] ?? '', /not UTF-8/);
		assert.match(told[2] ?? '', /leads out of the folder/);
		assert.equal(told[3], undefined);

		const [folder, kept] = [fileUri('.claude/agents'), fileUri('.claude/kept')];
		await vscode.workspace.fs.rename(folder, kept);
		symlinkSync(outside, folder.fsPath);
		await ask('/agents');
		assert.match(vscode.languages.getDiagnostics(folder)[0]?.message ?? '', /leads out of the folder/);
		rmSync(folder.fsPath);
		await vscode.workspace.fs.rename(kept, folder);
		rmSync(outside, { recursive: true });
	});

	test('when a model runs an agent, then the agent finds a tool, calls it and reports, and the chat loads nothing', async () => {
		const answer = await ask('send the scout', 'local');
		assert.deepEqual(activated(answer), []);
		assert.deepEqual(answer.called, ['filesystem__read_text_file']);
		const happened = logOf(answer).timeline.map(({ kind }) => kind);
		assert.deepEqual(happened, ['turn', 'request', 'agent', 'request']);
		assert.match(JSON.stringify(endpoint.getLastRequest()?.body), /I have read it\./);
	});
});
