import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { isServerSection } from '../config.ts';
import { nodeValue } from '../file/document.ts';
import { ProblemReport } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { salvage } from '../salvage.ts';
import { serverSchema } from '../schema.ts';
import { VariableNames } from '../secrets/variableNames.ts';
import { splitCredentials } from '../servers/address.ts';
import { secretsOfLaunch } from '../servers/launch.ts';
import {
	type ConfigFix,
	type FaultPlace,
	type ReasonOf,
	rewriteText,
	withNodeReplaced,
	withoutEntry,
	withValueAt,
} from './configFix.ts';

type SecretReason = ReasonOf<'unset-variable' | 'unknown-variable' | 'literal-key' | 'credentials'>;

/** Fixes for variables, and for secrets that should be variables. */
export function fixesForSecret(place: FaultPlace, reason: SecretReason): readonly ConfigFix[] {
	switch (reason.kind) {
		case 'unset-variable':
			return settings(place, reason.name);
		case 'unknown-variable':
			return reason.meant === undefined ? [] : respelled(place, reason.variable, reason.meant);
		case 'literal-key':
			return place.path[0] === 'clients' ? storedKey(place) : storedVariable(place);
		case 'credentials':
			return isServerSection(place.path[0]) ? credentialsInHeader(place) : withoutCredentials(place);
	}
}

/** Offers to set a variable. Only servers can read stored secrets. */
function settings({ path }: FaultPlace, variable: string): ConfigFix[] {
	const kind = 'set-variable';
	if (variable === '') return [];
	return [
		...(isServerSection(path[0])
			? [{ kind, title: l10n.t('Set {0} in secret storage…', variable), variable, where: 'secrets' } as const]
			: []),
		{ kind, title: l10n.t('Write {0} into .env…', variable), variable, where: 'dotenv' },
	];
}

function respelled(place: FaultPlace, variable: string, meant: string): ConfigFix[] {
	const title = l10n.t('Use {0}', `"\${${meant}}"`);
	return rewriteText(place, title, (text) => text.replaceAll(`\${${variable}}`, () => `\${${meant}}`), true);
}

/** Moves the first secret of a value; another fix moves the next. */
function storedVariable({ text, root, path, env }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	const span = found && secretSpan(root, path);
	if (!found || !span) return [];
	const value = found.value.slice(span.start, span.end);
	const variable = new VariableNames(env).forSecret(String(path[1]), span.wish, value);
	const rest = `${found.value.slice(0, span.start)}\${env:${variable}}${found.value.slice(span.end)}`;
	const edits = smallestEdit(text, withNodeReplaced(text, found.node, JSON.stringify(rest)));
	return [
		{
			kind: 'store-variable',
			title: l10n.t('Move the key to secret storage, as {0}', variable),
			edits,
			variable,
			value,
		},
	];
}

/** The first secret in a text of a server's entry. Variables are replaced nowhere else. */
function secretSpan(root: Node, [section, server, ...inEntry]: FaultPlace['path']): SecretSpan | undefined {
	const node = findNodeAtLocation(root, [section ?? '', server ?? '']);
	if (!isServerSection(section) || !node) return undefined;
	const entry = salvage(serverSchema, nodeValue(node), [], new ProblemReport('', undefined, []));
	const texts = [...secretsOfLaunch(String(server), entry ?? {})];
	const place = texts.find(({ path }) => JSON.stringify(path) === JSON.stringify(inEntry));
	return place?.spans.find(({ kind }) => kind === 'secret');
}

/** A client's key is stored separately; no variable in the file stands for it. */
function storedKey({ text, root, path }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	// A `base_url` holds more than the key, so removing it would lose the address.
	if (!found || path.length !== 3 || path[2] === 'base_url') return [];
	const edits = smallestEdit(text, withoutEntry(text, root, path));
	const value = found.value.replace(/^bearer\s+/i, '').trim();
	return [
		{
			kind: 'store-key',
			title: l10n.t('Move the key to secret storage'),
			edits,
			client: String(path[1]),
			value,
		},
	];
}

function withoutCredentials(place: FaultPlace): ConfigFix[] {
	const title = l10n.t('Remove the user name and password');
	return rewriteText(place, title, (written) => splitCredentials(written)?.address ?? written);
}

function credentialsInHeader({ text, root, path, env }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	const { address, basic: value } = (found && splitCredentials(found.value)) ?? {};
	if (!found || address === undefined || value === undefined) return [];
	const server = String(path[1]);
	const variable = new VariableNames(env).forSecret(server, environmentName(server, 'authorization'), value);
	const shorter = withNodeReplaced(text, found.node, JSON.stringify(address));
	const header = [...path.slice(0, -1).map(String), 'headers', 'Authorization'];
	const after = withValueAt(shorter, header, `Basic \${env:${variable}}`);
	const title = l10n.t('Move the password to secret storage, as {0} in a header', variable);
	return [{ kind: 'store-variable', title, edits: smallestEdit(text, after), variable, value }];
}

function textAt(
	root: Node,
	path: FaultPlace['path'],
): { readonly node: Node; readonly value: string } | undefined {
	const node = findNodeAtLocation(root, [...path]);
	return typeof node?.value === 'string' ? { node, value: node.value } : undefined;
}
