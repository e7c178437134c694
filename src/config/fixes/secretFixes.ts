import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { SecretSpan } from '../../common/secrets/secretSpan.ts';
import { environmentName } from '../../common/secrets/secretVerdict.ts';
import { isServerSection } from '../config.ts';
import { ConfigText, nodeValue } from '../file/configText.ts';
import { withNodeReplaced, withoutChildren } from '../file/jsoncText.ts';
import { isKey } from '../file/keyProblem.ts';
import { type ConfigProblem, ProblemReport } from '../file/problemReport.ts';
import { smallestEdit } from '../file/textEdit.ts';
import { salvage } from '../salvage.ts';
import { serverSchema } from '../schema.ts';
import { VariableNames } from '../secrets/variableNames.ts';
import type { VariableScope } from '../secrets/variables.ts';
import { splitCredentials } from '../servers/address.ts';
import { secretsAt } from '../servers/launch.ts';
import { type ConfigFix, type FaultPlace, type MovedSecret, nodeAt, withValueAt } from './configFix.ts';

/** Offers to store the value of a variable. Only servers can read stored secrets. */
export function setVariable({ path }: FaultPlace, variable: string): ConfigFix[] {
	if (variable === '' || !isServerSection(path[0])) return [];
	return [{ kind: 'set-variable', title: l10n.t('Set {0} in secret storage…', variable), variable }];
}

/** Moves the first secret of a value to secret storage; another fix moves the next. */
export function moveSecret(place: FaultPlace, env: VariableScope['env']): ConfigFix[] {
	const moved = withoutSecret(place, new VariableNames(env));
	if (!moved) return [];
	const { secret, title, after } = moved;
	return [{ kind: 'store', title, edits: smallestEdit(place.text, after), secrets: [secret] }];
}

/** The text without its secrets, and the secrets. */
export function withoutSecrets(
	text: string,
	problems: readonly ConfigProblem[],
	env: VariableScope['env'],
): { readonly after: string; readonly secrets: readonly MovedSecret[] } {
	const names = new VariableNames(env);
	const secrets: MovedSecret[] = [];
	let after = text;
	for (const { path } of problems.filter(isKey)) {
		// A value can hold several secrets, and moving one moves the rest of the text.
		for (;;) {
			const root = ConfigText.of(after).unfinished;
			const moved = root && withoutSecret({ text: after, root, path }, names);
			if (!moved) break;
			after = moved.after;
			secrets.push(moved.secret);
		}
	}
	return { after, secrets };
}

/** Moves every secret of the file at once; none if there is only one. */
export function moveAllSecrets(
	text: string,
	problems: readonly ConfigProblem[],
	env: VariableScope['env'],
): ConfigFix[] {
	const { after, secrets } = withoutSecrets(text, problems, env);
	if (secrets.length < 2) return [];
	const title = l10n.t('Move all {0} keys to secret storage', secrets.length);
	return [{ kind: 'store', title, edits: smallestEdit(text, after), secrets }];
}

interface WithoutSecret {
	readonly title: string;
	readonly secret: MovedSecret;
	readonly after: string;
}

function withoutSecret(place: FaultPlace, names: VariableNames): WithoutSecret | undefined {
	const { path } = place;
	const node = nodeAt(place);
	if (typeof node?.value !== 'string') return undefined;
	const written = { node, value: node.value };
	if (isServerSection(path[0]))
		return withoutCredentials(place, written, names) ?? withoutSpan(place, written, names);
	return path[0] === 'clients' ? withoutKey(place, written) : undefined;
}

interface WrittenText {
	readonly node: Node;
	readonly value: string;
}

function withoutSpan(
	{ text, root, path }: FaultPlace,
	{ node, value }: WrittenText,
	names: VariableNames,
): WithoutSecret | undefined {
	const span = secretSpan(root, path);
	if (!span) return undefined;
	const secret = value.slice(span.start, span.end);
	const name = names.forSecret(String(path[1]), span.wish, secret);
	const rest = `${value.slice(0, span.start)}\${env:${name}}${value.slice(span.end)}`;
	return {
		title: l10n.t('Move the key to secret storage, as {0}', name),
		secret: { kind: 'variable', name, value: secret },
		after: withNodeReplaced(text, node, JSON.stringify(rest)),
	};
}

/** The first secret in a text of a server's entry. Variables are replaced nowhere else. */
function secretSpan(
	root: Node,
	[section = '', server = '', ...inEntry]: FaultPlace['path'],
): SecretSpan | undefined {
	const node = findNodeAtLocation(root, [section, server]);
	if (!node) return undefined;
	const entry = salvage(serverSchema, nodeValue(node), [], new ProblemReport('', undefined, []));
	return secretsAt(String(server), entry ?? {})(inEntry).find(({ kind }) => kind === 'secret');
}

/** A user name and password leave an address for a header. */
function withoutCredentials(
	{ text, path }: FaultPlace,
	{ node, value }: WrittenText,
	names: VariableNames,
): WithoutSecret | undefined {
	const { address, basic } = (path.at(-1) === 'url' && splitCredentials(value)) || {};
	if (address === undefined || basic === undefined) return undefined;
	const server = String(path[1]);
	const name = names.forSecret(server, environmentName(server, 'authorization'), basic);
	const shorter = withNodeReplaced(text, node, JSON.stringify(address));
	const header = [...path.slice(0, -1).map(String), 'headers', 'Authorization'];
	return {
		title: l10n.t('Move the password to secret storage, as {0} in a header', name),
		secret: { kind: 'variable', name, value: basic },
		after: withValueAt(shorter, header, `Basic \${env:${name}}`),
	};
}

/** A client's key is stored separately; no variable in the file stands for it. */
function withoutKey({ text, path }: FaultPlace, { node, value }: WrittenText): WithoutSecret | undefined {
	const property = node.parent;
	// A `base_url` holds more than the key, so removing it would lose the address.
	if (!property?.parent || path.length !== 3 || path[2] === 'base_url') return undefined;
	return {
		title: l10n.t('Move the key to secret storage'),
		secret: { kind: 'key', client: String(path[1]), value: value.replace(/^bearer\s+/i, '').trim() },
		after: withoutChildren(text, property.parent, (child) => child === property),
	};
}
