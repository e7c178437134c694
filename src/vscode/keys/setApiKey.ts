import * as vscode from 'vscode';
import type { ClientDefinition } from '../../config/config.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { enterKey } from './keyDialogs.ts';
import { type KeyRequest, type KeySource, type KeyStore, keyRequest } from './keyStore.ts';

const title = 'Set API Key';

/** Keeps, replaces or removes the key of a client of the configuration. `named`: the client, else the user picks one. */
export async function setApiKey(
	{ configFile, keys }: { readonly configFile: ConfigFile; readonly keys: KeyStore },
	named: unknown,
): Promise<void> {
	const { state } = configFile;
	const clients = state.kind === 'ok' ? [...state.config.clients.values()] : [];
	const client = clients.find(({ name }) => name === named) ?? (await chosenClient(clients, keys));
	if (client) await change(keyRequest(client), keys);
}

async function chosenClient(
	clients: readonly ClientDefinition[],
	keys: KeyStore,
): Promise<ClientDefinition | undefined> {
	if (clients.length === 0) throw new Error('the configuration names no "clients", so no key is needed.');
	if (clients.length === 1) return clients[0];
	const items = clients.map(async (client) => ({
		label: client.name,
		description: client.baseUrl,
		detail: `Key: ${sourceText(await keys.sourceFor(keyRequest(client)))}`,
		client,
	}));
	const placeHolder = 'Which client is the key for?';
	return (await vscode.window.showQuickPick(Promise.all(items), { title, placeHolder }))?.client;
}

function sourceText({ kind, variable }: KeySource): string {
	switch (kind) {
		case 'stored':
			return 'stored';
		case 'variable':
			return `from ${variable}`;
		case 'ask':
			return `none yet; that of ${variable} is sent if you agree`;
		case 'declined':
			return `none; you did not let that of ${variable} be sent`;
		case 'none':
			return 'none';
	}
}

async function change(request: KeyRequest, keys: KeyStore): Promise<void> {
	const { origin } = request;
	const source = await keys.sourceFor(request);
	const enter = { label: '$(key) Enter Key…', run: () => enterAndStore(request, keys) };
	const undoing = [
		...(source.kind === 'stored'
			? [{ label: '$(trash) Remove Stored Key', run: () => remove(origin, keys) }]
			: []),
		...(source.kind === 'declined'
			? [{ label: `$(question) Ask Again About ${source.variable}`, run: () => askAgain(origin, keys) }]
			: []),
		...keys.agreedVariables(origin).map((variable) => ({
			label: `$(circle-slash) Stop Sending ${variable}`,
			run: () => stopSending(origin, keys),
		})),
	];
	const options = { title, placeHolder: `Key for ${origin}` };
	const chosen =
		undoing.length === 0 ? enter : await vscode.window.showQuickPick([enter, ...undoing], options);
	await chosen?.run();
}

async function enterAndStore(request: KeyRequest, keys: KeyStore): Promise<void> {
	const { origin } = request;
	const key = await enterKey(request);
	if (key === undefined) return;
	await keys.store(origin, key);
	say(`the key for ${origin} is stored, and sent from now on.`);
}

async function remove(origin: string, keys: KeyStore): Promise<void> {
	await keys.remove(origin);
	say(`the key for ${origin} is removed.`);
}

async function askAgain(origin: string, keys: KeyStore): Promise<void> {
	await keys.forgetAnswers(origin);
	say(`you are asked again when ${origin} wants a key.`);
}

async function stopSending(origin: string, keys: KeyStore): Promise<void> {
	await keys.forgetAnswers(origin);
	say(`${origin} gets no key from the environment any more.`);
}

function say(what: string): void {
	vscode.window.setStatusBarMessage(`Discovery: ${what}`, 5000);
}
