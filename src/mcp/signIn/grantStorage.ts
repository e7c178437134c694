import type { Disposable } from '../../common/event.ts';

/** Prefix of the keys of sign-ins in secret storage. */
export const grantPrefix = 'signIn.grant.';

/** Private storage for texts, such as VS Code's secret storage. */
export interface SecretTexts {
	keys(): PromiseLike<readonly string[]>;
	get(key: string): PromiseLike<string | undefined>;
	store(key: string, value: string): PromiseLike<void>;
	delete(key: string): PromiseLike<void>;
	/** Includes changes by other windows. */
	readonly onDidChange: (listener: (change: { readonly key: string }) => void) => Disposable;
}
