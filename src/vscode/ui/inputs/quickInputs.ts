import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { labelText } from '../labelText.ts';

export type Reply<T> =
	| { readonly kind: 'answer'; readonly answer: T }
	| { readonly kind: 'back' }
	/** The user pressed the button that declines. */
	| { readonly kind: 'declined' }
	/** The user goes on without an answer. */
	| { readonly kind: 'skipped' }
	| { readonly kind: 'cancelled' };

/** How a question for a text was left. `text`: what was typed or selected until then. */
export type TextReply =
	| { readonly kind: 'answer' | 'back'; readonly text: string }
	| Exclude<Reply<never>, { readonly kind: 'answer' | 'back' }>;

/** The text is to come from an editor or a dialog. */
type Elsewhere = { readonly kind: 'elsewhere'; readonly from: 'editor' | 'dialog'; readonly text: string };

export interface InputQuestion {
	readonly title: string;
	/** Its number among the questions, from 1; absent: it is the only one. */
	readonly step?: number;
	readonly steps?: number;
	readonly canGoBack?: boolean;
	/** Whether a button declines, which is not the same as closing the input. */
	readonly canDecline?: boolean;
	/** Whether a button goes on without an answer. */
	readonly canSkip?: boolean;
	/** Closes the input when its answer is no longer needed. */
	readonly signal?: AbortSignal;
}

/**
 * Asks questions one by one, with Back. `stepsOf`: all questions, computed again after each answer, which may add some. `canLeave`: Back
 * works in the first, too. Resolves to how the last question was left.
 */
export async function askSteps<Step>(
	{
		canLeave,
		...shared
	}: Pick<InputQuestion, 'title' | 'canDecline' | 'signal'> & { readonly canLeave: boolean },
	stepsOf: () => readonly Step[],
	ask: (step: Step, question: InputQuestion) => Promise<{ readonly kind: Reply<never>['kind'] }>,
): Promise<Reply<never>['kind']> {
	for (let at = 0; ; ) {
		const steps = stepsOf();
		const step = steps[at];
		if (step === undefined) return at < 0 ? 'back' : 'answer';
		const place = { step: at + 1, steps: steps.length, canGoBack: canLeave || at > 0 };
		const { kind } = await ask(step, { ...shared, ...place });
		if (kind === 'cancelled' || kind === 'declined') return kind;
		at += kind === 'back' ? -1 : 1;
	}
}

interface TextQuestion extends InputQuestion {
	readonly prompt: string;
	readonly placeholder: string;
	/** The initial text. */
	readonly text: string;
	readonly secret?: boolean;
	/** Whether a button opens an editor, for several lines. */
	readonly canEdit?: boolean;
	/** Whether a button opens a dialog, for a path. */
	readonly canBrowse?: boolean;
	/** What is wrong with a text, in a sentence; nothing if it fits. */
	readonly check: (text: string) => Promise<string | undefined>;
}

interface PickQuestion<T extends vscode.QuickPickItem> extends InputQuestion {
	readonly placeholder: string;
	/** Shown above the items; safe to show. */
	readonly prompt?: string;
	readonly items: readonly T[];
	/** The active item, or the initially selected ones. */
	readonly selected: readonly T[];
}

/** Delay of the check after the last key press, in milliseconds. */
const checkAfterMs = 150;
/** Characters of others' text above and below an input. */
const promptLength = 500;

