import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import type { DraftInput } from '../../config/add/serverDraft.ts';
import { serversReading } from '../../config/missingReferences.ts';
import { hijacksProcess, redirectsTraffic } from '../../config/secrets/environmentNames.ts';
import type { Services } from '../../services.ts';
import { labelText } from './labelText.ts';
import { offerAgain } from './messages.ts';

/** Characters of a description, a value, or a list of names. */
const shownCharacters = 100;

/** Has the user enter a secret, and stores it; false: they cancelled. `asked`: how another program asks for it, perhaps with options. */
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
		prompt: l10n.t('Stored in VS Code’s secret storage for servers of this configuration.'),
		value: asked.default ?? '',
		password: asked.password || nameVerdict(name) === 'secret',
		ignoreFocusOut: true,
		validateInput: (text) => (text === '' ? l10n.t('Enter a value.') : undefined),
	});
}

/** The default comes first, so that Enter selects it. */
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
	const placeHolder = l10n.t('Stored in VS Code’s secret storage for servers of this configuration.');
	return (await vscode.window.showQuickPick(sorted, { title, placeHolder, ignoreFocusOut: true }))?.value;
}

/** The description is in the title: in a prompt, its brackets would become links. */
function questionTitle(name: string, { description }: DraftInput): string {
	return description === undefined
		? l10n.t('Enter Secret {0}', name)
		: l10n.t('Enter {0}: {1}', name, labelText(description, shownCharacters));
}

/** Why a name cannot be that of a stored secret, as a sentence. */
export function secretNameFault(name: string): string | undefined {
	if (!/^[A-Za-z_]\w*$/.test(name))
		return l10n.t('Use letters, digits and “_”. The first character must not be a digit.');
	return hijacksProcess(name) || redirectsTraffic(name)
		? l10n.t('This variable changes how programs run, so it cannot be a secret.')
		: undefined;
}

/**
 * Stores a secret for servers of a file, and asks for its value unless it is given. Says which servers read it, and offers to start those that may
 * have failed without it.
 */
export async function enterServerSecret(
	name: string,
	file: vscode.Uri,
	{ configFile, keyring: { secrets }, pool }: Pick<Services, 'configFile' | 'keyring' | 'pool'>,
	value?: string,
): Promise<void> {
	const text = (await configFile.current(file))?.text ?? '';
	const reading = serversReading(text, name).flatMap((server) => configFile.nameOf(file, server) ?? []);
	const waiting = reading.filter((server) => {
		const status = pool.servers().find((one) => one.name === server);
		return !status || status.state.kind === 'failed';
	});
	const folder = configFile.folderOf(file);
	if (value !== undefined) await secrets.store(folder, [{ name, value }]);
	else if (!(await enterSecret(name, folder, secrets))) return;
	const servers = labelText(reading.join(', '), shownCharacters);
	const start = async () => {
		// The configuration may not have been read with the secret yet.
		await configFile.reload();
		await Promise.all(waiting.map((server) => pool.start(server)));
	};
	offerAgain(
		reading.length > 0
			? l10n.t('{0} is stored. Servers that read it: {1}.', name, servers)
			: l10n.t('{0} is stored. No server reads it yet.', name),
		waiting.length > 0 ? start : undefined,
	);
}
