import { compareStrings } from '../../common/text.ts';
import type { Tool } from './tool.ts';

/** The longest name that every provider accepts (OpenAI's and Anthropic's limit). */
const maxWireNameLength = 64;

const separator = '__';
const legal = /^[A-Za-z0-9_-]+$/;
const hashLength = 7;

/**
 * A tool's wire name: `server__tool` if that is valid and unambiguous, else a shortened form that ends in a hash of both names. It depends on the two
 * names alone, so it is the same from run to run.
 */
export function wireName(tool: Pick<Tool, 'server' | 'name'>): string {
	return isPlain(tool) ? tool.server + separator + tool.name : hashed(tool, 0);
}

/**
 * Unique wire names for many tools, in their order. Two tools collide only if one's name was built from another's hash, or on a hash collision. The
 * plain name then wins, and the later tool by name gets another hash.
 */
export function allocateWireNames(tools: readonly Pick<Tool, 'server' | 'name'>[]): string[] {
	const names = new Array<string>(tools.length);
	const taken = new Set<string>();
	const plainFirst = tools
		.map((tool, index) => ({ tool, index, name: wireName(tool) }))
		.sort(
			(a, b) =>
				Number(isPlain(b.tool)) - Number(isPlain(a.tool)) ||
				compareStrings(a.tool.server, b.tool.server) ||
				compareStrings(a.tool.name, b.tool.name),
		);
	for (const { tool, index, name } of plainFirst) {
		let free = name;
		for (let salt = 1; taken.has(free); salt++) free = hashed(tool, salt);
		taken.add(free);
		names[index] = free;
	}
	return names;
}

/** Plain names never collide: the first `__` always follows the server. */
function isPlain(tool: Pick<Tool, 'server' | 'name'>): boolean {
	return (
		tool.server.length + separator.length + tool.name.length <= maxWireNameLength &&
		legal.test(tool.server) &&
		legal.test(tool.name) &&
		!tool.server.includes(separator) &&
		!tool.server.endsWith('_')
	);
}

/** Prefixes of a server's full names: `server:tool`, and both forms of its wire names. */
export function namesBeginnings(server: string): readonly string[] {
	return [`${server}:`, server + separator, shortServer(server) + separator];
}

function shortServer(server: string): string {
	return legalised(server, 20) || 'server';
}

function hashed(tool: Pick<Tool, 'server' | 'name'>, salt: number): string {
	const tail = `_${hash(JSON.stringify([tool.server, tool.name, salt]))}`;
	const server = shortServer(tool.server);
	const name =
		legalised(tool.name, maxWireNameLength - tail.length - server.length - separator.length) || 'tool';
	return server + separator + name + tail;
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

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/), in base 36, always {@link hashLength} characters. */
function hash(text: string): string {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		value ^= text.charCodeAt(i);
		value = Math.imul(value, 0x01000193);
	}
	return (value >>> 0).toString(36).padStart(hashLength, '0');
}
