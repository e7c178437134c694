import { createHash } from 'node:crypto';
import { hijacksProcess, redirectsTraffic } from '../../config/environmentNames.ts';
import { holdsSecret, spansInText, spansOfValue } from '../../config/import/secretSpans.ts';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../config/launch.ts';
import { compareStrings } from '../../discovery/compareStrings.ts';
import { redactorOf, secretName, withoutSecrets } from '../redaction.ts';
import { exactText } from './exactText.ts';

/** One thing that a launch does, for people. */
export interface LaunchFact {
	readonly about: 'runs' | 'in' | 'sets' | 'connects' | 'sends';
	readonly text: string;
}

/**
 * All that a launch does: command and arguments, folder and variables, or address and headers. Nothing of it is hidden: what looks like a
 * secret could be the program that is run. What is made of environment variables stands as the file has it, so that it shows whose key
 * goes where, and is the same when that key changes; only where it decides what code runs, or where that comes from, it is resolved.
 * Of values that look like secrets in the file itself the name alone is told.
 */
export function launchFacts(launch: ServerLaunch): LaunchFact[] {
	return factsOf(launch, (word) => word);
}

/** {@link launchFacts} for keeping on disk: what is, or looks like, a secret is hidden. */
export function keptFacts(launch: ServerLaunch): LaunchFact[] {
	const redact = redactorOf(launch);
	const words = launch.kind === 'stdio' ? { ...launch, args: withoutSecrets(launch.args) } : launch;
	return factsOf(words, (word) => withoutSpans(redact(word)));
}

/** With `***` for what looks like a secret: a key in an address for one. */
function withoutSpans(text: string): string {
	return spansInText('', text)
		.filter(({ kind }) => kind === 'secret')
		.sort((a, b) => b.start - a.start)
		.reduce((rest, { start, end }) => `${rest.slice(0, start)}***${rest.slice(end)}`, text);
}

/** What an approval holds for: launches that differ in a fact differ in it, hidden or not. A SHA-256 in hex. */
export function approvalHash(launch: ServerLaunch): string {
	return createHash('sha256')
		.update(JSON.stringify(launchFacts(launch)))
		.digest('hex');
}

function factsOf(launch: ServerLaunch, shown: (word: string) => string): LaunchFact[] {
	return launch.kind === 'stdio' ? processFacts(launch, shown) : addressFacts(launch, shown);
}

function processFacts(launch: StdioLaunch, shown: (word: string) => string): LaunchFact[] {
	const { command, args, cwd, env, written = {} } = launch;
	const sets = names(env).map((name) => {
		const value = env[name] ?? '';
		return steersProcess(name) ? assigned(name, shown(value)) : given(name, value, written[name], shown);
	});
	return [
		{ about: 'runs', text: [command, ...args].map((word) => exactText(shown(word))).join(' ') },
		{ about: 'in', text: exactText(cwd) },
		...(sets.length > 0 ? [{ about: 'sets' as const, text: sets.join(', ') }] : []),
	];
}

function addressFacts(launch: RemoteLaunch, shown: (word: string) => string): LaunchFact[] {
	const { url, transport, headers, written = {} } = launch;
	const sends = names(headers).map((name) => given(name, headers[name] ?? '', written[name], shown));
	return [
		{ about: 'connects', text: `${exactText(shown(reachedAddress(url)))} (${transport})` },
		...(sends.length > 0 ? [{ about: 'sends' as const, text: sends.join(', ') }] : []),
	];
}

/** Whether a variable decides what code runs, or where it is fetched from. */
function steersProcess(name: string): boolean {
	return hijacksProcess(name) || redirectsTraffic(name);
}

function given(
	name: string,
	value: string,
	written: string | undefined,
	shown: (word: string) => string,
): string {
	if (written !== undefined) return assigned(name, shown(written));
	const isSecret = secretName.test(name) || holdsSecret(spansOfValue('', name, value));
	return isSecret ? exactText(name) : assigned(name, shown(value));
}

function assigned(name: string, value: string): string {
	return `${exactText(name)}=${exactText(value)}`;
}

/** An address as requests go to it: a host in other letters, or with slashes the wrong way, is not the one that is read. */
function reachedAddress(url: string): string {
	const reached = URL.parse(url)?.href ?? url;
	return reached === `${url}/` ? url : reached;
}

function names(record: Readonly<Record<string, string>>): string[] {
	return Object.keys(record).sort(compareStrings);
}
