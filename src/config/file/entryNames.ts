import * as l10n from '@vscode/l10n';
import { syntheticToolNames } from '../../discovery/catalog/syntheticTool.ts';

/**
 * Longest name of a server, a model, a client or a toolset, in UTF-16 units: it stands in pickers and questions, and a server's has to fit
 * into a wire name of 64 characters together with a tool's.
 */
export const maxNameLength = 64;

/**
 * Line breaks, control characters, those that turn the direction of the text around them, and those that nobody sees: names that differ
 * in them alone look the same. The two joiners and the selector of coloured signs are left: emoji and some scripts are written with them.
 */
export const unprintable =
	/[\p{Cc}\p{Cs}\u2028\u2029\u2800]|(?!\u200C|\u200D|\uFE0F)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Why a server cannot have this name, or nothing. Spaces, emoji and other scripts are allowed. */
export function serverNameFault(name: string): string | undefined {
	if (name.trim() === '') return l10n.t('a server name must not be empty');
	if (name.length > maxNameLength) {
		return l10n.t('a server name has at most {0} characters, this one has {1}', maxNameLength, name.length);
	}
	if (unprintable.test(name)) {
		return l10n.t('a server name cannot contain control or invisible characters');
	}
	if (/[/\\]/.test(name)) return l10n.t('a server name cannot contain slashes');
	if (name === '.' || name === '..' || name === '__proto__') {
		return l10n.t('no server can have this name; choose another');
	}
	if (syntheticToolNames.has(name)) {
		return l10n.t('this is the name of one of the extension’s own tools; choose another');
	}
	return undefined;
}

/**
 * What is left of a name that tells it from others: servers that are alike in it are hard to tell apart. Case makes no difference, nor do
 * joiners, nor characters that no tool's name can hold, unless it has no others.
 */
export function legibleName(name: string): string {
	const folded = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\u200C|\u200D|\uFE0F/g, '');
	const legible = folded.replace(/[^a-z0-9_-]/gu, '_');
	return /[a-z0-9]/.test(legible) ? legible : folded;
}

/** A name like the one that is wished for, which a server can have, and which models can tell from those that are taken. */
export function legalServerName(wish: string, taken: Iterable<string>): string {
	const base = possibleServerName(wish);
	const others = new Set([...taken].map(legibleName));
	for (let number = 1; ; number++) {
		const name = number === 1 ? base : withSuffix(base, `-${number}`);
		if (!others.has(legibleName(name))) return name;
	}
}

const everyUnprintable = new RegExp(unprintable, 'gu');

/** The name of one of the extension's own tools gets a word added, and what is left of nothing is that word. */
function possibleServerName(wish: string): string {
	if (serverNameFault(wish) === undefined) return wish;
	const printable = wish.replaceAll(everyUnprintable, '').replaceAll(/[\\/]+/g, '-');
	const clean = withSuffix(printable.replace(/^[\s.-]+/, ''), '').replace(/[\s.-]+$/, '');
	if (serverNameFault(clean) === undefined) return clean;
	return clean === '' ? 'server' : withSuffix(clean, '-server');
}

/** A name with a suffix, shortened where it would be too long; by whole characters, as half of an emoji is no name. */
function withSuffix(name: string, suffix: string): string {
	const longest = maxNameLength - suffix.length;
	let start = '';
	for (const character of name) {
		if (start.length + character.length > longest) break;
		start += character;
	}
	return start + suffix;
}

/** Why a model, or a client, cannot have this name, or nothing. */
export function modelNameFault(name: string): string | undefined {
	if (name.trim() === '') return l10n.t('the name must not be empty');
	if (name.length > maxNameLength) {
		return l10n.t('the name has at most {0} characters, this one has {1}', maxNameLength, name.length);
	}
	if (unprintable.test(name)) {
		return l10n.t('the name cannot contain control or invisible characters');
	}
	// It is a legal key, but risky wherever a name becomes the key of an object.
	return name === '__proto__' ? l10n.t('choose another name') : undefined;
}
