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

/** Fixes for how a server or a client is reached. */
export function fixesForLaunch(place: FaultPlace, reason: LaunchReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'no-launch':
		case 'two-launches':
			// Which of the two is meant, only their author knows.
			return [];
		case 'command-line':
			return splitCommand(place);
		case 'unencrypted':
			return rewriteText(place, l10n.t('Use https'), (url) => url.replace(/^http:/, 'https:'), true);
		case 'added-path':
			return withoutAddedPath(place, reason.path);
	}
}

/** A command with its arguments goes to both keys, whether it is one text or a list of words. */
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
 * The words of a command line, quotes taken away: `npx -y "a b"` gives `npx`, `-y`, `a b`. Not a shell's whole grammar: variables,
 * pipes and escapes stay as they are written, since nothing here would carry them out.
 */
export function argumentsOf(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g)].map(([word]) =>
		word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);
}
