import * as l10n from '@vscode/l10n';
import { exactJson } from '../../../common/exactJson.ts';
import { isRecord } from '../../../common/json.ts';
import { ConfigText, nodeValue, tokenKind, tokensOf } from '../../file/configText.ts';
import { LineIndex, quoted } from '../../file/jsonPath.ts';
import type { ImportSource } from '../../import/importSources.ts';
import { atMost, fault, joinedDrafts, noDrafts } from '../draftsOf.ts';
import { serversIn } from '../sections.ts';
import type { Drafts } from '../serverDraft.ts';
import { readRegistration, registersServer } from './clientAdd.ts';
import { readCommandLines } from './commandLine.ts';
import { documentIn, objectInCode } from './documents.ts';
import { readLinks, readWord } from './links.ts';

/** Reads one format; `undefined`: the text has another format. */
type Reader = (text: string, source?: ImportSource) => Drafts | undefined;

/** Formats of a code block, the most specific first. */
const readers: readonly Reader[] = [
	readWord,
	readOtherDocument,
	(text, source) => (beginsLikeCommand(text) ? undefined : readJson(text, source)),
	readCommandLines,
	readJson,
];

/** `npx …` but not `"name": …`, behind comments: JSON inside a command is an argument. */
function beginsLikeCommand(text: string): boolean {
	const code = text.replace(/^(#.*\s+)+/, '');
	return /^(?!\/[/*])[\w./~$@-]+\s/.test(code) && !/^"?[\w-]+"?\s*:/.test(code);
}

/** Most servers read from one file: adding each of them parses the configuration once. */
const maxServers = 200;

/** Reads the file of another program, in any format that can be pasted. Never throws. */
export function readForeignServers(source: ImportSource, text: string): Drafts {
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	if (trimmed === '') return noDrafts;
	const { words, ...read } =
		trimmed.length > longText ? readLong(trimmed, source) : readAnyFormat(trimmed, source);
	if (read.servers.length + read.faults.length === 0 || words !== undefined) return noServer();
	return atMost(maxServers, read);
}

/** Longest text whose format is searched for, in characters. */
const longText = 1_000_000;

/**
 * A long file, which a program has written: Claude Code keeps its chats beside its servers. `JSON.parse` reads 60 MB in 0.4 s.
 */
function readLong(text: string, source: ImportSource): Drafts {
	try {
		const value = exactJson(text, JSON.parse(text));
		const read = isRecord(value) ? serversIn(value, source) : undefined;
		return read ? joinedDrafts([read, ...doubledIn(text, read).map(fault)]) : noServerInJson();
	} catch {
		return fault(
			l10n.t(
				'The file has more than {0} characters, so it is read only if it is JSON without comments or errors.',
				longText,
			),
		);
	}
}

/** `JSON.parse` takes the last of several members with the same name, without a word. */
function doubledIn(text: string, { servers, faults }: Drafts): readonly string[] {
	const sections = [...text.matchAll(/(?<!\\)"([\w.-]{0,20}[._-])?(mcp|context)[._-]?servers"\s*:\s*\{/gi)];
	const writtenNames = sections.flatMap(({ 0: { length }, index }) => memberNames(text, index + length - 1));
	const unmatchedNames = servers.map(({ name }) => name);
	const surplus = writtenNames.filter((name) => {
		const at = unmatchedNames.indexOf(name);
		if (at !== -1) unmatchedNames.splice(at, 1);
		return at === -1 && !faults.some((sentence) => sentence.includes(quoted(name)));
	});
	return [...new Set(surplus)].map((name) =>
		l10n.t(
			'A definition of the server {0} is ignored: its name, or that of its section, occurs again later.',
			quoted(name),
		),
	);
}

/** The names of the members of an object, as often as they occur. */
function memberNames(text: string, start: number): readonly string[] {
	const names: string[] = [];
	let depth = 0;
	let previousKind: number | undefined;
	for (const { kind, offset, end } of tokensOf(text, start)) {
		if (kind === tokenKind.openBrace || kind === tokenKind.openBracket) depth++;
		else if (kind === tokenKind.closeBrace || kind === tokenKind.closeBracket) depth--;
		if (depth === 0) return names;
		const isName = previousKind === tokenKind.openBrace || previousKind === tokenKind.comma;
		if (depth === 1 && isName && kind === tokenKind.string) names.push(JSON.parse(text.slice(offset, end)));
		if (kind !== tokenKind.space && kind !== tokenKind.lineBreak) previousKind = kind;
	}
	return names;
}

function noServerInJson(): Drafts {
	return { ...fault(l10n.t('This JSON defines no server with a "command" or a "url".')), isEmpty: true };
}

/** Why a text of no known format defines no server. */
export function noServer(): Drafts {
	const sentence = l10n.t('No server found: there is no command, no URL, and no JSON that defines a server.');
	return { ...fault(sentence), isEmpty: true };
}

/** Finds the servers in a text of any format; empty: there is nothing that could be one. */
export function readAnyFormat(text: string, source?: ImportSource): Drafts {
	// Kiro's and Claude Code's agents are Markdown with their servers at the top, between two lines of dashes.
	const top = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(text)?.[1];
	const ofAgent = top === undefined ? undefined : readOtherDocument(top, source);
	if (ofAgent && ofAgent.servers.length > 0) return ofAgent;
	const isDocument = /^\s*\{/.test(text) || /\.(jsonc?|toml|ya?ml)$/i.test(source?.path ?? '');
	const blocks = isDocument ? [] : fencedBlocks(text);
	// Configurations of other programs come before commands that people run to try a server.
	const parts =
		blocks.length > 0 ? blocks.toSorted((a, b) => Number(b.includes('{')) - Number(a.includes('{'))) : [text];
	const every = parts.map((part) => withoutRegistrations(readBlock(part.trim(), source)));
	const isDefined = every.some(({ servers, isGuess }) => servers.length > 0 && !isGuess);
	const read = isDefined ? every.filter(({ isGuess }) => !isGuess) : every;
	const all = joinedDrafts(read);
	// In a readme, another block may have what one block lacks.
	if (all.servers.length > 0) return blocks.length > 0 ? { ...all, faults: [] } : all;
	const isProse = all.faults.length === 0 || read.every(({ isEmpty }) => isEmpty);
	const links = isDocument ? noDrafts : readLinks(text, isProse);
	if (links.servers.length > 0) return links;
	return blocks.length === 0 ? (read[0] ?? all) : all;
}

/** An object may contain a command that registers a server with another program, such as a page of instructions: that server is meant. */
function withoutRegistrations(read: Drafts): Drafts {
	const parts = read.servers.map((server) => {
		const { command = '', args = [], env = {} } = server.entry;
		const words = args.length > 0 ? [command, ...args] : command.split(/\s+/);
		const line = words.join(' ');
		const registered = registersServer(line) ? readRegistration({ words, env }, line) : undefined;
		return registered ?? { servers: [server], faults: [] };
	});
	const { servers, faults } = joinedDrafts(parts);
	return { ...read, servers, faults: [...read.faults, ...faults] };
}

function readBlock(text: string, source: ImportSource | undefined): Drafts {
	// A line from a readme is often in backticks.
	const bare = /^`([^`\n]+)`$/.exec(text)?.[1] ?? text;
	for (const read of readers) {
		const drafts = read(bare, source);
		if (!drafts) continue;
		// Code of Python looks like TOML, and a command may be for another program, with servers as JSON, or stand before them.
		const isOther = (drafts.servers.length === 0 && drafts.words === undefined) || /\n\{[ \t]*\n/.test(bare);
		const inner = isOther ? readJson(bare, source) : undefined;
		if (inner && inner.servers.length > 0)
			return drafts.servers.length > 0 ? joinedDrafts([inner, drafts]) : inner;
		return drafts;
	}
	return noDrafts;
}

/** Most code blocks read from one text. */
const maxBlocks = 200;

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
	return blocks.slice(0, maxBlocks);
}

/** TOML or YAML. */
function readOtherDocument(text: string, source?: ImportSource): Drafts | undefined {
	const read = documentIn(text);
	if (!read) return undefined;
	if ('fault' in read) return fault(read.fault);
	const value = Array.isArray(read.value) ? { mcpServers: read.value } : read.value;
	const drafts = isRecord(value) ? serversIn(value, source) : undefined;
	return (
		drafts ?? { ...fault(l10n.t('This text defines no server with a command or a URL.')), isEmpty: true }
	);
}

/** JSON as in readmes: complete, without its outermost braces, surrounded by words, or with typographic quotes. */
function readJson(text: string, source?: ImportSource): Drafts | undefined {
	if (!text.includes('{')) return undefined;
	const straight = text.replace(/[“”„]/g, '"').replaceAll('\u00a0', ' ');
	const start = /"[^"\n]{1,100}"\s*:\s*[{[]/.exec(straight)?.index ?? straight.length;
	const end = Math.max(straight.lastIndexOf('}'), straight.lastIndexOf(']')) + 1;
	// Some programs have a list without a key.
	const list = straight.startsWith('[') ? [`{"mcpServers":${straight}}`] : [];
	for (const json of [...list, text, straight, `{${straight.slice(start, end)}}`].map(withPaths)) {
		const read = serversOf(json, source);
		if (read) return read;
	}
	const { objects, unclosed } = objectsIn(straight);
	// Readmes also show `{ { … } }`.
	const within = objects.flatMap((objectText) => {
		const inner = /^\{\s*(\{[\s\S]*\})\s*\}$/.exec(objectText)?.[1] ?? '';
		return serversOf(objectText, source) ?? serversOf(inner, source) ?? [];
	});
	const lost = unclosed === undefined ? undefined : syntaxFault(text, unclosed, straight.length);
	if (within.length > 0) return joinedDrafts([...within, ...(lost ? [lost] : [])]);
	const inCode = serversInCode(straight, source);
	if (inCode.length > 0) return joinedDrafts(inCode);
	const first = straight.indexOf('{');
	const last = text.startsWith('{') ? straight.length : straight.lastIndexOf('}') + 1;
	if (last <= first) return undefined;
	return syntaxFault(text, first, last) ?? (text.startsWith('{') ? noServerInJson() : noServer());
}

/** Windows paths are often pasted with single backslashes, some or all of them, which JSON would read as escapes. */
function withPaths(json: string): string {
	const isLiteral = /"[^"]*\b[A-Za-z]:\\(?!\\)/.test(json) && !json.includes('\\\\');
	if (isLiteral) return json.replaceAll('\\', '\\\\');
	return json.replace(/\\(?:["\\/bfnrt]|u[\da-f]{4})|\\/gi, (written) =>
		written === '\\' ? '\\\\' : written,
	);
}

/** Why a part of a text is not JSON; `undefined`: it is. */
function syntaxFault(text: string, start: number, end: number): Drafts | undefined {
	const { value, faults } = ConfigText.of(text.slice(start, end));
	const [first] = faults;
	if (isRecord(value) || !first) return undefined;
	const line = new LineIndex(text).positionAt(start + first.offset).line + 1;
	return fault(l10n.t('The JSON cannot be read. Line {0}: {1}', line, first.message));
}

/** The servers in code, such as `{ command: 'npx' }`. */
function serversInCode(text: string, source?: ImportSource): readonly Drafts[] {
	const { objects } = objectsIn(withoutCalls(text));
	return objects.flatMap((objectText) => serversIn(objectInCode(objectText) ?? {}, source) ?? []);
}

/** A text in code, in any quotation marks, or what computes a value: a call, whose arguments may contain calls, or a variable of the environment. */
const textOrCall =
	/f?"(?:[^"\\\n]|\\.)*"|f?'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?:new )?[\w.]*\w\((?:[^()]|\([^()]*\))*\)|\bos\.environ\[[^\]]*\]|\b(?:process\.execPath|sys\.executable)\b/g;

/**
 * Code with texts instead of what computes them: variables of the environment, and otherwise a place to fill in. A call with the parts of an
 * entry, as in Python, becomes the entry.
 */
function withoutCalls(code: string): string {
	return code.replace(textOrCall, (written) => {
		const [mark = ''] = written;
		// Otherwise the two slashes of an address would begin a comment.
		if (mark === "'") return /["\\]/.test(written) ? written : `"${written.slice(1, -1)}"`;
		if (mark === '"') return written;
		if (mark === '`')
			return JSON.stringify(
				written
					.slice(1, -1)
					.replace(/\$\{\s*process\.env\.(\w+)[^{}]*\}/g, `\${env:$1}`)
					.replace(/\$\{(?!env:)([^{}]*)\}/g, '<$1>'),
			);
		if (/^f["']/.test(written)) return JSON.stringify(written.slice(2, -1).replace(/\{([^{}]*)\}/g, '<$1>'));
		if (written === 'process.execPath') return 'node';
		if (written === 'sys.executable') return 'python';
		const [, given] = /^os\.(?:getenv|environ\b(?:\.get)?)[([]\s*["'](\w+)/.exec(written) ?? [];
		if (given !== undefined) return JSON.stringify(`\${env:${given}}`);
		const start = written.indexOf('(') + 1;
		const inner = withoutCalls(written.slice(start, -1));
		if (written.startsWith('new URL(')) return inner;
		if (/(^|[\s,])(command|url)\s*=/.test(inner))
			return `{${inner.replace(/(^|,)\s*(\w+)\s*=\s*/g, '$1 $2: ')}}`;
		return inner.includes('{')
			? `${written.slice(0, start)}${inner})`
			: JSON.stringify(`<${written.replace(/["'\s<>]+/g, ' ').trim()}>`);
	});
}

/** A number that JavaScript writes otherwise is a text: arguments and variables are texts anyway. */
function asWritten(value: unknown, text: string): unknown {
	return typeof value === 'number' && String(value) !== text ? text : value;
}

function serversOf(json: string, source?: ImportSource): Drafts | undefined {
	const { root, text, faults } = ConfigText.of(json);
	const value =
		root && nodeValue(root, (node) => asWritten(node.value, text.substr(node.offset, node.length)));
	const read = isRecord(value) ? serversIn(value, source) : undefined;
	const doubled = faults.filter(({ reason }) => reason?.kind === 'doubled-key').map(({ message }) => message);
	return read && { ...read, faults: [...read.faults, ...doubled] };
}

/** Most objects that are looked for in a text of other words. */
const maxObjects = 100;

/** The outermost `{…}` blocks of a text, each with balanced braces, and where the first one begins that does not end. */
function objectsIn(text: string): { readonly objects: readonly string[]; readonly unclosed?: number } {
	const objects: string[] = [];
	let unclosed: number | undefined;
	let start = text.indexOf('{');
	for (let tries = 0; start !== -1 && tries < maxObjects; tries++) {
		const end = endOfObject(text, start);
		if (end === undefined) unclosed ??= start;
		else objects.push(text.slice(start, end));
		start = text.indexOf('{', end ?? start + 1);
	}
	return { objects, ...(unclosed !== undefined && { unclosed }) };
}

function endOfObject(text: string, start: number): number | undefined {
	let depth = 0;
	for (const { kind, end } of tokensOf(text, start)) {
		if (kind === tokenKind.openBrace) depth++;
		else if (kind === tokenKind.closeBrace) depth--;
		if (depth === 0) return end;
	}
	return undefined;
}
