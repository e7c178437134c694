import * as assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { activeUri } from '../../../src/vscode/ui/readingEditor.ts';
import { answer, pick, restoreDialogs } from './dialogs.ts';
import { ask, configUri, eventually, fileUri, newChat, serversListed, textOf, write } from './workspace.ts';

const file = 'suite.queries.jsonc';
/** One that is found, one in words that the tool does not have, a slip of the pen, and something that nothing can do. */
const queries = `[
	{ "query": "show the commit log", "tools": ["git:git_log"] },
	// nobody who wrote the tools says so
	{ "query": "gubbins", "tools": ["git:git_blame"] },
	{ "query": "read a text file", "tools": ["filesystem:read_text_fil"] },
	{ "query": "order a pizza with extra cheese", "none": true },
]`;

function report(): string | undefined {
	const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === ids.evaluationScheme);
	return documents.at(-1)?.getText();
}

describe('given labelled queries in the workspace', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		await write(fileUri(file), queries);
	});
	after(async () => {
		restoreDialogs();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.workspace.fs.delete(fileUri(file));
		await write(configUri(), original);
		await newChat();
	});

	it('when search is evaluated, then the report has the figures, the miss, and what may help', async () => {
		pick(file);
		const offers = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.evaluateSearch);
		const text = report() ?? '';
		assert.match(text, /\*\*Search misses much\*\*: for only 1 of 2 queries/);
		assert.match(text, /\*\*Recall@5\*\* \| 50\s% \|/);
		assert.match(text, /\*\*False answers\*\* \| 0 of 1 \|/);
		assert.match(text, /### gubbins \(line 4\)\n\n`git:git_blame`: not found\./);
		assert.match(text, /- `gubbins` in the hint of `git:git_blame`: “gubbins”/);
		assert.match(
			text,
			/`filesystem:read_text_fil`: no tool goes by this name; did you mean `filesystem:read_text_file`/,
		);
		assert.match(String(offers.at(-1)?.[0]), /1 hint may help/);
		assert.equal(activeUri()?.scheme, ids.evaluationScheme);
	});

	it('when the hint is applied, then it stands in the file with the comments, and the query is right', async () => {
		Object.defineProperty(vscode.window, 'showQuickPick', {
			value: async (items: readonly unknown[]) => items,
			configurable: true,
			writable: true,
		});
		await vscode.commands.executeCommand(commands.applyHints);
		const text = await textOf(configUri());
		assert.match(text, /"tools": \{ ?\s*"git_blame": \{ "search_hint": "gubbins" \}/);
		const comments = (all: string) => all.split('\n').filter((line) => line.includes('//'));
		assert.deepEqual(comments(text), comments(original));
		await eventually('the figures after the change', () =>
			/\*\*Recall@5\*\* \| 100\s% \| 50\s% \|/.test(report() ?? '') ? true : undefined,
		);
	});

	it('when the change is undone, then the file is as it was', async () => {
		const { document } = await vscode.window.showTextDocument(configUri());
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), original);
		await document.save();
	});
});

describe('given a chat that has called a tool for what was asked', () => {
	const message = 'read the text file docs/architecture.md';
	before(async () => {
		await serversListed();
		await ask(message);
	});
	after(async () => {
		restoreDialogs();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await newChat();
	});

	it('when the user does not agree, then nothing is evaluated', async () => {
		const earlier = report();
		pick('Past Chats');
		const questions = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.evaluateSearch);
		assert.equal(report(), earlier);
		assert.match(JSON.stringify(questions), /"modal":true,"detail":"Your messages and the words of searches/);
	});

	it('when the user agrees, then search is evaluated on what was asked', async () => {
		pick('Past Chats');
		answer('showInformationMessage', 'Evaluate');
		await vscode.commands.executeCommand(commands.evaluateSearch);
		await eventually('the report', () => report()?.match(/of `your past chats`[\s\S]*Recall@5/)?.[0]);
	});
});
