import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { oneLine } from '../../common/text.ts';
import { addressOf } from '../../config/models/clientDefinition.ts';
import { isUnencrypted } from '../../config/servers/address.ts';
import type { Configuration } from '../core/configuration.ts';
import { type Additions, type KeyClient, keyFault } from '../core/keyRules.ts';
import type { AskedSecret, SecretAnswer } from '../core/keyStore.ts';

/** Characters of one name, and of several. */
const shownCharacters = 80;
const namesCharacters = 300;

/** Asks whether a variable's secret may go to a client's address, as its key or in a header. */
export async function askToSend(
	client: KeyClient,
	{ variable, as, isOfWorkspace }: AskedSecret,
	configFile: Configuration,
): Promise<SecretAnswer> {
	const address = addressOf(client);
	const [send, replace] = [l10n.t('Send'), l10n.t('Set Another Key…')];
	const [name, file] = subject(client, configFile);
	const facts = [
		as === 'key'
			? l10n.t('The client “{0}” in {1} requires a key for this URL.', name, file)
			: l10n.t('The client “{0}” in {1} sends it to this URL in a header.', name, file),
		...(isOfWorkspace
			? [
					l10n.t(
						'{0} is in {1}. Your messages and tool results go to the account of the person who made this key.',
						variable,
						dotenvOf(client),
					),
				]
			: []),
		...readableWarning(address),
		l10n.t('Your answer is remembered for this URL. To change it, run “Discovery: Set API Key or Secret…”.'),
	];
	const question = l10n.t('Send the secret in {0} to {1}?', variable, address);
	const chosen = await ask(question, facts, send, ...(as === 'key' ? [replace] : []));
	if (chosen === send) return { kind: 'send' };
	const key = chosen === replace ? await enterKey(client) : undefined;
	return key === undefined ? { kind: 'declined' } : { kind: 'replace', key };
}

/** Asks whether chats may go to an address that only the configuration names, or with what a workspace's file adds. */
export async function askForChat(
	client: KeyClient,
	added: Additions,
	configFile: Configuration,
): Promise<boolean> {
	const address = addressOf(client);
	const send = l10n.t('Send');
	const facts = [
		l10n.t(
			'The client “{0}” in {1} uses this URL. Your messages and tool results are sent there.',
			...subject(client, configFile),
		),
		...(added.names.length > 0
			? [
					l10n.t(
						'{0} adds headers or fields, which can decide whose account is used and where the messages go: {1}.',
						shownFile(added.file, configFile),
						oneLine(added.names.join(', '), namesCharacters),
					),
				]
			: []),
		...(isUnencrypted(address)
			? [l10n.t('The connection is not encrypted. Others on the network can read the chat.')]
			: []),
		l10n.t('Your answer is remembered for this URL. To change it, run “Discovery: Set API Key or Secret…”.'),
	];
	return (await ask(l10n.t('Send this chat to {0}?', address), facts, send)) === send;
}

function ask(question: string, facts: readonly string[], ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showWarningMessage(question, { modal: true, detail: facts.join('\n\n') }, ...buttons);
}

/** The client's name, and the file that defines it. */
function subject(client: KeyClient, configFile: Configuration): [client: string, file: string] {
	return [oneLine(client.name, shownCharacters), shownFile(client.file, configFile)];
}

function shownFile(address: string, configFile: Configuration): string {
	const file = configFile.fileAt(address);
	const label = file?.place.folder ? vscode.workspace.asRelativePath(file.place.uri) : file?.label;
	return label ?? l10n.t('the configuration');
}

/** The `.env` beside a client's file. */
function dotenvOf({ file }: KeyClient): string {
	return vscode.workspace.asRelativePath(vscode.Uri.joinPath(vscode.Uri.parse(file), '..', '.env'));
}

/** The scope of tokens for Azure models (https://learn.microsoft.com/azure/foundry/openai/how-to/managed-identity). */
const azureScope = 'https://cognitiveservices.azure.com/.default';

/** A token of the user's Microsoft account, which VS Code requests and renews; `undefined`: no sign-in. */
export async function microsoftToken(): Promise<string | undefined> {
	try {
		const session = await vscode.authentication.getSession('microsoft', [azureScope], { createIfNone: true });
		return session.accessToken;
	} catch {
		return undefined;
	}
}

export function keyTitle({ name }: KeyClient): string {
	return l10n.t('Set API Key of “{0}”', oneLine(name, shownCharacters));
}

/** Asks for a client's key; `undefined`: cancelled. */
export async function enterKey(client: KeyClient): Promise<string | undefined> {
	const address = addressOf(client);
	const storage = l10n.t(
		"The key for {0}. Stored in VS Code's secret storage and sent only to this URL.",
		address,
	);
	const prompt = [storage, ...readableWarning(address)].join(' ');
	const key = await vscode.window.showInputBox({
		// In the prompt, brackets in a name would become a link.
		title: keyTitle(client),
		prompt,
		password: true,
		ignoreFocusOut: true,
		validateInput: keyFault,
	});
	return key?.trim();
}

function readableWarning(address: string): string[] {
	return isUnencrypted(address)
		? [l10n.t('The connection is not encrypted. Others on the network can read the key.')]
		: [];
}
