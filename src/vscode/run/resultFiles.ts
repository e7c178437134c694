import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { notify } from '../ui/messages.ts';
import { type PrivateFiles, saveAs } from '../ui/savedFiles.ts';
import { fileName, filesOf, fileWords } from './result.ts';

/** Offers to open or save the files of a result, which its document only names. `opened`: where files to open are written. */
export async function offerFiles(tool: string, result: ToolResult, opened: PrivateFiles): Promise<void> {
	const files = filesOf(result).map((file, i) => ({
		label: l10n.t('File {0}', i + 1),
		description: fileWords(file),
		name: fileName(tool, i + 1, file),
		data: file.data,
	}));
	if (files.length === 0) return;
	const open = l10n.t('Open');
	const save = l10n.t('Save…');
	const text =
		files.length === 1
			? l10n.t('the result contains 1 file.')
			: l10n.t('the result contains {0} files.', files.length);
	const answer = await notify(text, open, save);
	if (answer === undefined) return;
	const title = answer === open ? l10n.t('Open File') : l10n.t('Save File');
	const placeHolder = answer === open ? l10n.t('Select what to open') : l10n.t('Select what to save');
	const chosen =
		files.length > 1 ? await vscode.window.showQuickPick(files, { title, placeHolder }) : files[0];
	if (!chosen) return;
	const { name, data } = chosen;
	const bytes = Buffer.from(data, 'base64');
	if (answer === open) await vscode.commands.executeCommand('vscode.open', await opened.write(name, bytes));
	else await saveAs({ title, name, bytes });
}
