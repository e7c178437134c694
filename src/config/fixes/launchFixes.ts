import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { quoted } from '../file/jsonPath.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	onTree,
	propertyAt,
	type ReasonOf,
	rewriteText,
	withNodeReplaced,
	withValueAt,
} from './configFix.ts';

type LaunchReason = ReasonOf<'no-launch' | 'two-launches' | 'command-line' | 'unencrypted' | 'added-path'>;

/** Fixes for how a server or client is reached. */
export function fixesForLaunch(place: FaultPlace, reason: LaunchReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'no-launch':
		case 'two-launches':
			// Only the author knows which of the two is meant.
			return [];
		case 'command-line':
			return splitCommand(place);
		case 'unencrypted':
			return rewriteText(place, l10n.t('Use https'), (url) => url.replace(/^http:/, 'https:'), true);
		case 'added-path':
			return withoutAddedPath(place, reason.path);
	}
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
		const first = propertyAt(tree, place)?.children?.[1]?.children?.[0];
		if (!first) return withValueAt(shorter, place, words);
		const items = words.map((word) => `${JSON.stringify(word)}, `).join('');
		return shorter.slice(0, first.offset) + items + shorter.slice(first.offset);
	});
	return editFix(l10n.t('Move the arguments into "args"'), text, after, true);
}

function wordsOf({ type, value, children = [] }: Node): readonly string[] {
	if (type === 'string') return argumentsOf(String(value));
	const words = type === 'array' ? children.map((child): unknown => child.value) : [];
	return words.every((word) => typeof word === 'string') ? words : [];
}

function withoutAddedPath(place: FaultPlace, path: string): ConfigFix[] {
	const atEnd = new RegExp(`${path}/*\\s*$`);
	return rewriteText(
		place,
		l10n.t('Remove {0}', quoted(path)),
		(address) => address.replace(atEnd, ''),
		true,
	);
}

/**
 * Splits a command line into words and removes quotes: `npx -y "a b"` gives `npx`, `-y`, `a b`. Variables, pipes and escapes stay, since
 * nothing here would execute them.
 */
export function argumentsOf(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g)].map(([word]) =>
		word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);
}
