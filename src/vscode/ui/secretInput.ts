import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import type { DraftInput } from '../../config/add/serverDraft.ts';
import { hijacksProcess, redirectsTraffic } from '../../config/secrets/environmentNames.ts';
import type { Services } from '../../services.ts';
import { labelText } from './labelText.ts';

/** Characters of a description, and of a value that can be chosen, that a question shows. */
const shownCharacters = 100;

/**
 * Has the user enter the value of a secret, and stores it; false: they did not. `asked`: how another program asks for it, with the
 * values that it offers.
 */
export async function enterSecret(
	name: string,
	folder: vscode.Uri,
	secrets: Services['keyring']['secrets'],
	asked: DraftInput = { password: true },
): Promise<boolean> {
	const value = asked.options ? await chooseValue(name, asked, asked.options) : await typeValue(name, asked);
	if (!value || secretNameFault(name)) return false;
	await secrets.store(folder, [{ name, value }]);
	return true;
}

function typeValue(name: string, asked: DraftInput): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: questionTitle(name, asked),
		prompt: l10n.t('Stored in VS Code’s secret storage, for servers of this configuration that use it.'),
		value: asked.default ?? '',
		password: asked.password || nameVerdict(name) === 'secret',
		ignoreFocusOut: true,
		validateInput: (text) => (text === '' ? l10n.t('Enter a value.') : undefined),
	});
}

/** The default comes first, so that Enter takes it. */
async function chooseValue(
	name: string,
	asked: DraftInput,
	options: NonNullable<DraftInput['options']>,
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
		'Stored in VS Code’s secret storage, for servers of this configuration that use it.',
	);
	return (await vscode.window.showQuickPick(sorted, { title, placeHolder, ignoreFocusOut: true }))?.value;
}

/** In the title, since brackets in a prompt would make a link. */
function questionTitle(name: string, { description }: DraftInput): string {
	return description === undefined
		? l10n.t('Enter Secret {0}', name)
		: l10n.t('Enter {0}: {1}', name, labelText(description, shownCharacters));
}

/** Why a variable cannot be a stored secret, as a sentence, or nothing. */
export function secretNameFault(name: string): string | undefined {
	if (!/^[A-Za-z_]\w*$/.test(name))
		return l10n.t('A name has letters, digits and “_”, and does not begin with a digit.');
	return hijacksProcess(name) || redirectsTraffic(name)
		? l10n.t('This variable changes how programs run; it cannot be stored here.')
		: undefined;
}
