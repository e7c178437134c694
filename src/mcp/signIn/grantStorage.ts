import type { Disposable, Event } from '../../common/event.ts';

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

/** Somebody signed in or out, or a token was refreshed, in any window. */
export function grantChanges({ onDidChange }: SecretTexts): Event<void> {
	return (listener) =>
		onDidChange(({ key }) => {
			if (key.startsWith(grantPrefix)) listener();
		});
}
