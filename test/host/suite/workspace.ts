import * as assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { KeptChats } from '../../../src/chat/keptChats.ts';
import { ChatLog } from '../../../src/discovery/session/chatLog.ts';
import { offlinePlannerDescription } from '../../../src/models/planner/description.ts';
import { Configuration } from '../../../src/vscode/core/configuration.ts';
import { SecretVariables } from '../../../src/vscode/core/secretVariables.ts';
import type { ResultMetadata } from '../../../src/vscode/participant/resultMetadata.ts';
import { ids } from '../../../src/vscode/ui/ids.ts';
import { Log } from '../../../src/vscode/ui/log.ts';

/** Longest wait for something that a loaded machine may take its time over. */
const patienceMs = 40_000;

/** Waits until `look` finds something, and returns it. */
export async function eventually<T>(
	what: string,
	look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
	const started = Date.now();
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		assert.ok(Date.now() - started < patienceMs, `waited ${patienceMs} ms for ${what}`);
		await setTimeout(100);
	}
}

/** The configuration file of the open workspace. */
export function configUri(): vscode.Uri {
	return fileUri('casual_mcp_config.json');
}

/** A file of the open workspace. */
export function fileUri(name: string): vscode.Uri {
	const folder = vscode.workspace.workspaceFolders?.[0];
	assert.ok(folder, 'a folder is open');
	return vscode.Uri.joinPath(folder.uri, name);
}

/** The text of a file of the open workspace as it is on disk. */
export async function textOf(uri: vscode.Uri): Promise<string> {
	return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Longest time that the editor's watcher takes for a change that it has not lost. */
const watcherMs = 5000;

/**
 * Writes a file behind the editor's back, as another program would, and waits until the editor's watcher has told of it. On a loaded machine
 * the watcher loses a change at times, and nothing follows it then: the file is written again.
 */
export async function write(uri: vscode.Uri, text: string): Promise<void> {
	const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
	const folder = vscode.Uri.joinPath(uri, '..');
	const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
	const told = new Promise<true>((resolve) => {
		watcher.onDidChange(() => resolve(true));
		watcher.onDidCreate(() => resolve(true));
	});
	for (let tries = 0; tries < 3; tries++) {
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
		if (await Promise.race([told, setTimeout(watcherMs, false)])) break;
	}
	watcher.dispose();
}

/**
 * Opens the configuration in an editor that has read the file's latest text, without unsaved changes. A document that was open before may not
 * have heard of a write yet: even if it has the same text, saving it would be a conflict.
 */
export async function openConfig(text: string): Promise<vscode.TextEditor> {
	const editor = await vscode.window.showTextDocument(configUri());
	await vscode.commands.executeCommand('workbench.action.files.revert');
	await eventually('the text of the file', () => editor.document.getText() === text || undefined);
	return editor;
}

/** The configuration files as another window would follow them, without secrets. */
export function followed(userFolder: vscode.Uri): Configuration {
	const log = new Log(vscode.window.createOutputChannel('Other window', { log: true }));
	const secrets = new SecretVariables({
		keys: async () => [],
		get: async () => undefined,
		store: async () => {},
		delete: async () => {},
		onDidChange: () => ({ dispose: () => {} }),
	});
	return new Configuration({ log, secrets, userFolder });
}

/** A configuration with more entries, such as clients and models. */
export function withEntries(configuration: string, entries: object): string {
	return configuration.replace('"servers": {', `${JSON.stringify(entries).slice(1, -1)},\n"servers": {`);
}

/** Configures a model with this endpoint, and waits until VS Code offers it. `text`: the rest of the configuration. */
export async function configureModel(text: string, baseUrl: string, name = 'local'): Promise<void> {
	const clients = { loop: { provider: 'openai', base_url: baseUrl } };
	const models = { [name]: { client: 'loop', model: 'gpt-4.1', price: { input: 2, output: 8 } } };
	await write(configUri(), withEntries(text, { clients, models }));
	await eventually(`the model ${name}`, async () => {
		const [model] = await vscode.lm.selectChatModels({ vendor: ids.vendor, id: name });
		return model;
	});
}

/** Calls a language-model tool as any chat of the editor does; returns the text of its result. */
export async function invokeTool(id: string, input: object): Promise<string> {
	const { content } = await vscode.lm.invokeTool(id, { input, toolInvocationToken: undefined });
	return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** Begins a new chat. */
export async function newChat(): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.chat.newChat');
}

/**
 * Sends a message to `@discovery` in the chat panel, waits for the answer, and returns what the history keeps of it. The model is chosen
 * each time: a chat keeps the one that was chosen last, and that one may be gone.
 */
export async function ask(
	message: string,
	model: string = offlinePlannerDescription.id,
	attachFiles: readonly (vscode.Uri | { readonly uri: vscode.Uri; readonly range: object })[] = [],
): Promise<ResultMetadata> {
	const modelSelector = { vendor: ids.vendor, id: model };
	const query = `@discovery ${message}`;
	const options = { query, mode: 'ask', blockOnResponse: true, modelSelector, attachFiles };
	const result = await vscode.commands.executeCommand<vscode.ChatResult | undefined>(
		'workbench.action.chat.open',
		options,
	);
	assert.equal(result?.errorDetails, undefined);
	const metadata: ResultMetadata = result?.metadata ?? {};
	if (metadata.session) logs.set(metadata.session, new ChatLog(await storedLog(metadata.session.id)));
	return metadata;
}

/** The logs of chats, as they were stored after each answer. */
const logs = new WeakMap<object, ChatLog>();

/** What happened in the chat of an answer until then. */
export function logOf({ session }: ResultMetadata): ChatLog {
	return (session && logs.get(session)) ?? new ChatLog();
}

async function storedLog(chat: string) {
	const [file] = globSync(`User/workspaceStorage/*/*/chats/${chat}`, { cwd: process.env.TEST_USER_DATA });
	assert.ok(file, 'the chat is stored');
	return new KeptChats(path.dirname(path.resolve(process.env.TEST_USER_DATA ?? '', file))).read(chat);
}

/** Wire names of what the chat of an answer has loaded. */
export function activated(answer: ResultMetadata): readonly string[] {
	return [...logOf(answer).state.active.tools.keys()];
}

/** Waits until the sample's servers have listed their tools, and begins a new chat. */
export async function serversListed(): Promise<void> {
	for (const server of ['filesystem', 'git', 'memory']) {
		// It fails while the server has no tools.
		const list = () => invokeTool(ids.listTools, { server }).catch(() => '{"tools":[]}');
		await eventually(`${server} to list its tools`, async () => JSON.parse(await list()).tools.length > 0);
	}
	await newChat();
}
