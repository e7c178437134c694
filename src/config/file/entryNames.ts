import * as l10n from '@vscode/l10n';
import { visible } from '../../common/text.ts';
import { syntheticToolNames } from '../../discovery/catalog/syntheticTool.ts';

/**
 * Longest name of a server, model, client or toolset, in UTF-16 units. It appears in pickers and questions, and a server's name has to fit
 * into a wire name of 64 characters together with a tool's.
 */
const maxNameLength = 64;

/** A name without line breaks and invisible characters: names that differ only in these look the same. */
function printable(name: string): string {
	return visible(name).replace(/[\t\n\r\u2028\u2029\u2800]/g, '');
}

/** Why this cannot be the name of a server, model or client; `undefined`: it can. Spaces, emoji and other scripts are allowed. */
export function nameFault(name: string): string | undefined {
	if (name.trim() === '') return l10n.t('the name must not be empty');
	if (name.length > maxNameLength) {
		return l10n.t('the name has at most {0} characters, this one has {1}', maxNameLength, name.length);
	}
	if (printable(name) !== name) {
		return l10n.t('the name cannot contain control or invisible characters');
	}
	// A valid key, but dangerous wherever a name becomes a key of an object.
	return name === '__proto__' ? l10n.t('choose another name') : undefined;
}

/** {@link nameFault} of a server, whose name is also a part of its tools’ names. */
export function serverNameFault(name: string): string | undefined {
	const fault = nameFault(name);
	if (fault !== undefined) return fault;
	if (/[/\\]/.test(name)) return l10n.t('the name cannot contain slashes');
	if (name === '.' || name === '..') return l10n.t('choose another name');
	return syntheticToolNames.has(name)
		? l10n.t('this is the name of one of the extension’s own tools; choose another')
		: undefined;
}

/**
 * The part of a name that distinguishes it: servers with the same one are hard to tell apart. Ignores case, joiners, and characters that
 * wire names cannot contain, unless there are no others.
 */
export function legibleName(name: string): string {
	const folded = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\u200C|\u200D|\uFE0F/g, '');
	const legible = folded.replace(/[^a-z0-9_-]/gu, '_');
	return /[a-z0-9]/.test(legible) ? legible : folded;
}

/** A valid server name like the wish, which models can distinguish from those already taken. */
export function legalServerName(wish: string, takenNames: Iterable<string>): string {
	const others = new Set([...takenNames].map(legibleName));
	return numbered(possibleServerName(wish), (name) => others.has(legibleName(name)));
}

/** A name like the wish that is not taken, for a model or a client. */
export function freeName(wish: string, takenNames: readonly string[]): string {
	return numbered(withSuffix(printable(wish).trim(), ''), (name) => takenNames.includes(name));
}

/** The name, or the first of `name-2`, `name-3` and so on that is not taken. */
function numbered(base: string, isTaken: (name: string) => boolean): string {
	let name = base;
	for (let number = 2; isTaken(name); number++) name = withSuffix(base, `-${number}`);
	return name;
}

/** Adds a word to the name of one of our own tools, and to an empty name. */
function possibleServerName(wish: string): string {
	if (serverNameFault(wish) === undefined) return wish;
	const plain = printable(wish).replace(/[\\/]+/g, '-');
	const clean = withSuffix(plain.replace(/^[\s.-]+/, ''), '').replace(/[\s.-]+$/, '');
	if (serverNameFault(clean) === undefined) return clean;
	return clean === '' ? 'server' : withSuffix(clean, '-server');
}

/** Appends a suffix, shortening the name if necessary, by whole characters: half an emoji is not a name. */
function withSuffix(name: string, suffix: string): string {
	return name.slice(0, maxNameLength - suffix.length).replace(/[\ud800-\udbff]$/, '') + suffix;
}
