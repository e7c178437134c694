import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** A cancellation token as a signal, for as long as the work is in scope. */
export function signalOf(token: vscode.CancellationToken): Disposable & { readonly signal: AbortSignal } {
	const abort = new AbortController();
	if (token.isCancellationRequested) abort.abort();
	const subscription = token.onCancellationRequested(() => abort.abort());
	return { signal: abort.signal, [Symbol.dispose]: () => subscription.dispose() };
}

/** A signal as a cancellation token, for as long as the work is in scope. */
export function tokenOf(signal: AbortSignal): Disposable & { readonly token: vscode.CancellationToken } {
	const source = new vscode.CancellationTokenSource();
	const cancel = () => source.cancel();
	if (signal.aborted) cancel();
	signal.addEventListener('abort', cancel, { once: true });
	return {
		token: source.token,
		[Symbol.dispose]: () => {
			signal.removeEventListener('abort', cancel);
			source.dispose();
		},
	};
}

interface Progress {
	/** Aborts when the user presses Cancel. */
	readonly signal: AbortSignal;
	/** Shows progress from 0 to 1, and the current step. */
	readonly report: (share: number, message?: string) => void;
}

/** Runs work with progress and Cancel in a notification. */
export async function inNotification<T>(title: string, work: (progress: Progress) => Promise<T>): Promise<T> {
	const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
	return vscode.window.withProgress(options, async (bar, token) => {
		const stop = new AbortController();
		token.onCancellationRequested(() => stop.abort(new Error(l10n.t('canceled.'))));
		let reported = 0;
		const report = (share: number, message?: string) => {
			bar.report({ increment: 100 * (share - reported), ...(message !== undefined && { message }) });
			reported = share;
		};
		return work({ signal: stop.signal, report });
	});
}
