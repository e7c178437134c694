import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { notify } from '../ui/messages.ts';
import { saveAs } from '../ui/textFiles.ts';
import { fileName, filesOf, fileWords } from './result.ts';

/** Offers to save the files of a result, which its document only names. */
export async function offerFiles(tool: string, result: ToolResult): Promise<void> {
	const files = filesOf(result).map((file, i) => ({
		label: l10n.t('File {0}', i + 1),
		description: fileWords(file),
		name: fileName(tool, i + 1, file),
		data: file.data,
	}));
	if (files.length === 0) return;
	const save = l10n.t('Save…');
	const text =
		files.length === 1
			? l10n.t('the result contains 1 file.')
			: l10n.t('the result contains {0} files.', files.length);
	if ((await notify(text, save)) !== save) return;
	const title = l10n.t('Save File');
	const placeHolder = l10n.t('Select what to save');
	const chosen =
		files.length > 1 ? await vscode.window.showQuickPick(files, { title, placeHolder }) : files[0];
	if (chosen) await saveAs({ title, name: chosen.name, bytes: Buffer.from(chosen.data, 'base64') });
}