/** Asks for a text, and checks it while it is typed. */
export async function askText(question: TextQuestion): Promise<TextReply | Elsewhere> {
	const box = vscode.window.createInputBox();
	const editButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Open in Editor') };
	box.prompt = labelText(question.prompt, promptLength);
	box.placeholder = question.placeholder;
	box.value = question.text;
	box.password = question.secret ?? false;
	const browseButton = { iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: l10n.t('Browse…') };
	box.buttons = [...(question.canBrowse ? [browseButton] : []), ...(question.canEdit ? [editButton] : [])];
	let checks = 0;
	/** Whether the text fits; `undefined` if it changed or was checked again meanwhile. */
	const check = async (): Promise<boolean | undefined> => {
		const number = ++checks;
		const fault = await question.check(box.value);
		if (number !== checks) return undefined;
		box.validationMessage = fault === undefined ? '' : labelText(fault, promptLength);
		return fault === undefined;
	};
	let timer: NodeJS.Timeout | undefined;
	box.onDidChangeValue(() => {
		clearTimeout(timer);
		checks++;
		box.validationMessage = '';
		timer = setTimeout(() => void check(), checkAfterMs);
	});
	const reply = await showInput<TextReply | Elsewhere>(box, question, (answer) => {
		box.onDidAccept(async () => {
			clearTimeout(timer);
			const text = box.value;
			if (await check()) answer({ kind: 'answer', text });
		});
		box.onDidTriggerButton((button) => {
			if (button === editButton) answer({ kind: 'elsewhere', from: 'editor', text: box.value });
			if (button === browseButton) answer({ kind: 'elsewhere', from: 'dialog', text: box.value });
		});
	});
	clearTimeout(timer);
	if (reply.kind === 'answer') return reply.answer;
	return reply.kind === 'back' ? { kind: 'back', text: box.value } : reply;
}

export function askPick<T extends vscode.QuickPickItem>(question: PickQuestion<T>): Promise<Reply<T>> {
	const pick = pickOf(question);
	pick.activeItems = question.selected;
	return showInput<T>(pick, question, (answer) =>
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			if (item) answer(item);
		}),
	);
}

/** Asks for any number of items. `check`: what is wrong with the selection, in a sentence; nothing if it fits. */
export function askPicks<T extends vscode.QuickPickItem>(
	question: PickQuestion<T> & { readonly check?: (items: readonly T[]) => Promise<string | undefined> },
): Promise<Reply<readonly T[]>> {
	const pick = pickOf(question);
	pick.canSelectMany = true;
	pick.selectedItems = question.selected;
	return showInput<readonly T[]>(pick, question, (answer) =>
		pick.onDidAccept(async () => {
			const items = pick.selectedItems;
			const fault = await question.check?.(items);
			if (fault === undefined) answer(items);
			else pick.prompt = labelText(fault, promptLength);
		}),
	);
}

function pickOf<T extends vscode.QuickPickItem>(question: PickQuestion<T>): vscode.QuickPick<T> {
	const pick = vscode.window.createQuickPick<T>();
	pick.placeholder = question.placeholder;
	if (question.prompt) pick.prompt = question.prompt;
	pick.items = question.items;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	return pick;
}

/** Shows an input until `listen` has an answer or it is closed. It stays open without focus, so that nothing typed is lost. */
export function showInput<T>(
	input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
	{ title, step = 1, steps = 1, canGoBack, canDecline, canSkip, signal }: InputQuestion,
	listen: (answer: (value: T) => void) => unknown,
): Promise<Reply<T>> {
	const decline = { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: l10n.t('Decline') };
	const skip = { iconPath: new vscode.ThemeIcon('debug-step-over'), tooltip: l10n.t('Skip') };
	return new Promise((resolve) => {
		const close = () => end({ kind: 'cancelled' });
		const end = (reply: Reply<T>) => {
			signal?.removeEventListener('abort', close);
			resolve(reply);
			input.dispose();
		};
		input.title = title;
		if (steps > 1) [input.step, input.totalSteps] = [step, steps];
		if (canDecline) input.buttons = [...input.buttons, decline];
		if (canSkip) input.buttons = [...input.buttons, skip];
		if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back, ...input.buttons];
		input.ignoreFocusOut = true;
		input.onDidTriggerButton((button) => {
			if (button === decline) end({ kind: 'declined' });
			if (button === skip) end({ kind: 'skipped' });
			if (button === vscode.QuickInputButtons.Back) end({ kind: 'back' });
		});
		input.onDidHide(close);
		listen((value) => end({ kind: 'answer', answer: value }));
		if (signal?.aborted) return close();
		signal?.addEventListener('abort', close);
		input.show();
	});
}
