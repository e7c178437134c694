import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'mocha';
import * as vscode from 'vscode';
import {
	activated,
	ask,
	configUri,
	eventually,
	fileUri,
	followed,
	logOf,
	newChat,
	openConfig,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

function faults(): readonly vscode.Diagnostic[] {
	return vscode.languages.getDiagnostics(configUri()).filter(({ source }) => source === 'Discovery');
}

describe('given a configuration that is edited while VS Code is running', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
	});
	beforeEach(newChat);
	afterEach(async () => {
		await write(configUri(), original);
		await eventually('the faults to go', () => (faults().length === 0 ? true : undefined));
	});
	after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	test('when an entry is malformed, then it is marked and the other servers stay', async () => {
		await write(configUri(), original.replace('"command": "node"', '"command": 7'));
		const [fault] = await eventually('a fault', () => (faults().length > 0 ? faults() : undefined));
		assert.match(fault?.message ?? '', /servers\.filesystem\.command.*string/);
		const line = original.split('\n').findIndex((text) => text.includes('"command": "node"'));
		assert.equal(fault?.range.start.line, line);
		assert.equal(fault?.severity, vscode.DiagnosticSeverity.Error);
		assert.deepEqual(activated(await ask('/load git:git_log')), ['git__git_log']);
		assert.deepEqual(activated(await ask('/load filesystem:read_text_file')), ['git__git_log']);
	});

	test('when a mistake is saved in the chat’s toolset, then the chat keeps the tools it had', async () => {
		await ask('/toolset reading');
		await ask('/load git:git_log');
		await write(configUri(), original.replace(/"git": \["git_status".*\]/, '"git": 7'));
		await eventually('a fault', () => (faults().length > 0 ? true : undefined));

		const answer = await ask('/load memory:create_entities filesystem:read_text_file');
		assert.equal(logOf(answer).state.toolset?.name, 'reading');
		assert.deepEqual(activated(answer), ['git__git_log', 'filesystem__read_text_file']);

		await write(configUri(), original);
		await eventually('the faults to go', () => (faults().length === 0 ? true : undefined));
		const after = await ask('/load memory:create_entities');
		assert.deepEqual(activated(after), ['git__git_log', 'filesystem__read_text_file']);
	});

	test('when a server is added, then its tools are available and loaded tools stay loaded', async () => {
		await ask('/load filesystem:read_text_file');
		const second = original.replace('"servers": {', `"servers": { "again": ${serverEntry(original)},`);
		await write(configUri(), second);
		await eventually('the tools of the new server', async () => {
			const names = activated(await ask('/load again:read_text_file'));
			assert.equal(names[0], 'filesystem__read_text_file');
			return names.includes('again__read_text_file') ? true : undefined;
		});
	});

	test('when it or .env becomes a link that leads out of the folder, then nothing is read or changed there', async () => {
		const outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
		const [theirs, env] = [path.join(outside, 'theirs.json'), path.join(outside, '.env')];
		writeFileSync(theirs, '{ "servers": {} }');
		writeFileSync(env, 'LEAKED=hush\n');
		const [config, kept] = [configUri().fsPath, `${configUri().fsPath}.kept`];
		const file = followed(vscode.Uri.joinPath(fileUri('.'), 'no-such-folder'));
		try {
			symlinkSync(env, fileUri('.env').fsPath);
			await file.reload();
			assert.equal(file.state.kind, 'ok');
			assert.equal(file.fileAt(configUri())?.knownScope.env.LEAKED, undefined);
			renameSync(config, kept);
			symlinkSync(theirs, config);
			const [fault] = await eventually('a fault', () => (faults().length > 0 ? faults() : undefined));
			assert.match(fault?.message ?? '', /leads out of the folder/);
			await assert.rejects(
				file.edit(() => [], configUri()),
				/json cannot be read: it leads out of the folder/,
			);
			assert.equal(readFileSync(theirs, 'utf8'), '{ "servers": {} }');
			assert.deepEqual(activated(await ask('/load git:git_log')), ['git__git_log']);
		} finally {
			rmSync(fileUri('.env').fsPath);
			renameSync(kept, config);
			rmSync(outside, { recursive: true });
			file.dispose();
		}
	});

	test('when the file is saved in an editor, then it is applied once, however often it is read', async () => {
		const file = followed(vscode.Uri.joinPath(fileUri('.'), 'no-such-folder'));
		try {
			await file.reload();
			const applied: string[] = [];
			file.onDidChange((state) => applied.push(state.kind));
			const editor = await openConfig(original);
			for (const times of [1, 2]) {
				assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `// ${times}\n`)));
				// It is false where the editor has saved it by itself by now.
				await editor.document.save();
				await eventually('the file to be saved', () => !editor.document.isDirty || undefined);
				await eventually('it to be applied', () => applied.length >= times || undefined);
				// The editor tells of a save, and the disk may tell of it again; a change of ours is read at once besides.
				await file.reload();
				await file.reload();
				assert.deepEqual(applied, Array(times).fill('ok'));
			}
		} finally {
			file.dispose();
		}
	});

	test('when the editor has unsaved faults, then they are marked while typing', async () => {
		const editor = await openConfig(original);
		const start = editor.document.positionAt(original.indexOf('"tool_discovery"'));
		await editor.edit((edit) => edit.insert(start, '"tool_discover": {},\n'));
		const [fault] = await eventually('a fault', () => (faults().length > 0 ? faults() : undefined));
		assert.match(fault?.message ?? '', /tool_discover.*did you mean "tool_discovery"/);
		const ours = vscode.languages.getDiagnostics(configUri()).map(({ source }) => source);
		await vscode.commands.executeCommand('workbench.action.files.revert');
		assert.deepEqual(
			[...new Set(ours)],
			['Discovery'],
			'no other check takes comments and commas for faults',
		);
	});

	test('when a missing variable is set, then the quick fix for it is no longer offered', async () => {
		const written = original.replace(
			'"MCP_LOG_LEVEL": "error"',
			`"MCP_LOG_LEVEL": "\${env:NOT_SET_AT_FIRST}"`,
		);
		await write(configUri(), written);
		const [fault] = await eventually('a fault', () => (faults().length > 0 ? faults() : undefined));
		assert.ok(fault);
		await openConfig(written);
		const titles = async () => {
			const { executeCommand } = vscode.commands;
			const kind = vscode.CodeActionKind.QuickFix.value;
			const actions = await executeCommand<vscode.CodeAction[]>(
				'vscode.executeCodeActionProvider',
				configUri(),
				fault.range,
				kind,
			);
			return actions.map(({ title }) => title).filter((title) => title.includes('NOT_SET_AT_FIRST'));
		};
		await eventually('the fix', async () => ((await titles()).length > 0 ? true : undefined));
		await write(fileUri('.env'), 'NOT_SET_AT_FIRST=error\n');
		try {
			await eventually('the fix to go', async () => ((await titles()).length === 0 ? true : undefined));
		} finally {
			await vscode.workspace.fs.delete(fileUri('.env'));
		}
	});
});

/** The text of the entry of the file system server. */
function serverEntry(config: string): string {
	const start = config.indexOf('{', config.indexOf('"filesystem"'));
	return config.slice(start, config.indexOf('}', config.indexOf('"defer_loading"')) + 1);
}
