import * as vscode from 'vscode';

/** An editor's token as a signal; dispose it when the work it is for has ended. */
export function signalOf(
	token: vscode.CancellationToken,
): vscode.Disposable & { readonly signal: AbortSignal } {
	const abort = new AbortController();
	if (token.isCancellationRequested) abort.abort();
	const subscription = token.onCancellationRequested(() => abort.abort());
	return { signal: abort.signal, dispose: () => subscription.dispose() };
}

/** A signal as an editor's token; dispose it when the work it is for has ended. */
export function tokenOf(
	signal: AbortSignal,
): vscode.Disposable & { readonly token: vscode.CancellationToken } {
	const source = new vscode.CancellationTokenSource();
	const cancel = () => source.cancel();
	if (signal.aborted) cancel();
	signal.addEventListener('abort', cancel, { once: true });
	const dispose = () => {
		signal.removeEventListener('abort', cancel);
		source.dispose();
	};
	return { token: source.token, dispose };
}

/** Work that a notification shows. */
interface ShownWork {
	/** Aborts when the user presses the button that stops it. */
	readonly signal: AbortSignal;
	/** Shows how far it is, 0 to 1, and what it is at. */
	readonly tell: (share: number, message?: string) => void;
}

/** Runs work in a notification, with a bar of progress and a button that stops it. */
export async function inNotification<T>(title: string, work: (shown: ShownWork) => Promise<T>): Promise<T> {
	const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
	return vscode.window.withProgress(options, async (bar, token) => {
		const stop = signalOf(token);
		let told = 0;
		const tell = (share: number, message?: string) => {
			bar.report({ increment: 100 * (share - told), ...(message !== undefined && { message }) });
			told = share;
		};
		try {
			return await work({ signal: stop.signal, tell });
		} finally {
			stop.dispose();
		}
	});
}
