import * as l10n from '@vscode/l10n';
import { atMost, fault, joined, noDrafts } from './draftsOf.ts';
import { readCommandLines } from './readers/commandLine.ts';
import { readJson } from './readers/json.ts';
import { readLinks } from './readers/links.ts';
import { readToml } from './readers/toml.ts';
import { containerImage, npmPackage, pythonPackage, readWord } from './readers/words.ts';
import type { Drafts } from './serverDraft.ts';

/** Reads one format; `undefined`: the text has another format. */
type Reader = (text: string) => Drafts | undefined;

/** Formats of a code block, the most specific first. */
const readers: readonly Reader[] = [
	readWord,
	readToml,
	(text) => (beginsLikeCommand(text) ? undefined : readJson(text)),
	readCommandLines,
	readJson,
];

/** `npx …` but not `"name": …`: JSON inside a command is an argument. */
function beginsLikeCommand(text: string): boolean {
	return /^[\w./~$@-]+\s/.test(text) && !/^"?[\w-]+"?\s*:/.test(text);
}

/** Longest text that is read, in UTF-16 units. Most readmes of servers are much shorter. */
const longestText = 64 * 1024;
/** Longest name of a package that is guessed, in UTF-16 units. */
const longestName = 80;
/** Most servers offered from one text. */
const mostServers = 50;

/**
 * Finds the servers named in a text that somebody copied: a command, an address, any program's JSON, an install link, a whole readme.
 * Nothing is run, fetched or looked up. Never throws.
 */
export function readPasted(text: string): Drafts {
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	if (trimmed === '') return noDrafts;
	if (trimmed.length > longestText)
		return fault(l10n.t('The text has {0} characters; at most {1} are read.', trimmed.length, longestText));
	const control = /(?![\t\n\r])\p{Cc}/u.exec(trimmed)?.[0];
	if (control !== undefined) {
		const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
		return fault(
			l10n.t('The text contains a control character ({0}), so it may not be what it looks like.', code),
		);
	}
	const read = bounded(reading(trimmed));
	const isNothing = read.servers.length + read.faults.length === 0 && read.words === undefined;
	if (!isNothing) return read;
	const isName = trimmed.length <= longestName && readKind('npm', trimmed).servers.length > 0;
	return isName
		? { ...read, words: trimmed }
		: fault(l10n.t('No server found: there is no command, no URL, and no JSON that defines a server.'));
}

function reading(text: string): Drafts {
	const blocks = fencedBlocks(text);
	// Configurations of other programs come before commands that people run to try a server.
	const parts =
		blocks.length > 0 ? blocks.toSorted((a, b) => Number(b.includes('{')) - Number(a.includes('{'))) : [text];
	const read = parts.map((part) => readBlock(part.trim()));
	const all = joined(read);
	// In a readme, another block may have what one block lacks.
	if (all.servers.length > 0) return blocks.length > 0 ? { ...all, faults: [] } : all;
	const links = readLinks(text);
	if (links.servers.length > 0) return links;
	return blocks.length === 0 ? (read[0] ?? all) : all;
}

function readBlock(text: string): Drafts {
	// A line from a readme is often in backticks.
	const bare = /^`([^`\n]+)`$/.exec(text)?.[1] ?? text;
	for (const read of readers) {
		const drafts = read(bare);
		if (drafts) return drafts;
	}
	return noDrafts;
}

/** Most code blocks read from one text. */
const mostBlocks = 200;

/** The code blocks of a Markdown text; the last one may be unclosed. */
function fencedBlocks(text: string): string[] {
	const blocks: string[] = [];
	let fence: string | undefined;
	let lines: string[] = [];
	for (const line of text.split('\n')) {
		const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence === undefined) {
			fence = mark;
			lines = [];
		} else if (mark?.startsWith(fence)) {
			blocks.push(lines.join('\n'));
			fence = undefined;
		} else lines.push(line);
	}
	if (fence !== undefined) blocks.push(lines.join('\n'));
	return blocks.slice(0, mostBlocks);
}

/** Deduplicates: a readme shows the same server for one program after another. Also limits their number. */
function bounded(read: Drafts): Drafts {
	const same = Map.groupBy(read.servers, ({ name, entry }) => JSON.stringify([name, entry]));
	const servers = [...same.values()].flatMap(([first]) => first ?? []);
	return { ...read, ...atMost(mostServers, { ...read, servers }) };
}

/** Reads what a person typed for one kind: a package's or image's name, or an address. Gives its server, or why it is invalid. */
export function readKind(kind: 'npm' | 'python' | 'container' | 'address', typed: string): Drafts {
	const name = typed.trim();
	switch (kind) {
		case 'npm':
			return /^(@[\w.~-]+\/)?[\w.~][\w.~-]*(@[\w.^~*+-]+)?$/.test(name)
				? npmPackage(name)
				: fault(l10n.t('Enter a name such as {0}.', '@modelcontextprotocol/server-everything'));
		case 'python':
			return /^[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?([@=<>~!]+[\w.*+-]+)?$/.test(name)
				? pythonPackage(name)
				: fault(l10n.t('Enter a name such as {0}.', 'mcp-server-git'));
		case 'container':
			return /^[a-z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$/.test(name)
				? containerImage(name)
				: fault(l10n.t('Enter a name such as {0}.', 'mcp/time'));
		case 'address':
			return URL.canParse(name) && /^https?:/i.test(name)
				? readPasted(name)
				: fault(l10n.t('Enter a URL such as {0}.', 'https://example.com/mcp'));
	}
}
