import * as assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import type { CatalogServer } from '../../../src/discovery/catalog/catalog.ts';
import { defaultPolicy, everythingDeferred } from '../../../src/discovery/catalog/policy.ts';
import type { TaughtTool, TeachingChange } from '../../../src/discovery/evaluation/comparison.ts';
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
			return now === original ? undefined : now;
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

/** What the running servers list, as any chat of the editor may ask for it. */
async function realServers(...names: readonly string[]): Promise<CatalogServer[]> {
	return Promise.all(
		names.map(async (name) => {
			const input = { server: name };
			const { content } = await vscode.lm.invokeTool(ids.listTools, {
				input,
				toolInvocationToken: undefined,
			});
			const [part] = content;
			assert.ok(part instanceof vscode.LanguageModelTextPart);
			const listed: { tool: string; description: string }[] = JSON.parse(part.value).tools;
			const tools = listed.map(({ tool, description }) => ({
				server: name,
				name: tool.slice(name.length + 1),
				description,
				inputSchema: { type: 'object' },
			}));
			return { name, tools };
		}),
	);
}

const examples = 'search.queries.jsonc';
/** The one query of the examples that search misses, and one that nothing answers. */
const missed = 'give this file another name';
const pizza = 'order a pizza with extra cheese';
const learned = (server: string, name: string, ...queries: string[]): TaughtTool => ({
	server,
	name,
	after: { queries },
});

describe('given search that has learned descriptions of real servers’ tools', () => {
	let reports: ReadingDocuments<undefined>;
	const good = learned('filesystem', 'move_file', missed);
	const bad = ['git_merge', 'git_tag'].map((name) => learned('git', name, pizza));
	let servers: CatalogServer[];
	let taken: unknown[][];
	let kept: string;

	/** A window of its own, in which what is taught can be taken back. */
	function teach(tools: readonly TaughtTool[], log: readonly LogEntry[] = []) {
		const sessions = new ChatSessions();
		sessions.setPolicy(
			everythingDeferred(
				defaultPolicy,
				servers.map(({ name }) => name),
			),
			new Map(),
		);
		sessions.setCatalog(servers);
		if (log.length > 0) sessions.open({ id: 'earlier', answers: 0 }, log);
		const undo = new UndoHistory();
		taken = [];
		const change: TeachingChange = {
			tools,
			undo: async () => void taken.push(['undo']),
		};
		return {
			undo,
			shown: showTeaching({ sessions, ui: { documents: { reports } }, undo }, change),
		};
	}

	function shownReport(): string {
		const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.path.includes('Search Learned'));
		return documents.at(-1)?.getText() ?? '';
	}

	async function closeReports(): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	}

	before(async () => {
		reports = new ReadingDocuments('test-what-search-learned', () => '');
		await serversListed();
		servers = await realServers('filesystem', 'git', 'memory', 'everything');
		kept = await textOf(fileUri(examples));
	});
	after(async () => {
		restoreDialogs();
		await closeReports();
		reports.dispose();
		await write(fileUri(examples), kept);
		await newChat();
	});

	it('when results improve on the workspace’s queries, then the report says so, and Undo reverts it', async () => {
		const notices = answerEach('showInformationMessage', ['Undo']);
		const { undo, shown } = teach([good]);
		await shown;
		const helps =
			/\*\*Search works better for the tested queries\.\*\*[\s\S]*\| Right tools in the top 5 \| (\d+) of 11 \| (\d+) of 11 \|/;
		const [, now, then] = helps.exec(shownReport()) ?? [];
		assert.equal(Number(now), Number(then) + 1, shownReport());
		assert.match(shownReport(), /11 queries from `search\.queries\.jsonc`/);
		assert.match(
			shownReport(),
			/\| give this file another name \(line \d+\) \| `filesystem:move_file` \| rank 1 \| .*\n[\s\S]*### `filesystem:move_file`\n\n“give/,
		);
		assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'What Search Learned.md');
		const [text, ...buttons] = notices.calls[0] ?? [];
		assert.match(
			String(text),
			/^Discovery: descriptions saved for 1 tool\. Search works better for the tested queries\.$/,
		);
		assert.deepEqual(buttons, ['Undo']);
		await eventually('the undo', () => taken.length > 0);
		assert.deepEqual(taken, [['undo']]);
		// What is taken back once is not there to be taken back again.
		assert.equal(await undo.undo(), undefined);
	});

	it('when results get worse, then a warning says so', async () => {
		const warnings = answer('showWarningMessage', undefined);
		await teach(bad).shown;
		assert.match(String(warnings[0]?.[0]), /Search works worse for the tested queries\./);
		assert.match(shownReport(), /\| Unexpected results \| 1 of 1 \| 0 of 1 \|/);
	});

	it('when the workspace has no queries, then chat searches are used, or the report says how to get some', async () => {
		await closeReports();
		await vscode.workspace.fs.delete(fileUri(examples));
		const notices = answer('showInformationMessage', undefined);
		await teach(
			[good],
			[
				{ at: 0, kind: 'turn', model: 'm', loading: 'append', prompt: 'a secret of mine' },
				{ at: 0, kind: 'search', words: missed, found: { names: [], count: 0 } },
				{ at: 0, kind: 'call', server: 'filesystem', tool: 'move_file', ms: 1, failed: false },
			],
		).shown;
		assert.match(
			shownReport(),
			/\*\*Search works better for the tested queries\.\*\*[\s\S]*1 query from `your chats’ searches`/,
		);
		// Nobody has agreed to that.
		assert.doesNotMatch(shownReport(), /secret/);
		await closeReports();
		await teach([good]).shown;
		assert.match(shownReport(), /\*\*Not evaluated\.\*\* There were no queries/);
		assert.match(shownReport(), /### `filesystem:move_file`\n\n“give this file another name”/);
		assert.match(String(notices.at(-1)?.[0]), /Not evaluated/);
	});
});
