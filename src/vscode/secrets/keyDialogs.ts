import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { oneLine } from '../../common/text.ts';
import { isUnencrypted } from '../../config/servers/address.ts';
import type { Services } from '../../services.ts';
import { type KeyClient, keyFault, originOf } from './keyRules.ts';
import type { KeyAnswer } from './keyStore.ts';

const shownCharacters = 80;

/** Asks whether a variable's key may go to an address that it was not made for. */
export async function askToSendKey(
	client: KeyClient,
	variable: string,
	configFile: Services['configFile'],
): Promise<KeyAnswer> {
	const origin = originOf(client);
	const send = l10n.t('Send Key');
	const replace = l10n.t('Set Another Key…');
	const facts = [
		l10n.t('The client “{0}” in {1} requires a key for this URL.', ...subject(client, configFile)),
		...keyFacts(origin),
	];
	const chosen = await ask(l10n.t('Send the key in {0} to {1}?', variable, origin), facts, send, replace);
	if (chosen === send) return { kind: 'send' };
	const key = chosen === replace ? await enterKey(client) : undefined;
	return key === undefined ? { kind: 'declined' } : { kind: 'replace', key };
}

/** Asks whether a variable's secret may go to an address in a configured header. */
export async function askToSendHeader(
	client: KeyClient,
	variable: string,
	configFile: Services['configFile'],
): Promise<boolean> {
	const origin = originOf(client);
	const send = l10n.t('Send');
	const facts = [
		l10n.t('The client “{0}” in {1} sends it to this URL in a header.', ...subject(client, configFile)),
		...keyFacts(origin),
	];
	return (await ask(l10n.t('Send the secret in {0} to {1}?', variable, origin), facts, send)) === send;
}

function keyFacts(origin: string): readonly string[] {
	return [
		...readableWarning(origin),
		l10n.t('Your answer is remembered for this URL. To change it, run “Discovery: Set API Key or Secret…”.'),
	];
}

/** Asks whether chats may go to an address that only the configuration names. */
export async function askConsent(client: KeyClient, configFile: Services['configFile']): Promise<boolean> {
	const origin = originOf(client);
	const send = l10n.t('Send');
	const facts = [
		l10n.t(
			'The client “{0}” in {1} uses this URL. Your messages and tool results are sent there.',
			...subject(client, configFile),
		),
		...(isUnencrypted(origin)
			? [l10n.t('The connection is not encrypted. Others on the network can read the chat.')]
			: []),
		l10n.t('Your answer is remembered for this URL.'),
	];
	return (await ask(l10n.t('Send this chat to {0}?', origin), facts, send)) === send;
}

function ask(question: string, facts: readonly string[], ...buttons: string[]): Thenable<string | undefined> {
	return vscode.window.showWarningMessage(question, { modal: true, detail: facts.join('\n\n') }, ...buttons);
}

/** The client's name, and the file that defines it. */
function subject(client: KeyClient, configFile: Services['configFile']): [client: string, file: string] {
	const file = configFile.fileAt(client.file);
	const shown = file?.place.folder ? vscode.workspace.asRelativePath(file.place.uri) : file?.label;
	return [oneLine(client.name, shownCharacters), shown ?? l10n.t('the configuration')];
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
	const origin = originOf(client);
	const kept = l10n.t(
		"The key for {0}. Stored in VS Code's secret storage and sent only to this URL.",
		origin,
	);
	const prompt = [kept, ...readableWarning(origin)].join(' ');
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

function readableWarning(origin: string): string[] {
	return isUnencrypted(origin)
		? [l10n.t('The connection is not encrypted. Others on the network can read the key.')]
		: [];
}
