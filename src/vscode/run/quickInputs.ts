import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { labelText } from '../ui/labelText.ts';

/** How a question was answered. */
export type Reply<T> =
	| { readonly kind: 'answer'; readonly answer: T }
	/** Back to the question before; `draft`: what was typed until then, where the answer is typed. */
	| { readonly kind: 'back'; readonly draft?: string }
	| { readonly kind: 'cancelled' };

/** To a question for a text, one may also answer in an editor; `draft`: what was typed until then. */
export type TextReply = Reply<string> | { readonly kind: 'edit'; readonly draft: string };

/** What all questions of one row have. */
export interface Question {
	readonly title: string;
	/** Its place in the row, counted from 1. */
	readonly step: number;
	readonly steps: number;
	readonly canGoBack: boolean;
}

export interface TextQuestion extends Question {
	readonly prompt: string;
	readonly placeholder: string;
	/** What stands in the box at first. */
	readonly text: string;
	readonly secret: boolean;
	/** Whether an editor is offered, for what one line cannot hold. */
	readonly canEdit: boolean;
	/** A sentence on what is wrong with a text; nothing where it will do. */
	readonly check: (text: string) => Promise<string | undefined>;
}

export interface PickQuestion<T extends vscode.QuickPickItem> extends Question {
	readonly placeholder: string;
	readonly items: readonly T[];
	/** The one that Enter takes, or those that are ticked at first. */
	readonly selected: readonly T[];
	/** A sentence on what is wrong with a choice. */
	readonly check?: (items: readonly T[]) => Promise<string | undefined>;
}

/** Rest between two keys after which what was typed is checked, in milliseconds. */
const checkAfterMs = 150;
/** Characters of other people's text above and below an input. */
const promptLength = 500;

/** Asks for a text, checking it while it is typed. */
export async function askText(question: TextQuestion): Promise<TextReply> {
	const box = vscode.window.createInputBox();
	box.prompt = shownText(question.prompt);
	box.placeholder = question.placeholder;
	box.value = question.text;
	box.password = question.secret;
	const check = latest(question.check);
	let timer: NodeJS.Timeout | undefined;
	const show = (fault: string | undefined) => {
		box.validationMessage = fault === undefined ? '' : shownText(fault);
	};
	const typed = box.onDidChangeValue((text) => {
		clearTimeout(timer);
		show(undefined);
		timer = setTimeout(() => void check(text, show), checkAfterMs);
	});
	const editButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Edit in an Editor') };
	if (question.canEdit) box.buttons = [editButton];
	let edits = false;
	const pressed = box.onDidTriggerButton((button) => {
		edits = button === editButton;
	});
	const reply = asked<string>(box, question, async (answer) => {
		clearTimeout(timer);
		const text = box.value;
		await check(text, (fault) => {
			show(fault);
			if (fault === undefined) answer(text);
		});
	});
	try {
		const one = await reply;
		if (one.kind !== 'back') return one;
		return { kind: edits ? 'edit' : 'back', draft: box.value };
	} finally {
		clearTimeout(timer);
		typed.dispose();
		pressed.dispose();
	}
}

/** Asks for one of several items. */
export async function askPick<T extends vscode.QuickPickItem>(question: PickQuestion<T>): Promise<Reply<T>> {
	const pick = pickOf(question);
	pick.activeItems = question.selected;
	return asked<T>(pick, question, async (reply) => {
		const [item] = pick.selectedItems;
		if (item) reply(item);
	});
}

/** Asks for any number of items. */
export function askPicks<T extends vscode.QuickPickItem>(
	question: PickQuestion<T>,
): Promise<Reply<readonly T[]>> {
	const pick = pickOf(question);
	pick.canSelectMany = true;
	pick.selectedItems = question.selected;
	const check = latest(question.check ?? (async () => undefined));
	return asked(pick, question, async (reply) => {
		const items = pick.selectedItems;
		await check(items, (fault) => {
			if (fault === undefined) reply(items);
			else pick.placeholder = shownText(fault);
		});
	});
}

function pickOf<T extends vscode.QuickPickItem>(question: PickQuestion<T>): vscode.QuickPick<T> {
	const pick = vscode.window.createQuickPick<T>();
	pick.placeholder = question.placeholder;
	pick.items = question.items;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	return pick;
}

/** Shows an input until it is answered, left by its button, or closed. It stays when the focus goes: what was filled in is not to be lost. */
function asked<T>(
	input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
	{ title, step, steps, canGoBack }: Question,
	onAccept: (reply: (answer: T) => void) => Promise<void>,
): Promise<Reply<T>> {
	return new Promise((resolve) => {
		const end = (reply: Reply<T>) => {
			resolve(reply);
			input.dispose();
		};
		input.title = title;
		if (steps > 1) [input.step, input.totalSteps] = [step, steps];
		if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back, ...input.buttons];
		input.ignoreFocusOut = true;
		input.onDidTriggerButton(() => end({ kind: 'back' }));
		input.onDidHide(() => end({ kind: 'cancelled' }));
		input.onDidAccept(() => void onAccept((answer) => end({ kind: 'answer', answer })));
		input.show();
	});
}

/** A check of which only the last outcome counts: what was asked before is overtaken. */
function latest<T>(
	check: (input: T) => Promise<string | undefined>,
): (input: T, then: (fault: string | undefined) => void) => Promise<void> {
	let asks = 0;
	return async (input, then) => {
		const ask = ++asks;
		const fault = await check(input);
		if (ask === asks) then(fault);
	};
}

/** Somebody else's text where the editor would draw icons and links: parted, they are text. */
function shownText(text: string): string {
	return labelText(text, promptLength).replaceAll('](', ']\u200b(');
}
