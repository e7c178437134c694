import * as assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ids.ts';
import { answer, pick, restoreDialogs } from './dialogs.ts';
import { QuickInputs } from './quickInputs.ts';
import {
	activated,
	ask,
	configUri,
	eventually,
	fileUri,
	newChat,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

/** The text of the result that is shown. */
function shownResult(): string | undefined {
	const document = vscode.window.activeTextEditor?.document;
	return document?.uri.scheme === ids.resultScheme ? document.getText() : undefined;
}

async function resultWith(text: string): Promise<string> {
	return eventually(`a result with “${text}”`, () => {
		const shown = shownResult();
		return shown?.includes(text) ? shown : undefined;
	});
}

async function run(tool: string): Promise<void> {
	pick(tool);
	await vscode.commands.executeCommand(commands.runTool);
}

describe('given the tools of the example, run by hand', () => {
	let inputs: QuickInputs;
	before(serversListed);
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.restore();
		restoreDialogs();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('when one reads, then its parameters are asked for, back and forth, and its result is shown', async () => {
		const running = run('everything:get-sum');
		await inputs.type('1/2', '40');
		const second = await inputs.question('2/2');
		second.value = '1';
		await inputs.back();
		const first = await inputs.question('1/2');
		assert.equal(first.value, '40');
		await inputs.type('1/2', '41');
		assert.equal((await inputs.question('2/2')).value, '1');
		await inputs.type('2/2', '1');
		await running;
		const shown = await resultWith('The sum of 41 and 1 is 42.');
		assert.match(shown, /^# `everything:get-sum`\n\nDone in \d+ ms\./);
	});

	it('when it runs again, then it begins with what was given', async () => {
		const running = run('everything:get-sum');
		assert.equal((await inputs.question('1/2')).value, '41');
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await running;
		assert.equal(shownResult(), undefined);
	});

	it('when what is typed does not fit the schema, then it says so and stays', async () => {
		const running = run('everything:get-resource-links');
		await inputs.choose('1/1', 'count');
		await inputs.type('2/2', '99');
		const box = (await inputs.question('2/2')) as vscode.InputBox;
		await eventually('the fault', () => box.validationMessage === 'Must be at most 10.' || undefined);
		await inputs.type('2/2', '2');
		await running;
		await resultWith('demo://resource/dynamic/');
	});

	it('when a choice leads to structured content, then it is shown as JSON', async () => {
		const running = run('everything:get-structured-content');
		await inputs.choose('1/1', 'Chicago');
		await running;
		assert.ok('conditions' in JSON.parse(await resultWith('"conditions"')));
		assert.equal(vscode.window.activeTextEditor?.document.languageId, 'json');
		await vscode.commands.executeCommand(commands.copyResult);
		assert.equal(await vscode.env.clipboard.readText(), shownResult());
	});

	it('when it can change something, then it asks first, and does nothing where that is declined', async () => {
		const target = fileUri('by-hand.txt');
		for (const reply of [undefined, 'Run']) {
			const questions = answer('showWarningMessage', reply);
			const running = run('filesystem:write_file');
			await inputs.type('1/2', 'by-hand.txt');
			await inputs.type('2/2', 'hello');
			await running;
			assert.equal(questions[0]?.[0], 'Call write_file of filesystem?');
			assert.match(
				(questions[0]?.[1] as vscode.MessageOptions | undefined)?.detail ?? '',
				/path: by-hand\.txt\ncontent: hello/,
			);
			const written = await textOf(target).catch(() => undefined);
			assert.equal(written, reply === 'Run' ? 'hello' : undefined);
		}
		await vscode.workspace.fs.delete(target);
	});

	it('when the tool reports an error, then the result says so', async () => {
		const running = run('filesystem:read_text_file');
		await inputs.type('1/2', 'no-such-file.txt');
		await inputs.choose('2/2', 'head');
		await inputs.type('3/3', '1');
		await running;
		await resultWith('**The tool reports an error**');
	});

	it('when its server was stopped, then it is started for the call', async () => {
		pick('memory');
		await vscode.commands.executeCommand(commands.stopServer);
		await run('memory:read_graph');
		await resultWith('"entities"');
	});
});

describe('given tools that a chat has loaded', () => {
	let original: string;
	before(async () => {
		original = await textOf(configUri());
		await newChat();
		await ask('/load filesystem:read_text_file');
	});
	afterEach(restoreDialogs);
	after(async () => {
		await write(configUri(), original);
		await newChat();
	});

	it('when they are saved as a toolset, then it can be chosen, and has these', async () => {
		answer('showInputBox', 'daily');
		answer('showInformationMessage', 'Select for the Last Used Chat');
		await vscode.commands.executeCommand(commands.saveToolset);
		const text = await textOf(configUri());
		assert.ok(text.includes('// A tool set narrows a chat'), 'comments are kept');
		await eventually('the toolset to be chosen', async () => {
			const names = activated(await ask('/load filesystem:write_file filesystem:read_text_file'));
			return names.join() === 'filesystem__read_text_file' || undefined;
		});
	});
});
