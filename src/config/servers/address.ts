import * as l10n from '@vscode/l10n';
import { hostOf } from '../../common/hosts.ts';
import { percentDecoded } from '../../common/text.ts';
import type { FaultReason } from '../file/problemReport.ts';

/** Keys of an address in a server's entry: `url`, Windsurf's `serverUrl`, Gemini's `httpUrl`, Goose's `uri`, Cherry Studio's `baseUrl`. */
export const addressKey = /^(server|mcp|sse|http|remote|base)?_?(url|uri|address|endpoint|href)$/i;

/** What an address belongs to: messages advise accordingly. */
type Owner = 'server' | 'provider';

const examples: Readonly<Record<Owner, string>> = {
	server: 'https://example.com/mcp',
	provider: 'https://openrouter.ai/api/v1',
};

/** An address to show: without its query, which may hold a key. */
export function shownAddress({ origin, pathname }: URL): string {
	return `${origin}${pathname}`;
}

/** Why an http(s) address cannot be used; `undefined`: it can. Does not repeat the address, which may contain a secret. */
export function addressFault(address: string, owner: Owner = 'server'): string | undefined {
	// `URL` silently removes line breaks and tabs, so the address shown would differ from the one used.
	if (holdsControls(address)) {
		return l10n.t('a URL cannot contain line breaks or other control characters');
	}
	if (!URL.canParse(address)) return l10n.t('expected a URL such as "{0}"', examples[owner]);
	const url = new URL(address);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return schemeFault(url.protocol);
	}
	if (holdsCredentials(address)) {
		return owner === 'server'
			? l10n.t('a URL cannot contain a user name or password; send them in "headers"')
			: l10n.t('a URL cannot contain a user name or password; keep the key in secret storage or in .env');
	}
	return undefined;
}

export function schemeFault(scheme: string): string {
	return l10n.t('expected a URL that starts with http:// or https://, not {0}', scheme);
}

/** What can be done about an unusable address, if anything. */
export function addressReason(address: string): { readonly reason: FaultReason } | undefined {
	return !holdsControls(address) && holdsCredentials(address)
		? { reason: { kind: 'credentials' } }
		: undefined;
}

/** Whether a text contains line breaks or other control characters. */
export function holdsControls(text: string): boolean {
	return /\p{Cc}/u.test(text);
}

export function holdsCredentials(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && (url.username !== '' || url.password !== '');
}

/**
 * An address without its user name and password, and the value for `Authorization: Basic …` instead; no `basic` if they are variables,
 * which cannot be encoded. `undefined`: the address has none.
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

/** Whether traffic to this (valid) address never leaves this machine. */
export function isLoopback(address: string): boolean {
	return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostOf(address) ?? '');
}

/** Whether traffic to this (valid) address crosses a network unencrypted. */
export function isUnencrypted(address: string): boolean {
	return new URL(address).protocol === 'http:' && !isLoopback(address);
}
