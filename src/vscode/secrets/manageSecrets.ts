import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import type { ForeignInput } from '../../config/import/foreignServers.ts';
import { hijacksProcess, redirectsTraffic } from '../../config/secrets/environmentNames.ts';
import { serverVariables, withSecrets } from '../../config/secrets/variables.ts';
import type { Services } from '../../services.ts';
import { type CurrentText, folderOf } from '../config/configFile.ts';
import { labelText } from '../ui/labelText.ts';
import type { SecretVariables } from './secretVariables.ts';

/** Characters of a description, and of a value that can be chosen, that a question shows. */
const shownCharacters = 100;

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
	const current = await configFile.current();
	if (!current)
		throw new Error(l10n.t('open a folder first; secrets are stored for the servers of its configuration.'));
	const folder = folderOf(current.uri);
	if (typeof named === 'string') {
		await enterSecret(named, folder, secrets);
		return;
	}
	const placeHolder = l10n.t('Secrets that servers of this folder read as {0}', usage);
	const chosen = await vscode.window.showQuickPick(secretItems(current, folder, secrets), {
		title: title(),
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
	const chosen = await vscode.window.showQuickPick([replace, remove], { title: title(), placeHolder: name });
	await chosen?.run();
}

async function removeSecret(name: string, folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	await secrets.remove(folder, [name]);
	vscode.window.setStatusBarMessage(l10n.t('Discovery: the stored secret {0} is removed.', name), 5000);
}

async function addSecret(folder: vscode.Uri, secrets: SecretVariables): Promise<void> {
	const name = await vscode.window.showInputBox({
		title: l10n.t('Add Secret'),
		prompt: l10n.t('Name of the variable. A server reads it as {0}.', usage),
		placeHolder: l10n.t('NAME'),
		ignoreFocusOut: true,
		validateInput: (text) => nameFault(text.trim()),
	});
	if (name !== undefined) await enterSecret(name.trim(), folder, secrets);
}

/**
 * Has the user enter the value of a secret, and stores it; false: they did not. `asked`: how another program asks for it, with the
 * values that it offers.
 */
export async function enterSecret(
	name: string,
	folder: vscode.Uri,
	secrets: SecretVariables,
	asked: ForeignInput = { password: true },
): Promise<boolean> {
	const value = asked.options ? await chooseValue(name, asked, asked.options) : await typeValue(name, asked);
	if (!value || nameFault(name)) return false;
	await secrets.store(folder, [{ name, value }]);
	return true;
}

function typeValue(name: string, asked: ForeignInput): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: questionTitle(name, asked),
		prompt: l10n.t('It is kept in VS Code’s secret storage, for the servers of this folder that name it.'),
		value: asked.default ?? '',
		password: asked.password || nameVerdict(name) === 'secret',
		ignoreFocusOut: true,
		validateInput: (text) => (text === '' ? l10n.t('Enter a value.') : undefined),
	});
}

/** The default comes first, so that Enter takes it. */
async function chooseValue(
	name: string,
	asked: ForeignInput,
	options: NonNullable<ForeignInput['options']>,
): Promise<string | undefined> {
	const items = options.map(({ value, label = value }) => ({
		label: labelText(label, shownCharacters),
		description: [
			...(label === value ? [] : [labelText(value, shownCharacters)]),
			...(value === asked.default ? [l10n.t('default')] : []),
		].join(' · '),
		value,
	}));
	const sorted = items.toSorted(
		(a, b) => Number(b.value === asked.default) - Number(a.value === asked.default),
	);
	const title = questionTitle(name, asked);
	const placeHolder = l10n.t(
		'It is kept in VS Code’s secret storage, for the servers of this folder that name it.',
	);
	return (await vscode.window.showQuickPick(sorted, { title, placeHolder, ignoreFocusOut: true }))?.value;
}

/** In the title, since brackets in a prompt would make a link. */
function questionTitle(name: string, { description }: ForeignInput): string {
	return description === undefined
		? l10n.t('Enter Secret {0}', name)
		: l10n.t('Enter {0}: {1}', name, labelText(description, shownCharacters));
}

function nameFault(name: string): string | undefined {
	if (!/^[A-Za-z_]\w*$/.test(name))
		return l10n.t('A name has letters, digits and “_”, and does not begin with a digit.');
	return hijacksProcess(name) || redirectsTraffic(name)
		? l10n.t('This variable changes how programs run; it cannot be stored here.')
		: undefined;
}

function title(): string {
	return l10n.t('Manage Stored Secrets');
}
