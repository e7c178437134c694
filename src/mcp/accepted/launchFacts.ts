import { createHash } from 'node:crypto';
import { exactText } from '../../common/exactText.ts';
import { holdsSecret, mask, secretIn } from '../../common/secrets/secretSpans.ts';
import { compareStrings } from '../../common/text.ts';
import { variablesIn } from '../../config/secrets/environmentNames.ts';
import type { LaunchTexts, RemoteLaunch, ServerLaunch, StdioLaunch } from '../../config/servers/launch.ts';
import { isSecretVariable, secretsOfLaunch, signInTexts } from '../../config/servers/launch.ts';
import { decidesWhatRuns, isPlace, reviewedValue } from './reviewedValue.ts';

/** One thing that a launch does, in words for people. `where`: the values of variables that decide what runs or is reached. */
export interface LaunchFact {
	readonly about: 'runs' | 'in' | 'sets' | 'inherits' | 'connects' | 'sends' | 'where';
	readonly text: string;
}

/**
 * Everything a launch does: command, arguments, folder and variables, or address and headers, as written in the file. It shows whose key
 * goes where. Whatever decides what runs or is reached is exact, because what looks like a key could be the program. Only in other variables
 * and in headers, keys are `***`.
 */
export function launchFacts(launch: ServerLaunch): LaunchFact[] {
	return factsOf(launch, [...decidingVariables(launch), ...shownVariables(launch)]);
}

/** Whether the command or the address, which are never masked, contain what looks like a key. */
export function showsKey(launch: ServerLaunch): boolean {
	const { command, args, url }: LaunchTexts = { ...(launch.written ?? launch), oauth: undefined };
	return [...secretsOfLaunch('', { command, args, url })].some(({ spans }) => holdsSecret(spans));
}

/** {@link launchFacts} for storage: a secret of the environment, which is not in the file, is `***`. */
export function keptFacts(launch: ServerLaunch): LaunchFact[] {
	const variables = [...decidingVariables(launch), ...shownVariables(launch)];
	return factsOf(
		launch,
		withMaskedValues(variables, ({ isSecret }) => isSecret),
	);
}

/**
 * What an approval is for: the hash differs whenever a fact or a text of the file does, masked or not, and whenever a variable that is not a
 * key does. Another key of the user is the same launch, but one of a workspace's `.env` is another account. A SHA-256 in hex.
 */
export function approvalHash(launch: ServerLaunch): string {
	const facts = factsOf(
		launch,
		// The user has stored the secrets.
		withMaskedValues(decidingVariables(launch), ({ isStored }) => isStored),
	);
	const others = otherVariables(launch)
		.filter(({ isStored }) => !isStored)
		.map(({ name, value, shownValue, isOfWorkspace }) => [name, isOfWorkspace ? value : shownValue] as const);
	const texts = [maskedTexts(launch), Object.fromEntries(others)].map((record) =>
		names(record).map((name) => [name, record[name]]),
	);
	return createHash('sha256')
		.update(JSON.stringify([facts, ...texts]))
		.digest('hex');
}

/** The texts of the file in which keys are masked. */
function maskedTexts(launch: ServerLaunch): Readonly<Record<string, string>> {
	if (launch.kind === 'stdio') return (launch.written ?? launch).env;
	const { headers } = launch.written ?? launch;
	const signIn = Object.entries(signInOf(launch)).map(([name, text]) => [`oauth.${name}`, text]);
	return { ...headers, ...Object.fromEntries(signIn) };
}

function signInOf(launch: RemoteLaunch): Readonly<Record<string, string>> {
	return launch.written?.oauth ?? signInTexts(launch.oauth);
}

function factsOf(launch: ServerLaunch, variables: readonly ShownVariable[]): LaunchFact[] {
	const assignments = variables.map(({ name, shownValue }) => assignment(name, shownValue));
	return [
		...(launch.kind === 'stdio' ? processFacts(launch) : addressFacts(launch)),
		...(assignments.length > 0 ? [{ about: 'where' as const, text: assignments.join(', ') }] : []),
	];
}

