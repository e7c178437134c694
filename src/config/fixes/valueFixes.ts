import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { nearestName, typoTolerance } from '../../common/nearestName.ts';
import { type Json, withNodeReplaced } from '../file/jsoncText.ts';
import type { Path } from '../file/jsonPath.ts';
import { type ConfigFix, editFix, type FaultPlace, onTree, removal, use, withValueAt } from './configFix.ts';

/** Keys without which an entry is useless. */
const neededKeys = new Set(['command', 'url', 'provider', 'client', 'model']);

/** The choice that was probably meant. */
export function choice(place: FaultPlace, values: readonly (string | boolean)[]): ConfigFix[] {
	const written = findNodeAtLocation(place.root, [...place.path])?.value;
	const names = values.filter((value) => typeof value === 'string');
	const nearest =
		values.find((value) => value === flagOf(written)) ??
		(typeof written === 'string' ? nearestName(written, names, typoTolerance) : undefined);
	return nearest === undefined ? [] : use(place, nearest, JSON.stringify(nearest));
}

export function retyped(place: FaultPlace, expected: string): ConfigFix[] {
	const node = findNodeAtLocation(place.root, [...place.path]);
	if (!node) return [];
	if (node.type === 'null') return neededKeys.has(String(place.path.at(-1))) ? [] : removal(place);
	if (place.path.at(-1) === 'command' && node.type === 'array') return splitCommand(place);
	const isPlain = node.type !== 'array' && node.type !== 'object';
	const meant = isPlain ? valueMeant(node.value, expected, place.path) : undefined;
	// Text that becomes a list is free-form, and may be a secret.
	const shown = typeof meant === 'object' ? l10n.t('a list') : JSON.stringify(meant);
	return meant === undefined ? [] : use(place, meant, shown);
}

/** What a number, a flag or a text of another type obviously means. */
function valueMeant(value: unknown, expected: string, path: Path): Json | undefined {
	switch (expected) {
		case 'boolean':
			return flagOf(value);
		case 'number':
		case 'int':
			return numberOf(value);
		case 'string':
			return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
		case 'array':
			if (typeof value !== 'string') return undefined;
			return path.at(-1) === 'args' ? argumentsOf(value) : [value];
		case 'union':
			return flagOf(value) ?? (typeof value === 'string' && value !== '' ? [value] : undefined);
		default:
			return undefined;
	}
}

function flagOf(value: unknown): boolean | undefined {
	const word = String(value).trim().toLowerCase();
	if (['true', 'yes', 'on', '1'].includes(word)) return true;
	return ['false', 'no', 'off', '0'].includes(word) ? false : undefined;
}

function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
	return typeof value !== 'boolean' && Number.isFinite(number) ? Math.round(number) : undefined;
}

/** Splits a command with arguments, written as one string or as a list, into both keys. */
export function splitCommand({ text, root, path }: FaultPlace): ConfigFix[] {
	const command = findNodeAtLocation(root, [...path]);
	if (!command) return [];
	const [program = '', ...words] = wordsOf(command);
	if (program === '') return [];
	const place = [...path.slice(0, -1).map(String), 'args'];
	const list = findNodeAtLocation(root, place);
	if (list && list.type !== 'array') return [];
	const shorter = withNodeReplaced(text, command, JSON.stringify(program));
	const after = onTree(shorter, (tree) => {
		const first = findNodeAtLocation(tree, place)?.children?.[0];
		if (!first) return withValueAt(shorter, place, words);
		const items = words.map((word) => `${JSON.stringify(word)}, `).join('');
		return shorter.slice(0, first.offset) + items + shorter.slice(first.offset);
	});
	return editFix(l10n.t('Move the arguments into "args"'), text, after);
}

function wordsOf({ type, value, children = [] }: Node): readonly string[] {
	if (type === 'string') return argumentsOf(String(value));
	const words = type === 'array' ? children.map((child): unknown => child.value) : [];
	return words.every((word) => typeof word === 'string') ? words : [];
}

/**
 * Splits a command line into words and removes quotes: `npx -y "a b"` gives `npx`, `-y`, `a b`. Variables, pipes and escapes stay, since
 * nothing here would execute them.
 */
function argumentsOf(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g)].map(([word]) =>
		word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);
}
