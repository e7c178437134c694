import * as l10n from '@vscode/l10n';
import { atMost, fault, noDrafts } from './draftsOf.ts';
import { noServer, readAnyFormat } from './readers/json.ts';
import { containerImage, npmPackage, pythonPackage } from './readers/links.ts';
import type { Drafts, ServerDraft } from './serverDraft.ts';

/** Longest text that is read, in UTF-16 units. Most readmes of servers are much shorter. */
const maxTextLength = 64 * 1024;
/** Longest name of a package that is guessed, in UTF-16 units. */
const maxNameLength = 80;
/** Most servers offered from one text. */
const maxServers = 50;

/**
 * Finds the servers named in a text that somebody copied: a command, an address, any program's file, an install link, a whole readme.
 * Nothing is run, fetched or looked up. Never throws.
 */
export function readPasted(text: string): Drafts {
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	if (trimmed === '') return noDrafts;
	if (trimmed.length > maxTextLength)
		return fault(l10n.t('The text has {0} characters; at most {1} are read.', trimmed.length, maxTextLength));
	const control = /(?![\t\n\r])\p{Cc}/u.exec(trimmed)?.[0];
	if (control !== undefined) {
		const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
		return fault(
			l10n.t('The text contains a control character ({0}), so it may not be what it looks like.', code),
		);
	}
	const read = bounded(readAnyFormat(trimmed));
	const isNothing = read.servers.length + read.faults.length === 0 && read.words === undefined;
	if (!isNothing) return read;
	return guessedServers(trimmed).length > 0 ? { ...read, words: trimmed } : noServer();
}

/** Deduplicates: a readme shows the same server for one program after another. Also limits their number. */
function bounded(read: Drafts): Drafts {
	const byContent = Map.groupBy(read.servers, ({ name, entry }) => JSON.stringify([name, entry]));
	const servers = [...byContent.values()].flatMap(([first]) => first ?? []);
	return { ...read, ...atMost(maxServers, { ...read, servers }) };
}

export type PackageKind = 'npm' | 'python' | 'container';

const packages: readonly { kind: PackageKind; pattern: RegExp; read: (name: string) => Drafts }[] = [
	{ kind: 'npm', pattern: /^(@[\w.~-]+\/)?[\w.~][\w.~-]*(@[\w.^~*+-]+)?$/, read: npmPackage },
	{
		kind: 'python',
		pattern: /^[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?([@=<>~!]+[\w.*+-]+)?$/,
		read: pythonPackage,
	},
	{
		kind: 'container',
		pattern: /^[a-z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$/,
		read: containerImage,
	},
];

/** The servers that packages and images of this name would be. */
export function guessedServers(
	name: string,
): readonly { readonly kind: PackageKind; readonly server: ServerDraft }[] {
	return packages
		.filter(({ pattern }) => name.length <= maxNameLength && pattern.test(name))
		.flatMap(({ kind, read }) => read(name).servers.map((server) => ({ kind, server })));
}
