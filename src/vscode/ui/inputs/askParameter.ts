import { rm } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exactJson } from '../../../common/exactJson.ts';
import { writtenOut } from '../../../common/exactText.ts';
import type { ValidationOutcome } from '../../../sandbox/job.ts';
import { fileBaseName, labelText, lineLength } from '../labelText.ts';
import { showError } from '../messages.ts';
import { textTabs } from '../readingEditor.ts';
import type { PrivateFiles } from '../savedFiles.ts';
import {
	type InputKind,
	inputText,
	type Option,
	optionsOf,
	type Parameter,
	type PathKind,
	parseInput,
	placeholderOf,
	promptOf,
} from './parameter.ts';
import { askPick, askPicks, askText, type InputQuestion, type TextReply } from './quickInputs.ts';

export type Validate = (schema: unknown, value: unknown) => Promise<ValidationOutcome>;

export interface AskedParameter extends InputQuestion {
	readonly parameter: Parameter;
	/** What was typed or selected before. */
	readonly initialText: string | undefined;
	/** What is wrong with a value according to the schema, as a sentence; `undefined`: nothing. */
	readonly faultOf: (value: unknown) => Promise<string | undefined>;
	/** Where texts of several lines can be edited; absent: they cannot. */
	readonly files?: PrivateFiles;
	/** Shown before the prompt. */
	readonly warning?: string;
	/** A sentence, shown after it. */
	readonly note?: string;
}

export function askParameter(asked: AskedParameter): Promise<TextReply> {
	const { parameter } = asked;
	const { input } = parameter;
	const initialText = asked.initialText ?? defaultText(parameter);
	if (input.kind === 'choices') return chooseSome(asked, input.options, initialText);
	const options = optionsOf(input);
	return options ? choose(asked, options, initialText) : type(asked, initialText);
}

/** What is wrong, as a sentence; `undefined`: nothing, or it could not be checked and the server decides. */
export function faultSentence(
	outcome: ValidationOutcome,
	format = (fault: string) => fault,
): string | undefined {
	if (outcome.kind !== 'invalid') return undefined;
	const text = outcome.faults.map(format).join('; ');
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

async function choose(
	{ parameter, ...question }: AskedParameter,
	options: readonly Option[],
	initialText: string,
): Promise<TextReply> {
	const items = itemsOf(parameter, options);
	const reply = await askPick({
		...question,
		placeholder: labelText(promptOf(parameter), lineLength),
		items: parameter.required
			? items
			: [...items, { label: l10n.t('Leave Out'), description: '', text: '', value: undefined }],
		selected: items.filter(({ text }) => text === initialText),
	});
	if (reply.kind === 'back') return { kind: 'back', text: initialText };
	return reply.kind === 'answer' ? { kind: 'answer', text: reply.answer.text } : reply;
}

/** For an optional parameter, an empty selection leaves it out. */
async function chooseSome(
	{ parameter, faultOf, ...question }: AskedParameter,
	options: readonly Option[],
	initialText: string,
): Promise<TextReply> {
	const { input, required } = parameter;
	const items = itemsOf(parameter, options);
	const reading = parseInput(initialText, input);
	const ticked: readonly unknown[] =
		reading.kind === 'value' && Array.isArray(reading.value) ? reading.value : [];
	const isNothing = (chosen: readonly unknown[]) => chosen.length === 0 && !required;
	const reply = await askPicks({
		...question,
		placeholder: labelText(promptOf(parameter), lineLength),
		items,
		selected: items.filter(({ value }) => ticked.includes(value)),
		check: async (chosen) => (isNothing(chosen) ? undefined : faultOf(chosen.map(({ value }) => value))),
	});
	if (reply.kind === 'back') return { kind: 'back', text: initialText };
	if (reply.kind !== 'answer') return reply;
	const values = reply.answer.map(({ value }) => value);
	return { kind: 'answer', text: isNothing(values) ? '' : inputText(values, input) };
}

function itemsOf({ input, default: defaultValue }: Parameter, options: readonly Option[]) {
	const isUsual = (value: unknown) =>
		input.kind === 'choices' && Array.isArray(defaultValue)
			? defaultValue.includes(value)
			: inputText(value, input) === inputText(defaultValue, input);
	return options.map(({ value, label, description = '' }) => {
		const words = [description, isUsual(value) ? l10n.t('default') : ''].filter(Boolean);
		return {
			label: labelText(writtenOut(label), lineLength),
			description: labelText(writtenOut(words.join(' · ')), lineLength),
			text: inputText(value, input),
			value,
		};
	});
}

/** Asks for a text on one line, or in an editor if the user presses the pencil or the text has several lines. */
async function type(asked: AskedParameter, initialText: string): Promise<TextReply> {
	const { parameter, files, warning, note, faultOf, ...question } = asked;
	const { name, input, secret, path } = parameter;
	const check = async (text: string) =>
		question.canSkip && text === ''
			? l10n.t('Enter a value, or select Skip above to set it later.')
			: textFault(parameter, text, faultOf);
	let text = initialText;
	let isInEditor = text.includes('\n');
	for (;;) {
		if (isInEditor && files) {
			const language = input.kind === 'json' ? 'json' : 'text';
			const edited = await askInEditor({ name, language, text, check }, files);
			if (edited !== undefined) return { kind: 'answer', text: asTyped(edited, input) };
		}
		const reply = await askText({
			...question,
			prompt: [warning, promptOf(parameter, note)].filter(Boolean).join(' '),
			placeholder: placeholderOf(parameter),
			secret,
			canEdit: files !== undefined && !secret && input.kind !== 'number',
			canBrowse: path !== undefined,
			check,
			text: text.includes('\n') ? '' : text,
		});
		if (reply.kind !== 'elsewhere') return reply;
		isInEditor = reply.from === 'editor';
		text = (isInEditor ? undefined : await browse(path)) ?? reply.text;
	}
}

/** The path that the user selects in a dialog, which opens in the folder of the workspace. */
async function browse(path: PathKind | undefined): Promise<string | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const chosen = await vscode.window.showOpenDialog({
		canSelectFiles: path !== 'folder',
		canSelectFolders: path !== 'file',
		openLabel: l10n.t('Select'),
		...(folder && { defaultUri: folder.uri }),
	});
	return chosen?.[0]?.fsPath;
}

