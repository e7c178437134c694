import { createHash } from 'node:crypto';
import { exactText } from '../../common/exactText.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { masked, secretIn, spansInText, spansOfArguments } from '../../common/secrets/secretSpans.ts';
import { compareStrings } from '../../common/text.ts';
import { hijacksProcess, redirectsTraffic, variablesIn } from '../../config/secrets/environmentNames.ts';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../config/servers/launch.ts';
import { isSecretVariable, launchSecrets, signInTexts } from '../../config/servers/launch.ts';

/** One thing that a launch does, for people. `where`: what variables stand for that decide what is run or reached. */
export interface LaunchFact {
	readonly about: 'runs' | 'in' | 'sets' | 'inherits' | 'connects' | 'sends' | 'where';
	readonly text: string;
}

/**
 * All that a launch does: command and arguments, folder and variables, or address and headers, as the file has them. It shows whose key
 * goes where, and is the same when that key changes. Where a variable decides what code runs, or where that comes from, its value is told as
 * well, unless that is a secret. A command and an address are exact, for what looks like a secret could be the program that is run; of
 * other values that look so the name alone is told.
 */
export function launchFacts(launch: ServerLaunch): LaunchFact[] {
	return factsOf(launch, (word) => word);
}

/** {@link launchFacts} for showing and for keeping on disk: the same facts, with `***` for what is, or looks like, a secret. */
export function keptFacts(launch: ServerLaunch): LaunchFact[] {
	const redactor = new Redactor(launchSecrets(launch));
	return factsOf(withoutSecrets(launch), (word) => withoutSpans(redactor.hideKnown(word)));
}

/** With `***` for what looks like a secret: a key in an address for one. */
function withoutSpans(word: string): string {
	return masked(word, spansInText('', word));
}

