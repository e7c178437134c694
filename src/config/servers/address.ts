import * as l10n from '@vscode/l10n';
import type { FaultReason } from '../file/problemReport.ts';

/** What an address is of: messages advise accordingly. */
type Owner = 'server' | 'provider';

const examples: Readonly<Record<Owner, string>> = {
	server: 'https://example.com/mcp',
	provider: 'https://openrouter.ai/api/v1',
};

/** Why an http(s) address cannot be used, or nothing. Says nothing of the address itself, which may hold a secret. */
export function addressFault(address: string, of: Owner = 'server'): string | undefined {
	// `URL` silently drops line breaks and tabs, so that the address shown would not be the one that is used.
	if (holdsControls(address)) {
		return l10n.t('an address can hold no line breaks or other control characters');
	}
	if (!URL.canParse(address)) return l10n.t('expected an address such as "{0}"', examples[of]);
	const url = new URL(address);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return l10n.t('expected an address that starts with http:// or https://, not {0}', url.protocol);
	}
	if (holdsCredentials(address)) {
		return of === 'server'
			? l10n.t('an address can hold no user name or password; send them in "headers"')
			: l10n.t('an address can hold no user name or password; keep the key in secret storage or in .env');
	}
	return undefined;
}

/** What there is to do about an address that cannot be used, if anything. */
export function addressReason(address: string): { readonly reason: FaultReason } | undefined {
	if (holdsControls(address)) return { reason: { kind: 'control-characters' } };
	return holdsCredentials(address) ? { reason: { kind: 'credentials' } } : undefined;
}

/** True if a text holds line breaks or other control characters. */
export function holdsControls(text: string): boolean {
	return /\p{Cc}/u.test(text);
}

/** True if an address names a user or a password. */
export function holdsCredentials(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && (url.username !== '' || url.password !== '');
}

/**
 * An address without the user name and password in it, and what `Authorization: Basic …` sends in their place; no `basic` where they are
 * variables, which cannot be encoded. `undefined`: the address has none.
 */
export function splitCredentials(
	address: string,
): { readonly address: string; readonly basic?: string } | undefined {
	const [, scheme = '', userInfo, rest = ''] = /^(https?:\/\/)([^/?#\\]*)@(.*)$/is.exec(address) ?? [];
	if (userInfo === undefined) return undefined;
	if (userInfo.includes('${')) return { address: scheme + rest };
	const [user = '', password = ''] = userInfo.split(/:(.*)/s).map(percentDecoded);
	return { address: scheme + rest, basic: Buffer.from(`${user}:${password}`).toString('base64') };
}

/** A text as an address means it; as it was, where it is not percent-encoded as it should be. */
export function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** True if what is sent to this (valid) address never leaves this machine, encrypted or not. */
export function isLoopback(address: string): boolean {
	return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** True if what is sent to this (valid) address crosses a network unencrypted. */
export function isUnencrypted(address: string): boolean {
	return new URL(address).protocol === 'http:' && !isLoopback(address);
}
