import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import {
	type SecretSpan,
	spansInText,
	spansOfArguments,
	spansOfValue,
} from '../../common/secrets/secretSpans.ts';
import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { serverSections } from '../config.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { VariableNames } from '../secrets/variableNames.ts';
import {
	type ConfigFix,
	editFix,
	type FaultPlace,
	type ReasonOf,
	removed,
	replaced,
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
			return isOfServer(place.path) ? credentialsInHeader(place) : withoutCredentials(place);
	}
}

/** Stored secrets are for servers only. */
function settings({ path }: FaultPlace, variable: string): ConfigFix[] {
	const kind = 'set-variable';
	if (variable === '') return [];
	return [
		...(isOfServer(path)
			? [{ kind, title: l10n.t('Set {0} in secret storage…', variable), variable, where: 'secrets' } as const]
			: []),
		{ kind, title: l10n.t('Write {0} into .env…', variable), variable, where: 'dotenv' },
	];
}

function isOfServer([section]: FaultPlace['path']): boolean {
	return serverSections.some((one) => one === section);
}

function respelled({ text, root, path }: FaultPlace, variable: string, meant: string): ConfigFix[] {
	const node = textAt(root, path);
	if (!node) return [];
	const value = node.value.replaceAll(`\${${variable}}`, () => `\${${meant}}`);
	return editFix(
		l10n.t('Use {0}', `"\${${meant}}"`),
		text,
		replaced(text, node.node, JSON.stringify(value)),
		true,
	);
}

/** The first secret of a value; where it holds more, the next fix takes the next. */
function storedVariable({ text, root, path, env }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	const span = found && secretSpan(root, path, found.value);
	if (!found || !span) return [];
	const value = found.value.slice(span.start, span.end);
	const variable = new VariableNames(env).forSecret(String(path[1]), span.wish, value);
	const rest = `${found.value.slice(0, span.start)}\${env:${variable}}${found.value.slice(span.end)}`;
	const edits = smallestEdit(text, replaced(text, found.node, JSON.stringify(rest)));
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

function secretSpan(root: Node, path: FaultPlace['path'], value: string): SecretSpan | undefined {
	// What is a variable of the process has its name already.
	const owner = path[2] === 'env' ? '' : String(path[1]);
	const name = path.at(-1);
	const spans =
		typeof name === 'number'
			? spansOfArguments(owner, argumentsAt(root, path.slice(0, -1)))[name]
			: path.length > 3
				? spansOfValue(owner, String(name), value)
				: spansInText(owner, value);
	return spans?.find(({ kind }) => kind === 'secret');
}

function argumentsAt(root: Node, path: FaultPlace['path']): readonly string[] {
	return (findNodeAtLocation(root, [...path])?.children ?? []).map(({ value }) => String(value));
}

/** A client's key has a place of its own, and no variable stands for it in the file. */
function storedKey({ text, root, path }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	// `base_url` is more than the key that it holds.
	if (!found || path.length !== 3 || path[2] === 'base_url') return [];
	const edits = smallestEdit(text, removed(text, root, path));
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

const userInfo = /^(https?:\/\/)([^/?#]*)@/;

function withoutCredentials({ text, root, path }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	if (!found) return [];
	const address = found.value.replace(userInfo, '$1');
	return editFix(
		l10n.t('Remove the user name and password'),
		text,
		replaced(text, found.node, JSON.stringify(address)),
	);
}

function credentialsInHeader({ text, root, path, env }: FaultPlace): ConfigFix[] {
	const found = textAt(root, path);
	const [, , credentials] = (found && userInfo.exec(found.value)) ?? [];
	// What comes of a variable cannot be encoded here.
	if (!found || credentials === undefined || credentials.includes('${')) return [];
	const value = Buffer.from(decoded(credentials)).toString('base64');
	const server = String(path[1]);
	const variable = new VariableNames(env).forSecret(server, environmentName(server, 'authorization'), value);
	const address = replaced(text, found.node, JSON.stringify(found.value.replace(userInfo, '$1')));
	const header = [...path.slice(0, -1).map(String), 'headers', 'Authorization'];
	const after = withValueAt(address, header, `Basic \${env:${variable}}`);
	const title = l10n.t('Move the password to secret storage, as {0} in a header', variable);
	return [{ kind: 'store-variable', title, edits: smallestEdit(text, after), variable, value }];
}

function decoded(credentials: string): string {
	try {
		return decodeURIComponent(credentials);
	} catch {
		return credentials;
	}
}

function textAt(
	root: Node,
	path: FaultPlace['path'],
): { readonly node: Node; readonly value: string } | undefined {
	const node = findNodeAtLocation(root, [...path]);
	return typeof node?.value === 'string' ? { node, value: node.value } : undefined;
}
