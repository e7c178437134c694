import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { type ImportPlaces, importSources } from '../../config/import/importSources.ts';
import { commands } from '../ids.ts';
import { type FoundFile, readForeignFile } from './foreignFiles.ts';
import { productOf } from './productOf.ts';
import type { ServerChoice } from './serverPick.ts';
import { shownPath } from './shownPath.ts';

/** Without a folder there is nowhere to write the configuration. */
export async function askToOpenFolder(): Promise<void> {
	const open = l10n.t('Open Folder');
	const text = l10n.t('Discovery: open a folder first; servers are imported into its configuration.');
	const chosen = await vscode.window.showInformationMessage(text, open);
	if (chosen === open) await vscode.commands.executeCommand('vscode.openFolder');
}

/** Says what was found, or where it was looked for, and offers the ways on; a configuration is offered where there is none. */
export async function sayNothingToImport(
	files: readonly FoundFile[],
	places: ImportPlaces,
	hasConfiguration: boolean,
): Promise<ServerChoice> {
	const count = files.reduce((sum, { servers }) => sum + servers.length, 0);
	const create = l10n.t('Create Configuration');
	const choose = l10n.t('Choose File…');
	const faults = files.flatMap(({ source, faults }) =>
		faults.map((fault) => `${shownPath(source.path, places)}: ${fault}`),
	);
	const looked = importSources(places).map(({ product, path }) => `${product}: ${shownPath(path, places)}`);
	const text =
		count > 0
			? l10n.t('Nothing new to import: {0} found, all in the configuration already.', serverCount(count))
			: l10n.t('No servers of other programs were found.');
	const detail = [...faults, ...(count > 0 ? [] : [l10n.t('These files were looked for:'), ...looked])].join(
		'\n',
	);
	const buttons = hasConfiguration ? [choose] : [choose, create];
	const chosen = await vscode.window.showInformationMessage(text, { modal: true, detail }, ...buttons);
	if (chosen === create) await vscode.commands.executeCommand(commands.createConfig);
	return chosen === choose ? { kind: 'otherFile' } : { kind: 'cancelled' };
}

/** Has the user choose a file with servers, wherever it is; `undefined`: they did not. */
export async function chooseOtherFile({ home }: ImportPlaces): Promise<FoundFile | undefined> {
	const chosen = await vscode.window.showOpenDialog({
		title: l10n.t('Import Servers from a File'),
		openLabel: l10n.t('Import'),
		defaultUri: vscode.Uri.file(home),
		filters: { JSON: ['json', 'jsonc'], [l10n.t('All Files')]: ['*'] },
	});
	const path = chosen?.[0]?.fsPath;
	if (path === undefined) return undefined;
	return readForeignFile({ product: productOf(path), scope: 'user', path });
}
