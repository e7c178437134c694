import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { withNodeReplaced } from '../file/jsoncText.ts';
import { type ConfigFix, editFix, type FaultPlace, nodeAt, onTree, withValueAt } from './configFix.ts';

/** Splits a command with arguments, written as one string or as a list, into both keys. */
export function splitCommand(fault: FaultPlace): ConfigFix[] {
	const { text, root, path } = fault;
	const command = nodeAt(fault);
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
	if (type === 'string') return wordsOfLine(String(value));
	const words = children.map((child): unknown => child.value);
	return words.every((word) => typeof word === 'string') ? words : [];
}

/**
 * Splits a command line into words and removes quotes: `npx -y "a b"` gives `npx`, `-y`, `a b`. Variables, pipes and escapes stay, since
 * nothing here would execute them.
 */
function wordsOfLine(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g)].map(([word]) =>
		word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
	);
}
