import * as assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import { defaultPolicy, everythingDeferred } from '../../../src/discovery/catalog/policy.ts';
import type { TaughtTool } from '../../../src/discovery/evaluation/comparison.ts';
import type { LogEntry } from '../../../src/discovery/session/logEntry.ts';
import { showTeaching } from '../../../src/vscode/evaluation/searchEvaluator.ts';
import { UndoHistory } from '../../../src/vscode/placement/undo.ts';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { activeUri, ReadingDocuments } from '../../../src/vscode/ui/readingEditor.ts';
import { answer, answerEach, pick, restoreDialogs } from './dialogs.ts';
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

	it('when search is evaluated, then the report shows the figures, the missed query and suggestions', async () => {
		pick(file);
		const offers = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.evaluateSearch);
		const text = report() ?? '';
		assert.match(text, /\*\*Search misses a lot:\*\* .* 1 of 2 queries/);
		assert.match(text, /\| Right tools in the top 5 \| 1 of 2 \|/);
		assert.match(text, /\| Unexpected results \| 0 of 1 \|/);
		assert.match(text, /\| gubbins \(line 4\) \| `git:git_blame` \| not found \|/);
		assert.match(text, /- Add `gubbins` to the hint of `git:git_blame`: “gubbins”/);
		assert.match(
			text,
			/`filesystem:read_text_fil`: no tool has this name\. Did you mean `filesystem:read_text_file`/,
		);
		assert.match(String(offers.at(-1)?.[0]), /1 hint may improve search/);
		assert.deepEqual(offers.at(-1)?.slice(1), ['Apply Hints…', 'Teach Search…']);
		assert.match(text, /## What may help[\s\S]*\*\*Discovery: Teach Search…\*\* lets a language model/);
		assert.equal(activeUri()?.scheme, ids.evaluationScheme);
	});

	it('when the hint is applied, then the file contains it, keeps its comments, and the query succeeds', async () => {
		Object.defineProperty(vscode.window, 'showQuickPick', {
			value: async (items: readonly vscode.QuickPickItem[], { canPickMany }: vscode.QuickPickOptions) =>
				canPickMany ? items : items.find(({ label }) => label === file),
			configurable: true,
			writable: true,
		});
		answerEach('showInformationMessage', ['Apply Hints…']);
		await vscode.commands.executeCommand(commands.evaluateSearch);
		const text = await eventually('the hint to be written', async () => {
			const now = await textOf(configUri());
			// A file that is being written may be read in part.
			return now !== original && now.endsWith(original.slice(-3)) ? now : undefined;
		});
		assert.match(text, /"tools": \{ ?\s*"git_blame": \{ "search_hint": "gubbins" \}/);
		const comments = (all: string) => all.split('\n').filter((line) => line.includes('//'));
		assert.deepEqual(comments(text), comments(original));
		await eventually('the figures after the change', () =>
			/\| Right tools in the top 5 \| 2 of 2 \| 1 of 2 \|/.test(report() ?? '') ? true : undefined,
		);
	});

	it('when the edit is undone, then the file is as before', async () => {
		const { document } = await vscode.window.showTextDocument(configUri());
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), original);
		await document.save();
	});
});

describe('given a chat that has called a tool for a message', () => {
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

	it('when the user declines, then nothing is evaluated', async () => {
		const earlier = report();
		pick('Past Chats');
		const questions = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.evaluateSearch);
		assert.equal(report(), earlier);
		assert.match(JSON.stringify(questions), /"modal":true,"detail":"Uses .*your messages and searches/);
	});

	it('when the user agrees, then search is evaluated with past messages', async () => {
		pick('Past Chats');
		answer('showInformationMessage', 'Evaluate');
		await vscode.commands.executeCommand(commands.evaluateSearch);
		await eventually(
			'the report',
			() => report()?.match(/from `your past chats`[\s\S]*Right tools in the top 5/)?.[0],
		);
	});
});

/** A query that search misses, and one that nothing answers. */
const missed = 'shuffle gubbins';
const pizza = 'order a pizza with extra cheese';
const learned = (server: string, name: string, query: string): TaughtTool => ({
	server,
	name,
	after: { queries: [query] },
});

describe('given search that has learned descriptions of tools', () => {
	const examples = fileUri('search.queries.jsonc');
	const servers = Object.entries({ filesystem: ['move_file'], git: ['git_merge', 'git_tag'] }).map(
		([server, names]) => ({
			name: server,
			tools: names.map((name) => ({ server, name, inputSchema: { type: 'object' } })),
		}),
	);
	let reports: ReadingDocuments<undefined>;
	let original: string;

	/** What a window of its own, whose chat has this log, shows of what it was taught. */
	async function teach(
		tools: readonly TaughtTool[],
		log: readonly LogEntry[] = [],
		undo = new UndoHistory(),
	): Promise<string> {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const sessions = new ChatSessions();
		sessions.setPolicy(everythingDeferred(defaultPolicy, ['filesystem', 'git']), new Map());
		sessions.setCatalog(servers);
		if (log.length > 0) sessions.open({ id: 'earlier', answers: 0 }, log);
		const change = { tools, undo: async () => {} };
		await showTeaching({ sessions, ui: { documents: { reports } }, undo }, change);
		const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.path.includes('Search Learned'));
		return documents.at(-1)?.getText() ?? '';
	}

	before(async () => {
		reports = new ReadingDocuments('test-what-search-learned', () => '');
		original = await textOf(examples);
	});
	after(async () => {
		restoreDialogs();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		reports.dispose();
		await write(examples, original);
	});

	it('when results get worse, then a warning says so', async () => {
		const warnings = answer('showWarningMessage', undefined);
		const report = await teach(['git_merge', 'git_tag'].map((name) => learned('git', name, pizza)));
		assert.match(String(warnings[0]?.[0]), /Search works worse for the tested queries\./);
		assert.match(report, /\| Unexpected results \| 1 of 1 \| 0 of 1 \|/);
	});

	it('when it is undone, by command or in the notification, then its report closes, and no other', async () => {
		const tools = [learned('filesystem', 'move_file', missed)];
		const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
		const notified = Promise.withResolvers<string>();
		answerEach('showInformationMessage', [undefined, notified.promise]);
		const undo = new UndoHistory();
		for (const undoIt of [() => undo.undo(), () => notified.resolve('Undo')]) {
			await teach(tools, [], undo);
			await reports.open('Another.md', { text: '# Another', source: undefined });
			assert.deepEqual(tabs(), ['What Search Learned.md', 'Another.md']);
			await undoIt();
			await eventually('the report to close', () => tabs().join() === 'Another.md');
		}
	});

	it('when the workspace has no queries, then chat searches are used, or the notification says that none were', async () => {
		await vscode.workspace.fs.delete(examples);
		const notices = answer('showInformationMessage', undefined);
		const tools = [learned('filesystem', 'move_file', missed)];
		const report = await teach(tools, [
			{ at: 0, kind: 'turn', model: 'm', loading: 'append', prompt: 'a secret of mine' },
			{ at: 0, kind: 'search', words: missed, found: { names: [], count: 0 } },
			{ at: 0, kind: 'call', server: 'filesystem', tool: 'move_file', ms: 1, failed: false },
		]);
		assert.match(
			report,
			/\*\*Search works better for the tested queries\.\*\*[\s\S]*1 query from `your chats’ searches`/,
		);
		// Nobody has agreed to that.
		assert.doesNotMatch(report, /secret/);
		await teach(tools);
		assert.match(String(notices.at(-1)?.[0]), /Not evaluated/);
	});
});
