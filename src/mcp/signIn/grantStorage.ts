import type { Disposable } from '../../common/event.ts';

/** What keys of secret storage begin with under which sign-ins are. */
export const grantPrefix = 'signIn.grant.';

/** Keeps texts that nobody else may read. VS Code's secret storage is one. */
export interface SecretTexts {
	keys(): PromiseLike<readonly string[]>;
	get(key: string): PromiseLike<string | undefined>;
	store(key: string, value: string): PromiseLike<void>;
	delete(key: string): PromiseLike<void>;
	/** Another window's changes, too. */
	readonly onDidChange: (listener: (change: { readonly key: string }) => void) => Disposable;
}
