import * as vscode from 'vscode';
import type { PlannedServer } from '../../config/import/importPlan.ts';
import { quoted } from '../../config/place.ts';

/** Where values go that stood in the files of other programs. */
export type SecretPlace = 'storage' | 'dotenv' | 'nowhere';

/** Names that a question lists. */
const shownNames = 12;

const buttons: Readonly<Record<string, SecretPlace>> = {
	'Secret Storage': 'storage',
	'.env File': 'dotenv',
	'Leave Out': 'nowhere',
};

/** Asks where the secrets of chosen servers go, by their names; `undefined`: the user does not want to go on. */
export async function askForSecretPlace(
	names: readonly string[],
	servers: readonly PlannedServer[],
): Promise<SecretPlace | undefined> {
	const question =
		names.length === 1
			? 'A secret is written out in these files. Where should it be kept?'
			: `${names.length} secrets are written out in these files. Where should they be kept?`;
	const places = [
		'Secret Storage: encrypted by VS Code, for servers of this folder only.',
		'.env File: in plain text beside the configuration.',
		'Leave Out: you set the environment variables yourself.',
	];
	const detail = [
		secretLines(names, servers).join('\n'),
		`The configuration gets \${env:NAME} in their place.`,
		places.join('\n'),
	].join('\n\n');
	const options = { modal: true, detail };
	const chosen = await vscode.window.showInformationMessage(question, options, ...Object.keys(buttons));
	return chosen === undefined ? undefined : buttons[chosen];
}

function secretLines(names: readonly string[], servers: readonly PlannedServer[]): string[] {
	const lines = names.slice(0, shownNames).map((name) => {
		const users = servers.filter(({ secretNames }) => secretNames.includes(name));
		return `${name}, for ${users.map((server) => quoted(server.name)).join(', ')}`;
	});
	const more = names.length - lines.length;
	return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Asks what to do where `.env` could be committed; `undefined`: the user does not want to go on. */
export async function askAboutGit(): Promise<'ignore' | 'write' | undefined> {
	const ignore = 'Add to .gitignore';
	const write = 'Write Anyway';
	const question = 'Git does not ignore .env: the secrets could be committed.';
	const chosen = await vscode.window.showWarningMessage(question, { modal: true }, ignore, write);
	if (chosen === ignore) return 'ignore';
	return chosen === write ? 'write' : undefined;
}