function processFacts(launch: StdioLaunch): LaunchFact[] {
	const { command, args, cwd, env } = launch.written ?? launch;
	const sets = names(env).map((name) => maskedAssignment(name, env[name] ?? ''));
	return [
		{ about: 'runs', text: [command, ...args].map(exactText).join(' ') },
		{ about: 'in', text: exactText(cwd) },
		...(sets.length > 0 ? [{ about: 'sets' as const, text: sets.join(', ') }] : []),
		...inheritedFacts(launch.inherits),
	];
}

/** Stands for the whole environment. No variable can have this name. */
export const everyVariable = '*';

function inheritedFacts(inherits: StdioLaunch['inherits']): LaunchFact[] {
	if (inherits === undefined) return [];
	const text = inherits === true ? everyVariable : inherits.map(exactText).join(', ');
	return [{ about: 'inherits', text }];
}

function addressFacts(launch: RemoteLaunch): LaunchFact[] {
	const { url, headers } = launch.written ?? launch;
	const signIn = signInOf(launch);
	const sends = [
		...names(headers).map((name) => maskedAssignment(name, headers[name] ?? '')),
		// They are sent to whatever sign-in service the server names.
		...names(signIn).map((name) => `oauth.${maskedAssignment(name, signIn[name] ?? '')}`),
	];
	// Variables can complete a host in a way that the written address does not show.
	const host = URL.parse(launch.url)?.host ?? '';
	const reached = URL.parse(url)?.host === host ? '' : ` → ${exactText(host)}`;
	return [
		{ about: 'connects', text: `${exactText(reachedAddress(url))}${reached} (${launch.transport})` },
		...(sends.length > 0 ? [{ about: 'sends' as const, text: sends.join(', ') }] : []),
	];
}

/** A variable of the environment, and what it stands for as it is shown. */
interface ShownVariable {
	readonly name: string;
	readonly shownValue: string;
	readonly isSecret: boolean;
	readonly isStored: boolean;
}

/** Variables that decide what runs or is reached. */
function decidingVariables(launch: ServerLaunch): readonly ShownVariable[] {
	return decidingNames(launch).map((name) => {
		const read = launch.reads?.[name] ?? { value: '', isStored: false };
		return { name, shownValue: read.value, isStored: read.isStored, isSecret: isSecretVariable(name, read) };
	});
}

function decidingNames({ written }: ServerLaunch): readonly string[] {
	if (written === undefined) return [];
	if ('url' in written) return variablesIn([written.url, written.oauth?.client_metadata_url]);
	const deciding = Object.entries(written.env).filter(([name]) => decidesWhatRuns(name));
	return variablesIn([written.command, written.args, written.cwd, deciding.map(([, text]) => text)]);
}

/** Other variables that stand for a host, an address or a path, or that a workspace sets. */
function shownVariables(launch: ServerLaunch): readonly ShownVariable[] {
	return otherVariables(launch).filter(({ value, isOfWorkspace }) => isOfWorkspace || isPlace(value));
}

/** The variables that decide neither what runs nor what is reached. */
function otherVariables(launch: ServerLaunch) {
	const deciding = new Set(decidingNames(launch));
	return Object.entries(launch.reads ?? {})
		.filter(([name]) => !deciding.has(name))
		.map(([name, { value, isStored, isOfWorkspace = false }]) => {
			const shownValue = reviewedValue(isPlace(value) ? '' : name, value);
			// An address is shown with the key in it.
			const isSecret = isStored || secretIn('', shownValue) !== undefined;
			return { name, value, shownValue, isStored, isSecret, isOfWorkspace };
		});
}

/** `***` instead of the values of some variables. */
function withMaskedValues(
	variables: readonly ShownVariable[],
	isHidden: (variable: ShownVariable) => boolean,
): readonly ShownVariable[] {
	return variables.map((variable) => (isHidden(variable) ? { ...variable, shownValue: mask } : variable));
}

function maskedAssignment(name: string, value: string): string {
	return assignment(name, reviewedValue(name, value));
}

function assignment(name: string, value: string): string {
	return `${exactText(name)}=${exactText(value)}`;
}

/** The address that requests really go to: a different host can hide behind other letters or backslashes. */
function reachedAddress(url: string): string {
	const reached = (URL.parse(url)?.href ?? url).replace(/%7B(env:[^{}%]*)%7D/gi, '{$1}');
	return reached === `${url}/` ? url : reached;
}

function names(record: Readonly<Record<string, string>>): string[] {
	return Object.keys(record).sort(compareStrings);
}
