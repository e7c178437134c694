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