/** What a shell or an interpreter could run; a key has none of it. */
const codeCharacter = /[\s$`|;&<>(){}]/;

/** Whether {@link keptFacts} masks something of a command that could be code: `sh -c "TOKEN=$(…)"`. Such a command is to be shown as it is. */
export function masksCode(launch: ServerLaunch): boolean {
	if (launch.kind === 'remote') return false;
	const { args, command } = launch.written ?? launch;
	const spans = spansOfArguments('', args, command);
	return args.some((text, index) =>
		spans[index]?.some(
			({ kind, start, end }) => kind === 'secret' && codeCharacter.test(text.slice(start, end)),
		),
	);
}

/** Whether a launch takes nothing from the user's environment, and sets no variable that decides what is run or reached. */
export function isSelfContained(launch: ServerLaunch): boolean {
	if (launch.written !== undefined) return false;
	return (
		launch.kind === 'remote' ||
		(launch.inherits === undefined && !Object.keys(launch.env).some(steersProcess))
	);
}

/** What an approval holds for: launches that differ in a fact differ in it, hidden or not. A SHA-256 in hex. */
export function approvalHash(launch: ServerLaunch): string {
	// Stored secrets are the user's own doing. All others may come from the `.env` of a repository, so that another value is another launch.
	const deciding = decidingVariables(launch).map((name) => [name, launch.reads?.[name]] as const);
	const values = deciding.map(([name, read]) => [name, read?.isStored ? '' : read?.value]);
	return createHash('sha256')
		.update(JSON.stringify([launchFacts(launch), values]))
		.digest('hex');
}

/** A launch for people who know it: `***` for what looks like a secret in its arguments. */
function withoutSecrets(launch: ServerLaunch): ServerLaunch {
	if (launch.kind === 'remote') return launch;
	const written = launch.written ?? launch;
	return { ...launch, written: { ...written, args: withoutArgumentSecrets(written.args, written.command) } };
}

/** Arguments of a command with `***` for each secret that is written out in them. */
export function withoutArgumentSecrets(args: readonly string[], command: string): string[] {
	const spans = spansOfArguments('', args, command);
	return args.map((text, index) => masked(text, spans[index] ?? []));
}

function factsOf(launch: ServerLaunch, shown: (word: string) => string): LaunchFact[] {
	const where = decidingVariables(launch).map((name) => {
		const read = launch.reads?.[name] ?? { value: '', isStored: false };
		return isSecretVariable(name, read) ? `${exactText(name)}=***` : assigned(name, shown(read.value));
	});
	return [
		...(launch.kind === 'stdio' ? processFacts(launch, shown) : addressFacts(launch, shown)),
		...(where.length > 0 ? [{ about: 'where' as const, text: where.join(', ') }] : []),
	];
}

function processFacts(launch: StdioLaunch, shown: (word: string) => string): LaunchFact[] {
	const { command, args, cwd, env } = launch.written ?? launch;
	const sets = names(env).map((name) => given(name, env[name] ?? '', shown));
	return [
		{ about: 'runs', text: [command, ...args].map((word) => exactText(shown(word))).join(' ') },
		{ about: 'in', text: exactText(cwd) },
		...(sets.length > 0 ? [{ about: 'sets' as const, text: sets.join(', ') }] : []),
		...inheritedFacts(launch.inherits),
	];
}

/** What stands for the whole environment; no variable that can be named is called so. */
export const everyVariable = '*';

function inheritedFacts(inherits: StdioLaunch['inherits']): LaunchFact[] {
	if (inherits === undefined) return [];
	const text = inherits === true ? everyVariable : inherits.map((name) => exactText(name)).join(', ');
	return [{ about: 'inherits', text }];
}

function addressFacts(launch: RemoteLaunch, shown: (word: string) => string): LaunchFact[] {
	const { url, headers } = launch.written ?? launch;
	const signIn = launch.written?.oauth ?? signInTexts(launch.oauth);
	const sends = [
		...names(headers).map((name) => given(name, headers[name] ?? '', shown)),
		// They go to whomever the server names as who signs people in.
		...names(signIn).map((name) => `oauth.${given(name, signIn[name] ?? '', shown)}`),
	];
	return [
		{ about: 'connects', text: `${exactText(shown(reachedAddress(url)))} (${launch.transport})` },
		...(sends.length > 0 ? [{ about: 'sends' as const, text: sends.join(', ') }] : []),
	];
}

/** Variables of the environment that decide what is run or reached, in their order. */
function decidingVariables(launch: ServerLaunch): readonly string[] {
	const { written } = launch;
	if (written === undefined) return [];
	if ('url' in written) return variablesIn(written.url);
	const steering = Object.entries(written.env).filter(([name]) => steersProcess(name));
	return variablesIn([written.command, written.args, written.cwd, steering.map(([, text]) => text)]);
}

/** Whether a variable decides what code runs, or where it is fetched from. */
function steersProcess(name: string): boolean {
	return hijacksProcess(name) || redirectsTraffic(name);
}

function given(name: string, written: string, shown: (word: string) => string): string {
	if (steersProcess(name) || variablesIn(written).length > 0) return assigned(name, shown(written));
	return secretIn(name, written) ? exactText(name) : assigned(name, shown(written));
}

function assigned(name: string, value: string): string {
	return `${exactText(name)}=${exactText(value)}`;
}

/** An address as requests go to it: a host in other letters, or with slashes the wrong way, is not the one that is read. */
function reachedAddress(url: string): string {
	const reached = (URL.parse(url)?.href ?? url).replace(/%7B(env:[^{}%]*)%7D/gi, '{$1}');
	return reached === `${url}/` ? url : reached;
}

function names(record: Readonly<Record<string, string>>): string[] {
	return Object.keys(record).sort(compareStrings);
}

/**
 * Whether a server whose entry was moved to another file is the one that it was. `startsByDefault`: its entry names no folder, so the folder
 * that it starts in is that of its file.
 */
export function isMovedLaunch(before: ServerLaunch, after: ServerLaunch, startsByDefault: boolean): boolean {
	return approvalHash(startsByDefault ? startingWhere(before, after) : before) === approvalHash(after);
}

/** A launch that starts in the folder of another. */
function startingWhere(launch: ServerLaunch, other: ServerLaunch): ServerLaunch {
	if (launch.kind === 'remote' || other.kind === 'remote') return launch;
	const { cwd } = other;
	return {
		...launch,
		cwd,
		...(launch.written && { written: { ...launch.written, cwd: other.written?.cwd ?? cwd } }),
	};
}
