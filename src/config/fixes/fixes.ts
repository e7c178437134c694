import * as l10n from '@vscode/l10n';
import { applyEdits, type Node } from 'jsonc-parser';
import { ConfigText } from '../file/configText.ts';
import { withNodeReplaced } from '../file/jsoncText.ts';
import { quoted } from '../file/jsonPath.ts';
import type { ConfigProblem } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { isQuotedLiteral, suggestedKey } from '../problemText.ts';
import type { VariableScope } from '../secrets/variables.ts';
import { type ConfigFix, editFix, type FaultPlace, nodeAt } from './configFix.ts';
import { moveAllSecrets, moveSecret, setVariable, withoutSecrets } from './secretFixes.ts';
import { splitCommand } from './splitCommand.ts';

export interface FixContext {
	/** All problems of the text. */
	readonly problems: readonly ConfigProblem[];
	/** The environment: a new variable must not take a name with another value. */
	readonly env: VariableScope['env'];
}

/** Fixes for a problem of a text, best first. A problem that needs a decision by the author has none. */
export function fixesFor(
	text: string,
	{ reason, path }: ConfigProblem,
	{ problems, env }: FixContext,
): readonly ConfigFix[] {
	const root = ConfigText.of(text).unfinished;
	if (!root || !reason) return [];
	const place = { text, root, path };
	switch (reason.kind) {
		case 'unknown-key':
			return renameToKnown(place, reason.knownKeys);
		case 'wrong-type':
			return requoted(place, reason.expected);
		case 'command-line':
			return splitCommand(place);
		case 'unset-variable':
			return setVariable(place, reason.name);
		case 'literal-key':
		case 'credentials':
			return [...moveSecret(place, env), ...moveAllSecrets(text, problems, env)];
		case 'syntax':
		case 'doubled-key':
			return [];
	}
}

/** Fixes everything that needs no decision, keys included; none if a fix of one kind does the same. */
export function fixAll(text: string, { problems, env }: FixContext): readonly ConfigFix[] {
	const fixes = problems.flatMap((problem) =>
		fixesFor(text, problem, { problems: [], env })
			.filter((fix) => fix.kind === 'edit')
			.slice(0, 1),
	);
	let repaired = text;
	let fixed = 0;
	// From the end, so that offsets stay; a fix that overlaps another one is left for the next time.
	let end = text.length;
	for (const { edits } of fixes.toSorted((a, b) => (b.edits[0]?.offset ?? 0) - (a.edits[0]?.offset ?? 0))) {
		if (edits.some(({ offset, length }) => offset + length > end)) continue;
		repaired = applyEdits(repaired, [...edits]);
		end = edits[0]?.offset ?? end;
		fixed++;
	}
	const { after, secrets } = withoutSecrets(repaired, problems, env);
	const count = fixed + secrets.length;
	if (fixed === 0 || count < 2) return [];
	const title = l10n.t('Fix all {0} problems', count);
	return [{ kind: 'store', title, edits: smallestEdit(text, after), secrets }];
}

function renameToKnown(place: FaultPlace, knownKeys: readonly string[]): ConfigFix[] {
	const key = nodeAt(place)?.parent;
	const written = String(place.path.at(-1));
	const name = suggestedKey(written, knownKeys);
	const [keyName] = key?.children ?? [];
	// If the right name exists too, a second one would be ignored.
	if (name === undefined || !keyName || siblingsOf(key).includes(name)) return [];
	const after = withNodeReplaced(place.text, keyName, JSON.stringify(name));
	return editFix(l10n.t('Rename to {0}', quoted(name)), place.text, after);
}

function siblingsOf(property: Node | undefined): readonly string[] {
	return (property?.parent?.children ?? []).map(({ children }) => String(children?.[0]?.value));
}

/**
 * Adds or removes quotes if they are all that is wrong. What stands between them stays letter for letter: a number that is read and written
 * again may differ.
 */
function requoted(place: FaultPlace, expected: string): readonly ConfigFix[] {
	const { text, path } = place;
	const node = nodeAt(place);
	if (!node) return [];
	if (node.type === 'array' && path.at(-1) === 'command') return splitCommand(place);
	const isQuoted = node.type === 'string' && isQuotedLiteral(expected, String(node.value));
	const isBare = expected === 'string' && (node.type === 'number' || node.type === 'boolean');
	if (!isQuoted && !isBare) return [];
	const written = text.slice(node.offset, node.offset + node.length);
	return isQuoted
		? editFix(l10n.t('Remove the quotes'), text, withNodeReplaced(text, node, String(node.value)))
		: editFix(l10n.t('Put it in quotes'), text, withNodeReplaced(text, node, JSON.stringify(written)));
}
