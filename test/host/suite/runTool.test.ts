import * as assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import type { PickItem } from '../../../src/vscode/search/toolPicker.ts';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { answer, answerCalls, pick, restoreDialogs } from './dialogs.ts';
import { caughtInputs, type QuickInputs } from './quickInputs.ts';
import { eventually, fileUri, serversListed, textOf } from './workspace.ts';

/** The result that is shown, drawn or as text. */
function shownDocument(): vscode.TextDocument | undefined {
	const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
	if (!isDocument || input.uri.scheme !== ids.resultScheme) return undefined;
	const { uri } = input;
	return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

function shownResult(): string | undefined {
	return shownDocument()?.getText();
}

async function resultWith(text: string): Promise<string> {
	return eventually(`a result with “${text}”`, () => {
		const shown = shownResult();
		return shown?.includes(text) ? shown : undefined;
	});
}

/** Opens the list of all tools. */
async function listOfTools(inputs: QuickInputs): Promise<vscode.QuickPick<PickItem>> {
	await vscode.commands.executeCommand(commands.runTool);
	return (await inputs.question('1/1')) as vscode.QuickPick<PickItem>;
}

/** Runs the tool of that id, as the button beside it does; resolves when the run is over. */
async function run(inputs: QuickInputs, id: string): Promise<void> {
	const list = await listOfTools(inputs);
	const node = await eventually(id, () => {
		const rows = list.items.map(({ row }) => row).filter((row) => row.kind === 'tool');
		return rows.find((row) => row.node.tool.id === id)?.node;
	});
	list.hide();
	await vscode.commands.executeCommand(commands.runTool, node);
}

/** Inputs for each test of a group, which leaves nothing open behind it. */
function eachWithInputs(): QuickInputs {
	before(serversListed);
	const inputs = caughtInputs();
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	return inputs;
}

describe('given the example’s tools, run by hand', () => {
	const inputs = eachWithInputs();

	test('when a tool returns structured content, then it is shown as JSON, in a tab that stays', async () => {
		const running = run(inputs, 'everything:get-structured-content');
		await inputs.choose('1/1', 'Chicago');
		await running;
		assert.ok('conditions' in JSON.parse(await resultWith('"conditions"')));
		assert.equal(shownDocument()?.languageId, 'json');
		// The next click in a tree would replace a preview.
		assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, false);
	});

	test('when calls of the tool were blocked or allowed in a chat, then that also applies to running it by hand', async () => {
		const target = fileUri('decided.txt');
		const decide = (button: string) => {
			answerCalls(button);
			const input = { tool: 'filesystem:write_file', arguments: { path: 'decided.txt', content: 'chat' } };
			return vscode.lm.invokeTool(ids.callTool, { input, toolInvocationToken: undefined });
		};
		await assert.rejects(async () => decide('Never Allow in This Workspace'), /does not allow/);
		const said = answer('showErrorMessage', undefined);
		await run(inputs, 'filesystem:write_file');
		assert.match(String(said[0]?.[0]), /filesystem:write_file is blocked by your permission settings/);
		const revoke = async () => {
			pick('filesystem:write_file');
			await vscode.commands.executeCommand(commands.managePermissions, { server: 'filesystem' });
			restoreDialogs();
		};
		await revoke();
		await decide('Always Allow in This Workspace');
		const questions = answer('showWarningMessage', undefined);
		const running = run(inputs, 'filesystem:write_file');
		await inputs.type('1/2', 'decided.txt');
		await inputs.type('2/2', 'by hand');
		await running;
		assert.deepEqual(questions, []);
		assert.equal(await textOf(target), 'by hand');
		await revoke();
		await vscode.workspace.fs.delete(target);
	});
});
