import * as l10n from '@vscode/l10n';
import { findNodeAtLocation } from 'jsonc-parser';
import { assertNever } from '../../common/assertNever.ts';
import { nearestName } from '../../common/nearestName.ts';
import { configTemplate } from '../assist/templates.ts';
import { isServerSection, serverSections } from '../config.ts';
import { unfinishedRoot } from '../file/document.ts';
import { legalServerName } from '../file/entryNames.ts';
import { withoutChildren } from '../file/jsoncText.ts';
import { quoted } from '../file/jsonPath.ts';
import type { ConfigProblem, FaultReason } from '../file/problemReport.ts';
import { suggestedKey } from '../problemText.ts';
import type { VariableScope } from '../secrets/variables.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	namesAt,
	onTree,
	removal,
	rewriteText,
	use,
	withKeyRenamed,
} from './configFix.ts';
import { credentialsInHeader, settings, storedKey, storedVariable } from './secretFixes.ts';
import { fixesForSyntax } from './syntaxFixes.ts';
import { choice, retyped, splitCommand } from './valueFixes.ts';

/** Fixes for a problem in this text, best first. A problem that needs a decision by the author has none. */
export function fixesFor(
	text: string,
	problem: ConfigProblem,
	env: VariableScope['env'],
): readonly ConfigFix[] {
	const { reason, path } = problem;
	if (!reason) return [];
	if (reason.kind === 'empty-file') {
		return editFix(l10n.t('Insert a starter configuration'), text, text + configTemplate);
	}
	if (reason.kind === 'syntax') return fixesForSyntax(text, reason.offset);
	const root = unfinishedRoot(text);
	return root ? fixesAt({ text, root, path, env }, reason) : [];
}

function fixesAt(
	place: FaultPlace,
	reason: Exclude<FaultReason, { kind: 'empty-file' | 'syntax' }>,
): readonly ConfigFix[] {
	const section = place.path[0];
	switch (reason.kind) {
		case 'doubled-key':
			return removeSecond(place, reason.offset);
		case 'unknown-key':
			return renameToKnown(place, reason.known) ?? removal(place);
		case 'useless-key':
			return removal(place);
		case 'wrong-type':
			return retyped(place, reason.expected);
		case 'not-one-of':
			return choice(place, reason.values);
		case 'out-of-range':
			return use(place, reason.nearest, String(reason.nearest));
		case 'no-such-name':
			return useNearest(place, reason.names);
		case 'server-name':
			return renameServer(place);
		case 'command-line':
			return splitCommand(place);
		case 'control-characters':
			return withoutControls(place);
		case 'unencrypted':
			return rewriteText(place, l10n.t('Use https'), (url) => url.replace(/^http:/, 'https:'));
		case 'added-path':
			return withoutAddedPath(place, reason.path);
		case 'unset-variable':
			return settings(place, reason.name);
		case 'unknown-variable':
			return reason.meant === undefined ? [] : respelled(place, reason.variable, reason.meant);
		case 'literal-key':
			return section === 'clients' ? storedKey(place) : storedVariable(place);
		case 'credentials':
			return isServerSection(section) ? credentialsInHeader(place) : [];
		default:
			return assertNever(reason);
	}
}

function removeSecond({ text, root, path }: FaultPlace, offset: number): ConfigFix[] {
	const name = quoted(String(path.at(-1)));
	const object = objectAround(root, offset);
	if (!object) return [];
	const after = withoutChildren(text, object, ({ children }) => children?.[0]?.offset === offset);
	return editFix(l10n.t('Remove this second {0}', name), text, after);
}

/** The innermost object with a name at an offset. A path would lead to the first of two duplicates. */
function objectAround(node: FaultPlace['root'], offset: number): FaultPlace['root'] | undefined {
	if (offset < node.offset || offset >= node.offset + node.length) return undefined;
	for (const child of node.children ?? []) {
		const inside = objectAround(child, offset);
		if (inside) return inside;
	}
	const hasName = node.children?.some(({ children }) => children?.[0]?.offset === offset);
	return node.type === 'object' && hasName ? node : undefined;
}

function renameToKnown({ text, root, path }: FaultPlace, known: readonly string[]): ConfigFix[] | undefined {
	const present = new Set(namesAt(root, path.slice(0, -1)));
	const free = known.filter((name) => !present.has(name));
	const name = suggestedKey(String(path.at(-1)), free);
	// If the right name exists too, a second one would be ignored.
	if (name === undefined || name !== suggestedKey(String(path.at(-1)), known)) return undefined;
	return editFix(l10n.t('Rename to {0}', quoted(name)), text, withKeyRenamed(text, root, path, name));
}

/** Replaces a name, in a string or as a key, with the most similar one that exists. */
function useNearest(place: FaultPlace, names: readonly string[]): ConfigFix[] {
	const { text, root, path } = place;
	const written = findNodeAtLocation(root, [...path])?.value;
	if (typeof written === 'string') {
		const name = nearestName(written, names);
		return name === undefined ? [] : use(place, name, quoted(name));
	}
	const present = new Set(namesAt(root, path.slice(0, -1)));
	const free = names.filter((one) => !present.has(one));
	const name = nearestName(String(path.at(-1)), free);
	if (name === undefined) return [];
	return editFix(l10n.t('Use {0}', quoted(name)), text, withKeyRenamed(text, root, path, name));
}

/** Renames a server, also in the toolsets that name it. */
function renameServer({ text, root, path }: FaultPlace): ConfigFix[] {
	const [section = '', written] = path.map(String);
	if (written === undefined) return [];
	const taken = serverSections.flatMap((one) => namesAt(root, [one])).filter((name) => name !== written);
	const name = legalServerName(written, taken);
	const inSets = namesAt(root, ['tool_sets']).map((set) => ['tool_sets', set, 'servers', written]);
	const after = [[section, written], ...inSets].reduce(
		(rest, place) => onTree(rest, (tree) => withKeyRenamed(rest, tree, place, name)),
		text,
	);
	return editFix(l10n.t('Rename to {0}', quoted(name)), text, after);
}

/** Fixes an address or a command that was pasted with a line break. */
function withoutControls(place: FaultPlace): ConfigFix[] {
	const title = l10n.t('Remove the line breaks and control characters');
	const clean = (written: string) => written.replace(/\s*\p{Cc}+\s*/gu, '').trim() || written;
	return rewriteText(place, title, clean);
}

function withoutAddedPath(place: FaultPlace, path: string): ConfigFix[] {
	const atEnd = new RegExp(`${path}/*\\s*$`);
	return rewriteText(place, l10n.t('Remove {0}', quoted(path)), (address) => address.replace(atEnd, ''));
}

function respelled(place: FaultPlace, variable: string, meant: string): ConfigFix[] {
	const title = l10n.t('Use {0}', `"\${${meant}}"`);
	return rewriteText(place, title, (text) => text.replaceAll(`\${${variable}}`, () => `\${${meant}}`));
}
