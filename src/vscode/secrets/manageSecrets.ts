import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverVariables } from '../../config/missingReferences.ts';
import { withSecrets } from '../../config/secrets/variables.ts';
import type { Services } from '../../services.ts';
import { chooseFile } from '../ui/configChange.ts';
import { commands } from '../ui/ids.ts';
import { dialogTitle, say } from '../ui/messages.ts';
import { enterSecret, secretNameFault } from '../ui/secretInput.ts';
import type { CurrentText } from '../ui/textFiles.ts';
import type { SecretVariables } from './secretVariables.ts';

/** How a configuration reads a variable. */
const usage = `\${env:NAME}`;

interface SecretItem extends vscode.QuickPickItem {
	readonly run: () => Promise<unknown>;
}

/** Lets the user enter, replace and remove the secrets that servers read; `named`: enter this one. Shows no value. */
export async function manageSecrets(
	{ configFile, secrets }: Pick<Services, 'configFile' | 'secrets'>,
	named: unknown,
): Promise<void> {
	const placeHolder = l10n.t('Choose the configuration whose servers read the secrets');
	const file = await chooseFile({ configFile }, { command: commands.manageSecrets, placeHolder });
	const current = file && (await configFile.current(file.place.uri));
	if (!current) return;
	const { folder } = current;
	if (typeof named === 'string') {
		await enterSecret(named, folder, secrets);
		return;
	}
	const chosen = await vscode.window.showQuickPick(secretItems(current, folder, secrets), {
		title: dialogTitle(commands.manageSecrets),
		placeHolder: l10n.t('Secrets that servers of this configuration read as {0}', usage),
		matchOnDescription: true,
	});
	await chosen?.run();
}

function secretItems(
	{ text, scope }: CurrentText,
	folder: vscode.Uri,
	secrets: SecretVariables,
): readonly SecretItem[] {
	const read = serverVariables(text ?? '');
	const { env } = withSecrets(scope);
	const stored = secrets.names(folder);
	const missing = read.filter((name) => env[name] === undefined);
	return [
		...missing.map((name) => ({
			label: name,
			description: l10n.t('not set; a server reads it'),
			iconPath: new vscode.ThemeIcon('warning'),
			run: () => enterSecret(name, folder, secrets),
		})),
		...stored.map((name) => ({
			label: name,
			description: storedText(scope.env[name] !== undefined, read.includes(name)),
			iconPath: new vscode.ThemeIcon('lock'),
			run: () => changeSecret(name, folder, secrets),
		})),
		{
			label: l10n.t('Add Secret…'),
			iconPath: new vscode.ThemeIcon('add'),
			run: () => addSecret(folder, secrets),
		},
	];
}

function storedText(isOverridden: boolean, isRead: boolean): string {
	if (isOverridden) return l10n.t('stored, but the environment or .env sets it, which counts');
	return isRead ? l10n.t('stored') : l10n.t('stored, but no server reads it');
}

async function changeSecret(name: string, folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	const replace = {
		label: l10n.t('Replace…'),
		iconPath: new vscode.ThemeIcon('key'),
		run: () => enterSecret(name, folder, secrets),
	};
	const remove = {
		label: l10n.t('Remove'),
		iconPath: new vscode.ThemeIcon('trash'),
		run: () => removeSecret(name, folder, secrets),
	};
	const chosen = await vscode.window.showQuickPick([replace, remove], {
		title: dialogTitle(commands.manageSecrets),
		placeHolder: name,
	});
	await chosen?.run();
}

async function removeSecret(name: string, folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	await secrets.remove(folder, [name]);
	say(l10n.t('the stored secret {0} is removed.', name));
}

async function addSecret(folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	const name = await vscode.window.showInputBox({
		title: l10n.t('Add Secret'),
		prompt: l10n.t('Name of the variable. A server reads it as {0}.', usage),
		placeHolder: l10n.t('NAME'),
		ignoreFocusOut: true,
		validateInput: (text) => secretNameFault(text.trim()),
	});
	if (name !== undefined) await enterSecret(name.trim(), folder, secrets);
}
