import { createHash } from 'node:crypto';
import { hijacksProcess } from '../../config/environmentNames.ts';
import type { RemoteLaunch, ServerLaunch, StdioLaunch } from '../../config/launch.ts';
import { compareStrings } from '../../discovery/compareStrings.ts';
import { redactorOf, withoutSecrets } from '../redaction.ts';
import { exactText } from './exactText.ts';

/** One thing that a launch does, for people. */
export interface LaunchFact {
	readonly about: 'runs' | 'in' | 'sets' | 'connects' | 'sends';
	readonly text: string;
}

/**
 * All that a launch does: command and arguments, folder and names of variables, or address and names of headers. Nothing of it is
 * hidden: what looks like a secret could be the program that is run. Values of variables are the user's own keys most of the time,
 * and change; only of those that decide what code runs, they are part of it.
 */
export function launchFacts(launch: ServerLaunch): LaunchFact[] {
	return factsOf(launch, (word) => word);
}

/** {@link launchFacts} for keeping on disk: what is, or looks like, a secret is hidden. */
export function keptFacts(launch: ServerLaunch): LaunchFact[] {
	const redact = redactorOf(launch);
	const words = launch.kind === 'stdio' ? { ...launch, args: withoutSecrets(launch.args) } : launch;
	return factsOf(words, redact);
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
	const { command, args, cwd, env } = launch;
	const sets = names(env).map((name) =>
		hijacksProcess(name) ? `${exactText(name)}=${exactText(shown(env[name] ?? ''))}` : exactText(name),
	);
	return [
		{ about: 'runs', text: [command, ...args].map((word) => exactText(shown(word))).join(' ') },
		{ about: 'in', text: exactText(cwd) },
		...(sets.length > 0 ? [{ about: 'sets' as const, text: sets.join(', ') }] : []),
	];
}

function addressFacts(
	{ url, transport, headers }: RemoteLaunch,
	shown: (word: string) => string,
): LaunchFact[] {
	const sends = names(headers).map(exactText);
	return [
		{ about: 'connects', text: `${exactText(shown(url))} (${transport})` },
		...(sends.length > 0 ? [{ about: 'sends' as const, text: sends.join(', ') }] : []),
	];
}

function names(record: Readonly<Record<string, string>>): string[] {
	return Object.keys(record).sort(compareStrings);
}
