import * as assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/ui/ids.ts';
import { configUri, eventually, openConfig, serversListed, textOf } from './workspace.ts';

const fakeKey = `sk-${'a1'.repeat(16)}`;

describe('given the configuration file is open in an editor', () => {
	let original: string;
	let editor: vscode.TextEditor;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		editor = await openConfig(original);
	});
	afterEach(async () => {
		editor = await vscode.window.showTextDocument(configUri());
		// The command that reverts takes whatever editor has the focus by then.
		const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
		await editor.edit((edit) => edit.replace(whole, original));
		await editor.document.save();
		await eventually(
			'the file as it was',
			() => editor.document.getText() === original && marks().length === 0,
		);
	});
	after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	async function type(written: string, instead: string): Promise<void> {
		const start = editor.document.getText().indexOf(written);
		assert.ok(start >= 0, written);
		const range = new vscode.Range(
			editor.document.positionAt(start),
			editor.document.positionAt(start + written.length),
		);
		await editor.edit((edit) => edit.replace(range, instead));
	}

	function marks(): readonly vscode.Diagnostic[] {
		return vscode.languages.getDiagnostics(configUri());
	}

	/** After the first place of a text. */
	function behind(written: string): vscode.Position {
		return editor.document.positionAt(editor.document.getText().indexOf(written) + written.length);
	}

	async function lensesOver(name: string): Promise<readonly vscode.Command[]> {
		const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
			'vscode.executeCodeLensProvider',
			configUri(),
			100,
		);
		const { line } = editor.document.positionAt(editor.document.getText().indexOf(`"${name}": {`));
		return lenses.flatMap(({ range, command }) => (command && range.start.line === line ? [command] : []));
	}

	async function fix(title: string): Promise<vscode.CodeAction> {
		return eventually(`the fix ${title}`, async () => {
			const [mark] = marks();
			if (!mark) return undefined;
			const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
				'vscode.executeCodeActionProvider',
				configUri(),
				mark.range,
				vscode.CodeActionKind.QuickFix.value,
			);
			return actions.find((action) => action.title === title);
		});
	}

	async function labelsAt(position: vscode.Position): Promise<readonly string[]> {
		const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			configUri(),
			position,
		);
		return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
	}

	test('when a code lens is clicked, then its action runs and the lens is updated', async () => {
		const pin = (await lensesOver('memory')).find(({ title }) => title === 'Pin');
		assert.ok(pin);
		await vscode.commands.executeCommand(pin.command, ...(pin.arguments ?? []));
		await eventually('the line to follow', async () => {
			const titles = (await lensesOver('memory')).map(({ title }) => title);
			return titles.some((title) => title.includes('all 9 loaded')) && titles.includes('Defer');
		});
	});

	test('when the configuration is opened from a server’s row, then the cursor is at that entry', async () => {
		const [git, memory] = [{ server: 'git' }, { server: 'memory' }];
		await vscode.commands.executeCommand(commands.openConfig, memory, [git, memory]);
		const editor = vscode.window.activeTextEditor;
		assert.equal(editor?.document.uri.fsPath, configUri().fsPath);
		assert.match(editor.document.lineAt(editor.selection.active.line).text, /^\s*"memory": \{/);
	});

	test('when there are faults of every kind, then each is marked once', async () => {
		const faults = [
			['"max_search_results": 5', '"max_serch_results": 5'],
			['"enabled": true', '"enabled": "true", "ranking": "best"'],
			['"max_active_schemas": 24', '"max_active_schemas": -1'],
			['"echo": { "defer_loading": false }', '"echo": 1'],
			['"servers": {', '"servers": { "empty": {},'],
		] as const;
		for (const [written, instead] of faults) await type(written, instead);
		await eventually('the marks', () => marks().length === faults.length + 1);
		// The editor's own check of JSON would be done by now.
		await new Promise((resolve) => setTimeout(resolve, 1500));
		assert.deepEqual(
			marks().map(({ source }) => source),
			Array.from({ length: faults.length + 1 }, () => 'Discovery'),
		);
	});

	test('when a key is duplicated, then only the editor marks it', async () => {
		await type('"enabled": true', '"enabled": true, "enabled": false');
		await eventually("the editor's mark", () => marks().some(({ source }) => source !== 'Discovery'));
		await eventually('ours to go', () => marks().every(({ source }) => source !== 'Discovery'));
	});

	test('when a secret is written as plain text, then a quick fix moves it to storage and the server reads it there', async () => {
		await type('"MCP_LOG_LEVEL": "error"', `"MCP_LOG_LEVEL": "error", "API_TOKEN": "${fakeKey}"`);
		const { command } = await fix('Move the key to secret storage, as API_TOKEN');
		assert.ok(command);
		await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
		assert.ok(editor.document.getText().includes(`"API_TOKEN": "\${env:API_TOKEN}"`));
		assert.ok(!editor.document.getText().includes(fakeKey));
		await eventually('no fault, since it is set', () => marks().length === 0);
	});

	test('when tools are being listed, then the server’s tools that are not yet listed are suggested', async () => {
		await type('"git_log", "git_diff"', '"git_log", "", "git_diff"');
		// The file that the test before had saved may have been without the server until now.
		const labels = await eventually('the names of the tools', async () => {
			const offered = await labelsAt(behind('"git_log", "'));
			return offered.includes('git_branch') ? offered : undefined;
		});
		assert.ok(!labels.includes('git_diff'));
	});

	test('when a setting is typed, then the schema suggests its keys', async () => {
		await type('"enabled": true,', '"enabled": true, "",');
		// VS Code's JSON support reads the schema when it is first asked.
		await eventually('the keys of the schema', async () => {
			const keys = await labelsAt(behind('"enabled": true, "'));
			return keys.includes('prefetch') && keys.includes('defer_all');
		});
	});

	test('when a variable is typed, then names are suggested, but no values', async () => {
		await type('"MCP_LOG_LEVEL": "error"', '"MCP_LOG_LEVEL": "${env:"');
		const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			configUri(),
			behind('"MCP_LOG_LEVEL": "${env:'),
		);
		const path = items.find(({ label }) => label === `\${env:PATH}`);
		assert.ok(path);
		assert.ok(!JSON.stringify(items).includes(String(process.env.PATH)));
	});

	test('when a server is begun by hand, then VS Code offers whole entries before and after its name', async () => {
		const offersForms = async (position: vscode.Position) => {
			const labels = await labelsAt(position);
			assert.ok(labels.includes('stdio server') && labels.includes('remote server'), labels.join());
		};
		await type('"servers": {', '"servers": {\n\t\t"new": ,');
		await offersForms(behind('"new": '));
		await type('"new": ,', '');
		await offersForms(behind('"servers": {\n\t\t'));
	});

	test('when the user hovers over a server or a tool, then its details are shown', async () => {
		const hoverAt = async (position: vscode.Position) => {
			const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
				'vscode.executeHoverProvider',
				configUri(),
				position,
			);
			return hovers
				.flatMap(({ contents }) => contents)
				.map((content) => (typeof content === 'string' ? content : content.value))
				.join('\n');
		};
		const server = await hoverAt(behind('"mem'));
		assert.match(server, /\*\*memory\*\* — (Running|Idle)/);
		assert.match(server, /9 tools/);
		assert.match(await hoverAt(behind('"git_sta')), /Parameters: /);
	});
});
