import { createHash } from 'node:crypto';
import { exactText } from '../../common/exactText.ts';
import { Redactor } from '../../common/secrets/redactor.ts';
import { masked, secretIn, spansInText, spansOfArguments } from '../../common/secrets/secretSpans.ts';
import { compareStrings } from '../../common/text.ts';
import { hijacksProcess, redirectsTraffic, variablesIn } from '../../config/secrets/environmentNames.ts';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../config/servers/launch.ts';
import { isSecretVariable, launchSecrets, signInTexts } from '../../config/servers/launch.ts';

/** One thing that a launch does, in words for people. `where`: the values of variables that decide what runs or is reached. */
export interface LaunchFact {
	readonly about: 'runs' | 'in' | 'sets' | 'inherits' | 'connects' | 'sends' | 'where';
	readonly text: string;
}

/**
 * Everything a launch does: command, arguments, folder and variables, or address and headers, as written in the file. It shows whose key
 * goes where, and stays the same if the key changes. The value of a variable that decides what code runs, or where code comes from, is
 * shown too, unless it is a secret. Commands and addresses are exact, since what looks like a secret could be the program to run;
 * elsewhere, values that look like secrets are left out.
 */
export function launchFacts(launch: ServerLaunch): LaunchFact[] {
	return factsOf(launch, (word) => word);
}

/** {@link launchFacts} for display and for storage: secrets, and what looks like one, are `***`. */
export function keptFacts(launch: ServerLaunch): LaunchFact[] {
	const redactor = new Redactor(launchSecrets(launch));
	return factsOf(withoutSecrets(launch), (word) => withoutSpans(redactor.hideKnown(word)));
}

/** Masks what looks like a secret, such as a key in an address. */
function withoutSpans(word: string): string {
	return masked(word, spansInText('', word));
}

/** Characters that a shell or an interpreter could run. Keys contain none of them. */
const codeCharacter = /[\s$`|;&<>(){}]/;

/**
 * Whether {@link keptFacts} would mask something in a command that could be code, as in `sh -c "TOKEN=$(…)"`. Such a command is shown
 * unmasked.
 */
export function masksCode(launch: ServerLaunch): boolean {
	if (launch.kind === 'remote') return false;
	const { args } = launch.written ?? launch;
	const spans = spansOfArguments('', args);
	return args.some((text, index) =>
		spans[index]?.some(
			({ kind, start, end }) => kind === 'secret' && codeCharacter.test(text.slice(start, end)),
		),
	);
}

/** Whether a launch uses nothing of the user's environment and sets no variable that decides what runs or is reached. */
export function isSelfContained(launch: ServerLaunch): boolean {
	if (launch.written !== undefined) return false;
	return (
		launch.kind === 'remote' ||
		(launch.inherits === undefined && !Object.keys(launch.env).some(steersProcess))
	);
}

/** What an approval is for: the hash differs whenever a fact does, masked or not. A SHA-256 in hex. */
export function approvalHash(launch: ServerLaunch): string {
	// The user has stored the secrets. Other values may come from a repository's `.env`, so another value makes it another launch.
	const deciding = decidingVariables(launch).map((name) => [name, launch.reads?.[name]] as const);
	const values = deciding.map(([name, read]) => [name, read?.isStored ? '' : read?.value]);
	return createHash('sha256')
		.update(JSON.stringify([launchFacts(launch), values]))
		.digest('hex');
}

/** The launch with `***` for secrets in its arguments. */
function withoutSecrets(launch: ServerLaunch): ServerLaunch {
	if (launch.kind === 'remote') return launch;
	const written = launch.written ?? launch;
	return { ...launch, written: { ...written, args: withoutArgumentSecrets(written.args) } };
}

/** Arguments with `***` for each secret written in them. */
export function withoutArgumentSecrets(args: readonly string[]): string[] {
	const spans = spansOfArguments('', args);
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

/** Stands for the whole environment. No variable can have this name. */
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
		// They are sent to whatever sign-in service the server names.
		...names(signIn).map((name) => `oauth.${given(name, signIn[name] ?? '', shown)}`),
	];
	return [
		{ about: 'connects', text: `${exactText(shown(reachedAddress(url)))} (${launch.transport})` },
		...(sends.length > 0 ? [{ about: 'sends' as const, text: sends.join(', ') }] : []),
	];
}

/** Environment variables that decide what runs or is reached. */
function decidingVariables(launch: ServerLaunch): readonly string[] {
	const { written } = launch;
	if (written === undefined) return [];
	if ('url' in written) return variablesIn(written.url);
	const steering = Object.entries(written.env).filter(([name]) => steersProcess(name));
	return variablesIn([written.command, written.args, written.cwd, steering.map(([, text]) => text)]);
}

/** Whether a variable decides what code runs, or where it is downloaded from. */
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

/** The address that requests really go to: a different host can hide behind other letters or backslashes. */
function reachedAddress(url: string): string {
	const reached = (URL.parse(url)?.href ?? url).replace(/%7B(env:[^{}%]*)%7D/gi, '{$1}');
	return reached === `${url}/` ? url : reached;
}

function names(record: Readonly<Record<string, string>>): string[] {
	return Object.keys(record).sort(compareStrings);
}
