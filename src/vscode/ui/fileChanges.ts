import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { inOrder, type Step } from '../../common/steps.ts';
import { type ConfigEdits, type EditedText, undoEdit } from '../../config/file/textEdit.ts';

/** A change of one configuration file. */
export interface FileChange {
	readonly uri: vscode.Uri;
	/** May be called more than once, with the current text. */
	readonly plan: (text: string) => ConfigEdits;
}

/** The configuration files, as far as changes need them. */
export interface EditableFiles {
	current(uri: vscode.Uri): Promise<{ readonly text: string | undefined } | undefined>;
	edit(plan: FileChange['plan'], uri: vscode.Uri): Promise<EditedText>;
}

/** Changes several files, all or none. `report` gets what was written, also when that is undone. */
export function changeFiles(
	files: EditableFiles,
	changes: readonly FileChange[],
	report: (written: readonly EditedText[]) => void,
): Step {
	const written: EditedText[] = [];
	const steps = inOrder(changes.map((change) => changeFile(files, change, written)));
	return reporting(steps, written, report);
}

/** Reports what a step and its undo write. */
function reporting(
	step: Step,
	written: EditedText[],
	report: (written: readonly EditedText[]) => void,
): Step {
	const take = async () => {
		written.length = 0;
		const back = await step.take();
		report([...written]);
		return reporting(back, written, report);
	};
	return { ...step, take };
}

function changeFile(files: EditableFiles, { uri, plan }: FileChange, written: EditedText[]): Step {
	return {
		check: async () => {
			const current = await files.current(uri);
			if (!plan(current?.text ?? '')) throw cannotChange(uri);
		},
		take: async () => {
			const edited = await files.edit(plan, uri);
			written.push(edited);
			return changeFile(files, { uri, plan: undoing(edited) }, written);
		},
	};
}

/** Undoes this change alone. Throws if the file has changed at that place since. */
function undoing(edited: EditedText): FileChange['plan'] {
	return (text) => {
		const edits = undoEdit(edited, text);
		if (!edits) throw changedSince();
		return edits;
	};
}

export function cannotChange({ fsPath }: Pick<vscode.Uri, 'fsPath'>): Error {
	return new Error(l10n.t('{0} cannot be changed: fix its errors first.', fsPath));
}

export function changedSince(): Error {
	return new Error(l10n.t('that part of the configuration file has changed since. Edit it manually.'));
}
