import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { isServerSection } from '../config.ts';
import { nodeValue } from '../file/document.ts';
import { withNodeReplaced } from '../file/jsoncText.ts';
import { ProblemReport } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { salvage } from '../salvage.ts';
import { serverSchema } from '../schema.ts';
import { VariableNames } from '../secrets/variableNames.ts';
import { splitCredentials } from '../servers/address.ts';
import { secretsAt } from '../servers/launch.ts';
import { type ConfigFix, type FaultPlace, withoutEntry, withValueAt } from './configFix.ts';

/** Offers to store the value of a variable. Only servers can read stored secrets. */
export function settings({ path }: FaultPlace, variable: string): ConfigFix[] {
	if (variable === '' || !isServerSection(path[0])) return [];
	return [{ kind: 'set-variable', title: l10n.t('Set {0} in secret storage…', variable), variable }];
}

/** Moves the first secret of a value; another fix moves the next. */
export function storedVariable({ text, root, path, env }: FaultPlace): ConfigFix[] {
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
	return secretsAt(String(server), entry ?? {})(inEntry).find(({ kind }) => kind === 'secret');
}

/** A client's key is stored separately; no variable in the file stands for it. */
export function storedKey({ text, root, path }: FaultPlace): ConfigFix[] {
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

export function credentialsInHeader({ text, root, path, env }: FaultPlace): ConfigFix[] {
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
