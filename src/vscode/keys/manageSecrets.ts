import * as vscode from 'vscode';
import { hijacksProcess, redirectsTraffic } from '../../config/environmentNames.ts';
import { serverVariables } from '../../config/serverVariables.ts';
import { withSecrets } from '../../config/variables.ts';
import { type ConfigFile, type CurrentText, folderOf } from '../config/configFile.ts';
import type { SecretVariables } from './secretVariables.ts';

const title = 'Manage Stored Secrets';

/** What the command works on. */
export interface SecretParts {
	readonly configFile: ConfigFile;
	readonly secrets: SecretVariables;
}

interface SecretItem extends vscode.QuickPickItem {
	readonly run: () => Promise<unknown>;
}

/** Lets the user enter, replace and remove the secrets that servers read; `named`: enter this one. Shows no value. */
export async function manageSecrets({ configFile, secrets }: SecretParts, named: unknown): Promise<void> {
	const current = await configFile.current();
	if (!current)
		throw new Error('open a folder first; secrets are stored for the servers of its configuration.');
	const folder = folderOf(current.uri);
	if (typeof named === 'string') {
		await enterSecret(named, folder, secrets);
		return;
	}
	const placeHolder = `Secrets that servers of this folder read as \${env:NAME}`;
	const chosen = await vscode.window.showQuickPick(secretItems(current, folder, secrets), {
		title,
		placeHolder,
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
			label: `$(warning) ${name}`,
			description: 'not set; a server reads it',
			run: () => enterSecret(name, folder, secrets),
		})),
		...stored.map((name) => ({
			label: `$(lock) ${name}`,
			description: storedText(scope.env[name] !== undefined, read.includes(name)),
			run: () => changeSecret(name, folder, secrets),
		})),
		{ label: '$(add) Add Secret…', run: () => addSecret(folder, secrets) },
	];
}

function storedText(isOverridden: boolean, isRead: boolean): string {
	if (isOverridden) return 'stored, but the environment or .env sets it, which counts';
	return isRead ? 'stored' : 'stored, but no server reads it';
}

async function changeSecret(name: string, folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	const replace = { label: '$(key) Replace…', run: () => enterSecret(name, folder, secrets) };
	const remove = { label: '$(trash) Remove', run: () => removeSecret(name, folder, secrets) };
	const chosen = await vscode.window.showQuickPick([replace, remove], { title, placeHolder: name });
	await chosen?.run();
}

async function removeSecret(name: string, folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	await secrets.remove(folder, [name]);
	vscode.window.setStatusBarMessage(`Discovery: the stored secret ${name} is removed.`, 5000);
}

async function addSecret(folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	const name = await vscode.window.showInputBox({
		title: 'Add Secret',
		prompt: `Name of the variable. A server reads it as \${env:NAME}.`,
		placeHolder: 'NAME',
		ignoreFocusOut: true,
		validateInput: (text) => nameFault(text.trim()),
	});
	if (name !== undefined) await enterSecret(name.trim(), folder, secrets);
}

/** Has the user enter the value of a secret, and stores it; false: they did not. */
export async function enterSecret(
	name: string,
	folder: vscode.Uri,
	secrets: SecretVariables,
): Promise<boolean> {
	const value = await vscode.window.showInputBox({
		title: `Enter Secret ${name}`,
		prompt: 'It is kept in VS Code’s secret storage, for the servers of this folder that name it.',
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (text === '' ? 'Enter a value.' : undefined),
	});
	if (!value || nameFault(name)) return false;
	await secrets.store(folder, [{ name, value }]);
	return true;
}

function nameFault(name: string): string | undefined {
	if (!/^[A-Za-z_]\w*$/.test(name))
		return 'A name has letters, digits and “_”, and does not begin with a digit.';
	return hijacksProcess(name) || redirectsTraffic(name)
		? 'This variable changes how programs run; it cannot be stored here.'
		: undefined;
}
