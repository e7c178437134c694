/** What an address is of: messages advise accordingly. */
const advice = {
	server: { example: 'https://example.com/mcp', secrets: 'send them in "headers"' },
	provider: { example: 'https://openrouter.ai/api/v1', secrets: 'keep the key in secret storage or in .env' },
};

/** Why an http(s) address cannot be used, or nothing. Says nothing of the address itself, which may hold a secret. */
export function addressFault(address: string, of: keyof typeof advice = 'server'): string | undefined {
	// `URL` silently drops line breaks and tabs, so that the address shown would not be the one that is used.
	if (/\p{Cc}/u.test(address)) return 'an address can hold no line breaks or other control characters';
	if (!URL.canParse(address)) return `expected an address such as "${advice[of].example}"`;
	const url = new URL(address);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return `expected an address that starts with http:// or https://, not ${url.protocol}`;
	}
	if (holdsCredentials(address)) {
		return `an address can hold no user name or password; ${advice[of].secrets}`;
	}
	return undefined;
}

/** True if an address names a user or a password. */
export function holdsCredentials(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && (url.username !== '' || url.password !== '');
}

/** True if what is sent to this (valid) address crosses a network unencrypted. */
export function isReadableOnTheWay(address: string): boolean {
	const { protocol, hostname } = new URL(address);
	const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
	return protocol === 'http:' && !isLoopback;
}