/** What is wrong with a text, as a sentence without the parameter's name. */
async function textFault(
	{ input, required }: Parameter,
	text: string,
	faultOf: AskedParameter['faultOf'],
): Promise<string | undefined> {
	const reading = parseInput(text, input);
	if (reading.kind === 'fault') return reading.fault;
	if (reading.kind === 'value') return faultOf(reading.value);
	if (!required) return undefined;
	return input.kind === 'text' ? l10n.t('Enter a value, or "" for an empty text.') : l10n.t('Enter a value.');
}

/** The text at the first run. An optional text is empty at first, which leaves it out. */
function defaultText({ required, input, default: defaultValue, skeleton }: Parameter): string {
	const first = required || optionsOf(input) ? (defaultValue ?? skeleton) : undefined;
	return first === undefined ? '' : inputText(first, input);
}

/** The text of an editor; JSON on one line, so that it fits into the input box on the next run. */
function asTyped(text: string, input: InputKind): string {
	const reading = parseInput(text, input);
	return reading.kind === 'value' ? inputText(reading.value, input) : text;
}

interface EditorQuestion {
	readonly name: string;
	readonly language: 'json' | 'text';
	readonly text: string;
	/** What is wrong with a text, as a sentence; `undefined`: nothing. */
	readonly check: (text: string) => Promise<string | undefined>;
}

/**
 * Asks for a text of several lines in an editor. Saving answers, unless the text is invalid; closing the editor cancels. The file is a real one:
 * saving an untitled one would ask where.
 */
async function askInEditor(
	{ name, language, text, check }: EditorQuestion,
	files: PrivateFiles,
): Promise<string | undefined> {
	const title = l10n.t('{0} (save to continue)', fileBaseName(name));
	const editorText = language === 'json' ? indented(text) : text;
	const uri = await files.write(`${title}.${language === 'json' ? 'json' : 'txt'}`, Buffer.from(editorText));
	const is = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	let isManualSave = false;
	const listeners = vscode.Disposable.from(
		vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
			if (is(document)) isManualSave = reason === vscode.TextDocumentSaveReason.Manual;
		}),
		vscode.workspace.onDidSaveTextDocument(async (document) => {
			if (!is(document) || !isManualSave) return;
			const saved = document.getText();
			const fault = await check(saved);
			if (fault === undefined) resolve(saved);
			else showError(fault);
		}),
		vscode.window.tabGroups.onDidChangeTabs(() => {
			if (textTabs(uri).length === 0) resolve(undefined);
		}),
	);
	try {
		await vscode.window.showTextDocument(uri, { preview: false });
		return await promise;
	} finally {
		listeners.dispose();
		await vscode.window.tabGroups.close(textTabs(uri));
		await rm(uri.fsPath, { force: true });
	}
}

function indented(text: string): string {
	return JSON.stringify(exactJson(text), undefined, 2) ?? text;
}
