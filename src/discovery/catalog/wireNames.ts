import { sha256 } from '../../common/digest.ts';
import type { Tool } from './tool.ts';

/** The longest name that every provider accepts (OpenAI's and Anthropic's limit). */
const maxWireNameLength = 64;

const separator = '__';
const legal = /^[A-Za-z0-9_-]+$/;
/** Characters of a hash: a digit, then base 36: 58 bits, so that nobody finds another tool with a given hash. */
const hashLength = 12;
/** The end of a wire name that does not say the tool's name in full. */
export const hashEnd = /_\d[0-9a-z]{11}$/;

/**
 * A tool's wire name: `server__tool` if that is valid and unambiguous, else a shortened form that ends in a hash of both names. It depends on the two
 * names alone, so no other tool can take or change it, and it is the same from run to run.
 */
export function wireName({ server, name }: Pick<Tool, 'server' | 'name'>): string {
	const plain = server + separator + name;
	const isPlain =
		plain.length <= maxWireNameLength &&
		legal.test(server) &&
		/^[A-Za-z_]/.test(server) &&
		legal.test(name) &&
		// Otherwise `a__b` + `c` and `a` + `b__c` would be the same.
		!server.includes(separator) &&
		!server.endsWith('_') &&
		// Otherwise a tool could be named like the hashed form of another.
		!hashEnd.test(name);
	if (isPlain) return plain;
	const tail = `_${hash(JSON.stringify([server, name]))}`;
	const short = shortServer(server) + separator;
	return short + (legalised(name, maxWireNameLength - tail.length - short.length) || 'tool') + tail;
}

/** The server and the tool in a wire name, as far as it says them: for a tool that is not known any more. */
export function namesIn(wireName: string): Pick<Tool, 'server' | 'name'> {
	const [server = '', ...rest] = wireName.split(separator);
	return { server, name: rest.join(separator) || wireName };
}

/** A server's name in the wire names that end in a hash. Gemini accepts no name that begins with a digit or a hyphen. */
export function shortServer(server: string): string {
	return legalised(server, 20).replace(/^(?=[^A-Za-z])/, '_') || 'server';
}

function legalised(text: string, limit: number): string {
	return text
		.slice(0, 4 * maxWireNameLength)
		.normalize('NFKD')
		.replace(/\p{M}+/gu, '')
		.replace(/[^A-Za-z0-9_-]+/g, '_')
		.replace(/_{2,}/g, '_')
		.slice(0, limit)
		.replace(/^_+|_+$/g, '');
}

function hash(text: string): string {
	const value = Buffer.from(sha256(text), 'base64url').readBigUInt64BE();
	return `${value % 10n}${(value / 10n).toString(36).padStart(hashLength - 1, '0')}`.slice(0, hashLength);
}
