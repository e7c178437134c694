import * as vscode from 'vscode';
import { isReadableOnTheWay } from '../../config/address.ts';
import { oneLine } from '../../discovery/text.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { keyFault } from './keyRules.ts';
import type { KeyAnswer, KeyRequest } from './keyStore.ts';

/** Characters of a client's name that a question shows. */
const shownCharacters = 80;

/** Asks whether the key in a variable may go to an address that it was not made for. */
export async function askToSend(
	request: KeyRequest,
	variable: string,
	configFile: ConfigFile,
): Promise<KeyAnswer> {
	const { origin, client } = request;
	const { state } = configFile;
	const file = 'uri' in state ? vscode.workspace.asRelativePath(state.uri) : 'the configuration';
	const send = 'Send Key';
	const replace = 'Set Another Key…';
	const detail = [
		`The client “${oneLine(client, shownCharacters)}” in ${file} wants a key for this address.`,
		...readableWarning(origin),
		'“Send Key” is remembered for this address; “Discovery: Set API Key…” takes it back.',
	].join('\n\n');
	const question = `Send the key in ${variable} to ${origin}?`;
	const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, send, replace);
	if (chosen === send) return { kind: 'send' };
	const key = chosen === replace ? await enterKey(request) : undefined;
	return key === undefined ? { kind: 'declined' } : { kind: 'replace', key };
}

/** Has the user enter the key that a client is to send; `undefined`: they did not. */
export async function enterKey({ origin, client }: KeyRequest): Promise<string | undefined> {
	const kept = `The key for ${origin}. It is kept in VS Code's secret storage and sent to this address only.`;
	const prompt = [kept, ...readableWarning(origin)].join(' ');
	const key = await vscode.window.showInputBox({
		// In the prompt, brackets in a client's name would make a link.
		title: `Set API Key of “${oneLine(client, shownCharacters)}”`,
		prompt,
		password: true,
		ignoreFocusOut: true,
		validateInput: keyFault,
	});
	return key?.trim();
}

function readableWarning(origin: string): string[] {
	return isReadableOnTheWay(origin)
		? ['The connection is not encrypted: the key can be read on the way.']
		: [];
}
