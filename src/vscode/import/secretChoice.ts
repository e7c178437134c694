import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PlannedServer } from '../../config/import/importPlan.ts';
import { quoted } from '../../config/place.ts';
import { listed } from './importRows.ts';

/** Where values go that stood in the files of other programs. */
export type SecretPlace = 'storage' | 'dotenv' | 'nowhere';

/** How a configuration reads a variable. */
const usage = `\${env:NAME}`;

/** Names that a question lists. */
const shownNames = 12;

/** Asks where the secrets of chosen servers go, by their names; `undefined`: the user does not want to go on. */
export async function askForSecretPlace(
	names: readonly string[],
	servers: readonly PlannedServer[],
): Promise<SecretPlace | undefined> {
	const question =
		names.length === 1
			? l10n.t('A secret is written out in these files. Where should it be kept?')
			: l10n.t('{0} secrets are written out in these files. Where should they be kept?', names.length);
	const buttons = new Map<string, SecretPlace>([
		[l10n.t('Secret Storage'), 'storage'],
		[l10n.t('.env File'), 'dotenv'],
		[l10n.t('Leave Out'), 'nowhere'],
	]);
	const places = [
		l10n.t('Secret Storage: encrypted by VS Code, for servers of this folder only.'),
		l10n.t('.env File: in plain text beside the configuration.'),
		l10n.t('Leave Out: you set the environment variables yourself.'),
	];
	const detail = [
		secretLines(names, servers).join('\n'),
		l10n.t('The configuration gets {0} in their place.', usage),
		places.join('\n'),
	].join('\n\n');
	const options = { modal: true, detail };
	const chosen = await vscode.window.showInformationMessage(question, options, ...buttons.keys());
	return chosen === undefined ? undefined : buttons.get(chosen);
}

function secretLines(names: readonly string[], servers: readonly PlannedServer[]): string[] {
	const lines = names.slice(0, shownNames).map((name) => {
		const users = servers.filter(({ secretNames }) => secretNames.includes(name));
		return l10n.t('{0}, for {1}', name, listed(users.map((server) => quoted(server.name))));
	});
	const more = names.length - lines.length;
	return more > 0 ? [...lines, l10n.t('and {0} more', more)] : lines;
}

/** Asks what to do where `.env` could be committed; `undefined`: the user does not want to go on. */
export async function askAboutGit(): Promise<'ignore' | 'write' | undefined> {
	const ignore = l10n.t('Add to .gitignore');
	const write = l10n.t('Write Anyway');
	const question = l10n.t('Git does not ignore .env: the secrets could be committed.');
	const chosen = await vscode.window.showWarningMessage(question, { modal: true }, ignore, write);
	if (chosen === ignore) return 'ignore';
	return chosen === write ? 'write' : undefined;
}
