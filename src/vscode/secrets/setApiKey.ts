import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addressOf, type ClientDefinition } from '../../config/models/clientDefinition.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyClient } from '../core/keyRules.ts';
import type { KeySource, KeyStore } from '../core/keyStore.ts';
import { labelText } from '../ui/labelText.ts';
import { offerAgain, say } from '../ui/messages.ts';
import { enterKey, keyTitle } from './keyDialogs.ts';

/** Stores, replaces or removes a client's key. `failed`: the message that the client refused without a key. */
export async function setApiKey(
	{ configFile, keys }: { readonly configFile: Configuration; readonly keys: KeyStore },
	client: ClientDefinition,
	failed?: string,
): Promise<void> {
	const models = [...(configFile.inForce?.config.models.values() ?? [])];
	const names = models.filter((model) => isDeepStrictEqual(model.client, client)).map(({ name }) => name);
	const address = addressOf(client);
	const source = await keys.sourceFor(client);
	const choices: KeyChoice[] = [
		choice('key', l10n.t('Enter Key…'), () => enterAndStore(client, keys, names, failed)),
	];
	if (source.kind === 'stored')
		choices.push(
			choice('trash', l10n.t('Remove Stored Key'), async () => {
				await keys.remove(client);
				say(l10n.t('removed the key for {0}.', address));
			}),
		);
	if (source.kind === 'declined')
		choices.push(
			choice('question', l10n.t('Ask Again About {0}', source.variable ?? ''), async () => {
				await keys.forgetAnswers(client);
				say(l10n.t('VS Code asks again when {0} requires a key.', address));
			}),
		);
	for (const variable of keys.agreedVariables(client))
		choices.push(
			choice('circle-slash', l10n.t('Stop Sending {0}', variable), async () => {
				await keys.forgetAnswers(client);
				say(l10n.t('{0} no longer receives a key from the environment.', address));
			}),
		);
	if (keys.hasAgreedToChats(client))
		choices.push(
			choice('comment', l10n.t('Ask Again Before Chats'), async () => {
				await keys.forgetAnswers(client);
				say(l10n.t('VS Code asks again before it sends a chat to {0}.', address));
			}),
		);
	const options = { title: keyTitle(client), placeHolder: l10n.t('Key for {0}', address) };
	const chosen = choices.length > 1 ? await vscode.window.showQuickPick(choices, options) : choices[0];
	await chosen?.run();
}

export function sourceText({ kind, variable = '' }: KeySource): string {
	switch (kind) {
		case 'stored':
			return l10n.t('key stored');
		case 'variable':
			return l10n.t('key from {0}', variable);
		case 'ask':
			return l10n.t('not set; {0} is sent if you agree', variable);
		case 'declined':
			return l10n.t('not set; you declined to send {0}', variable);
		case 'none':
			return l10n.t('no key');
	}
}

interface KeyChoice extends vscode.QuickPickItem {
	readonly run: () => Promise<void>;
}

function choice(icon: string, label: string, run: () => Promise<void>): KeyChoice {
	return { label, iconPath: new vscode.ThemeIcon(icon), run };
}

async function enterAndStore(
	client: KeyClient,
	keys: KeyStore,
	models: readonly string[],
	failed: string | undefined,
): Promise<void> {
	const key = await enterKey(client);
	if (key === undefined) return;
	await keys.store(client, key);
	const stored = l10n.t(
		'stored the key of “{0}”. It is sent to {1}.',
		labelText(client.name),
		addressOf(client),
	);
	const text =
		models.length > 0 ? `${stored} ${l10n.t('Models: {0}.', labelText(models.join(', ')))}` : stored;
	const again = () =>
		vscode.commands.executeCommand('workbench.action.chat.open', {
			query: `@discovery ${failed}`,
			preserveInput: true,
		});
	offerAgain(text, failed === undefined ? undefined : again);
}
