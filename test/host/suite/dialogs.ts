import * as vscode from 'vscode';
import type { ReviewMessage, ReviewRequest, ReviewView } from '../../../src/vscode/trust/reviewView.ts';
import { ids } from '../../../src/vscode/ui/ids.ts';

const dialogs = [
	'showErrorMessage',
	'showWarningMessage',
	'showInformationMessage',
	'showInputBox',
	'showQuickPick',
] as const;
type Dialog = (typeof dialogs)[number];

const real = { ...vscode.window };

/** Gives the user's answer to a dialog, of which the editor shows none in tests; returns what it is called with. */
export function answer(dialog: Dialog, reply: unknown): unknown[][] {
	const calls: unknown[][] = [];
	replace(dialog, async (...args: unknown[]) => {
		calls.push(args);
		return reply;
	});
	return calls;
}

/** Gives one answer after the other, and none when they are used up; returns what the dialog is called with. */
export function answerEach(dialog: Dialog, replies: readonly unknown[]): unknown[][] {
	const calls: unknown[][] = [];
	replace(dialog, async (...args: unknown[]) => replies[calls.push(args) - 1]);
	return calls;
}

/** A question before a call, as it stands in the chat. */
export interface CallQuestion {
	readonly title: string;
	readonly message: string;
	readonly buttons: readonly string[];
}

/** Gives the user's answers to questions before calls, one after the other; the editor would wait for a click. Returns what was asked. */
export function answerCalls(...buttons: readonly (string | Promise<string>)[]): CallQuestion[] {
	const asked: CallQuestion[] = [];
	const value = async (...args: Parameters<typeof invokeTool>) => {
		if (args[0] !== 'vscode_get_confirmation_with_options') return invokeTool.apply(vscode.lm, args);
		asked.push(args[1].input as CallQuestion);
		return new vscode.LanguageModelToolResult([
			new vscode.LanguageModelTextPart((await buttons[asked.length - 1]) ?? 'Skip'),
		]);
	};
	Object.defineProperty(vscode.lm, 'invokeTool', { value, configurable: true, writable: true });
	// Outside a chat.
	replace('showWarningMessage', async (title, options, ...labels) => {
		asked.push({
			title,
			message: (options as vscode.MessageOptions).detail,
			buttons: labels,
		} as CallQuestion);
		return buttons[asked.length - 1];
	});
	return asked;
}

const { invokeTool } = vscode.lm;

/** Picks the entry with these words. */
export function pick(words: string): void {
	replace('showQuickPick', async (items) =>
		(items as readonly { readonly label: string }[]).find(({ label }) => label.includes(words)),
	);
}

/** Picks every entry of a list that more than one can be picked of. */
export function pickAll(): unknown[][] {
	const calls: unknown[][] = [];
	replace('showQuickPick', async (items) => {
		calls.push([items]);
		return items;
	});
	return calls;
}

/** The editor's own dialogs again. */
export function restoreDialogs(): void {
	Object.defineProperty(vscode.lm, 'invokeTool', { value: invokeTool, configurable: true, writable: true });
	for (const dialog of dialogs) {
		const original = real[dialog] as (...args: unknown[]) => unknown;
		replace(dialog, (...args) => original.apply(vscode.window, args));
	}
}

/** What the user says to every server that waits for approval. */
let review: 'approve' | 'ignore' = 'approve';

/** Servers that are new or changed are approved as soon as the user is asked, whatever else is answered; or nobody answers. */
export function answerReviews(reply: typeof review): void {
	review = reply;
}

const createPanel = vscode.window.createWebviewPanel;
Object.defineProperty(vscode.window, 'createWebviewPanel', {
	configurable: true,
	value: (...args: Parameters<typeof createPanel>) => {
		const [viewType] = args;
		return viewType === ids.reviewPage ? reviewPanel() : createPanel.apply(vscode.window, args);
	},
});

let openReview: { readonly view: ReviewView; readonly close: () => void } | undefined;

/** What the review that is open shows. */
export function shownReview(): ReviewView | undefined {
	return openReview?.view;
}

/** Closes the review without an answer. */
export function closeReview(): void {
	openReview?.close();
}

/** In place of the page that servers are approved on: a user who presses the button for all of them each time they look at it. */
function reviewPanel(): vscode.WebviewPanel {
	const disposed = new vscode.EventEmitter<void>();
	const requests = new vscode.EventEmitter<ReviewRequest>();
	let shown: ReviewView | undefined;
	disposed.event(() => {
		openReview = undefined;
	});
	const press = () => {
		const servers = shown?.files.flatMap((file) => file.servers) ?? [];
		if (review !== 'approve' || servers.length === 0) return;
		requests.fire({ kind: 'approve', servers, trustsHints: true });
	};
	const webview = {
		options: {},
		cspSource: '',
		asWebviewUri: (uri: vscode.Uri) => uri,
		onDidReceiveMessage: requests.event,
		set html(_: string) {
			setTimeout(() => requests.fire({ kind: 'ready' }));
		},
		postMessage: async ({ view }: ReviewMessage) => {
			shown = view;
			openReview = { view, close: () => disposed.fire() };
			setTimeout(press);
			return true;
		},
	};
	const panel = {
		webview,
		// Asked for again while it is open, it is drawn again: the user looks at it anew.
		visible: true,
		onDidDispose: disposed.event,
		reveal: () => {},
		dispose: () => disposed.fire(),
	};
	return panel as unknown as vscode.WebviewPanel;
}

/** The button of a notification that leads a user to the review of servers. */
function reviewReply([text, ...buttons]: readonly unknown[]): string | undefined {
	const review = 'Review…';
	return buttons.includes(review) && /needs? (?:your )?approval/.test(String(text)) ? review : undefined;
}

function replace(dialog: Dialog, reply: (...args: unknown[]) => unknown): void {
	const value = async (...args: unknown[]) => {
		const button = reviewReply(args);
		if (button === undefined) return reply(...args);
		return review === 'approve' ? button : undefined;
	};
	Object.defineProperty(vscode.window, dialog, { value, configurable: true, writable: true });
}
