import type { Stretch } from '../text.ts';
import {
	endAt,
	minKeyInPathLength,
	type SecretSpan,
	secretSpanOf,
	shifted,
	type TextKind,
	unnamed,
} from './secretSpan.ts';
import { environmentName, looksRandom } from './secretVerdict.ts';

/** Hosts whose paths contain hashes of commits and files. */
const sourceHost =
	/(^|[@.])(github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|npmjs\.org|pythonhosted\.org)(:\d+)?$/i;
const slackHost = /(^|\.)hooks\.slack\.com$/i;
/** Services whose addresses are secrets themselves: whoever has one can post. */
const webhookHost = /(^|\.)(hooks\.slack\.com|discord(app)?\.com|api\.telegram\.org)$/i;
/**
 * Passwords before a host, and keys in a path. Parameters of the query have names, and are found by those. In a program's output, a part of
 * a path may just as well be a job number, and is left alone.
 */
export function addressSpans(
	owner: string,
	text: string,
	at: number,
	reading: TextKind,
): readonly SecretSpan[] {
	const start = at + 3;
	const pathStart = endOfPassword(text, start) ?? endOfAuthority(text, start);
	const authority = text.slice(start, pathStart);
	const password = passwordIn(authority);
	const isWebhook = webhookHost.test(authority);
	if (!password && !isWebhook && reading !== 'setting') return [];
	const scheme = /[A-Za-z][A-Za-z0-9+.-]{0,30}$/.exec(text.slice(Math.max(0, at - 31), at))?.[0];
	if (scheme === undefined) return [];
	const byPassword = unnamed('password', () => environmentName(owner, 'password'));
	const span = password && secretSpanOf(text, shifted(password, start), byPassword);
	const passwords = span ? [span] : [];
	if ((reading !== 'setting' && !isWebhook) || !/^https?$/i.test(scheme) || sourceHost.test(authority))
		return passwords;
	const [path = ''] = text.slice(pathStart, endAt(text, pathStart, /[\s?#"'`<>\\]/)).split('://', 1);
	const inPath = unnamed('path', () => environmentName(owner, 'address key'));
	const keys = keysInPath(path, slackHost.test(authority) ? 20 : minKeyInPathLength);
	return [
		...passwords,
		...keys.flatMap((part) => secretSpanOf(text, shifted(part, pathStart), inPath) ?? []),
	];
}

/** A password may contain a slash, although it should be escaped. A port is none: `localhost:80/@scope`. */
const slashedPassword = /[^\s:@/"'`<>?#]{0,64}:(?!\d{1,5}\/)[^\s@"'`<>?#]{1,128}@[\w.-]+/y;

function endOfPassword(text: string, start: number): number | undefined {
	slashedPassword.lastIndex = start;
	return slashedPassword.test(text) ? endOfAuthority(text, slashedPassword.lastIndex) : undefined;
}

const maxAuthorityLength = 16_384;
const authorityEnds = new Set([...' \t\r\n/?#"\'`<>\\'].map((character) => character.charCodeAt(0)));

function endOfAuthority(text: string, start: number): number {
	const limit = Math.min(text.length, start + maxAuthorityLength);
	let end = start;
	while (end < limit && !authorityEnds.has(text.charCodeAt(end))) end++;
	return end;
}

function passwordIn(authority: string): Stretch | undefined {
	const end = authority.lastIndexOf('@');
	if (end === -1) return undefined;
	const colon = authority.indexOf(':');
	if (colon !== -1 && colon < end) return { start: colon + 1, end };
	// `https://TOKEN@host`, but not `ssh://git@host`.
	return end >= 16 && looksRandom(authority.slice(0, end)) ? { start: 0, end } : undefined;
}

function keysInPath(path: string, shortest: number): Stretch[] {
	return [...path.matchAll(/[\w=-]+/g)]
		.filter(([part]) => part.length >= shortest && /\d/.test(part) && /[A-Za-z]/.test(part))
		.map(({ 0: part, index }) => ({ start: index, end: index + part.length }));
}
