import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { commands } from '../ui/ids.ts';
import { fileBaseName } from '../ui/labelText.ts';
import { dialogTitle } from '../ui/messages.ts';
import { saveAs } from '../ui/textFiles.ts';
import { fileName, filesOf, fileWords, type ResultDocument } from './result.ts';

interface Saving {
	readonly label: string;
	readonly description: string;
	readonly name: string;
	readonly bytes: () => Uint8Array;
}

/** Saves a result's document, or one of its files if the user selects it. */
export async function saveResult(tool: string, document: ResultDocument, result: ToolResult): Promise<void> {
	const ending = document.language === 'json' ? 'json' : 'md';
	const text: Saving = {
		label: l10n.t('This document'),
		description: ending === 'json' ? 'JSON' : 'Markdown',
		name: `${fileBaseName(tool)}.${ending}`,
		bytes: () => new TextEncoder().encode(document.text),
	};
	const files = filesOf(result).map((file, i) => ({
		label: l10n.t('File {0}', i + 1),
		description: fileWords(file),
		name: fileName(tool, i + 1, file),
		bytes: () => Buffer.from(file.data, 'base64'),
	}));
	const saving =
		files.length === 0
			? text
			: await vscode.window.showQuickPick<Saving>([...files, text], {
					title: dialogTitle(commands.saveResult),
					placeHolder: l10n.t('Select what to save'),
				});
	if (saving)
		await saveAs({ title: dialogTitle(commands.saveResult), name: saving.name, bytes: saving.bytes() });
}
