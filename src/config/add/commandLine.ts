import * as l10n from '@vscode/l10n';
import parse from 'shell-quote/parse.js';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { oneLine } from '../../common/text.ts';
import { readDocument } from '../file/document.ts';
import { quoted } from '../file/jsonPath.ts';
import type { Product } from '../import/importSources.ts';
import { imageIndex, isAddress, nameOfEntry } from './serverNames.ts';

/** A server as a text has it: an entry in the words of the program that the text is for. */
export interface WrittenServer {
	readonly name: string;
	readonly entry: JsonRecord;
	/** Whose variables it has. */
	readonly product: Product;
	/** What VS Code asks for, as its file has it. */
	readonly inputs?: unknown;
	/** What was done with it that the text does not say; sentences. */
	readonly notes?: readonly string[];
}

/** What some lines came to. */
export interface WrittenServers {
	readonly servers: readonly WrittenServer[];
	/** Sentences. */
	readonly faults: readonly string[];
}

/**
 * Signs that mean something to a shell where they stand, but that people mean as they are: `<your-key>`, `#` and `&` within a word. They
 * are put away while the line is taken apart.
 */
const putAway: readonly (readonly [sign: string, stand: string])[] = [
	['<', '\ue000'],
	['>', '\ue001'],
	['#', '\ue002'],
	['&', '\ue003'],
	[' ', '\ue004'],
];

function hidden(text: string): string {
	return putAway.reduce((rest, [sign, stand]) => rest.replaceAll(sign, stand), text);
}

function shown(text: string): string {
	return putAway.reduce((rest, [sign, stand]) => rest.replaceAll(stand, sign), text);
}

/** Longest line that is read, in UTF-16 units: about what Windows lets a command line be. */
const longestLine = 32_768;
/** Most lines of commands that are read of one text. */
const mostLines = 300;

/** Drives, variables of `cmd`, and its own paths: backslashes are part of such a line, and `^` takes their place. */
const windows = /(^|[\s"'=])([A-Za-z]:\\(?!")|\.{1,2}\\)|%[A-Za-z_]\w*%|^\s*(cmd(\.exe)?\s+\/c|set\s+\w+=)/i;

/** One command of a line, with the variables that are set before it. */
interface Command {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/**
 * Takes one line apart into its commands, as a shell does; nothing of it is run, and no variable read: they stay as `${env:NAME}`. What
 * only a shell could do, such as a pipe, is a fault.
 */
function commandsIn(line: string): readonly Command[] | { readonly fault: string } {
	const isWindows = windows.test(line);
	if (line.length > longestLine)
		return { fault: l10n.t('It has a line of more than {0} characters.', longestLine) };
	const prepared = line
		.replace(/\$\(pwd\)|`pwd`/g, `\${workspaceFolder}`)
		.replace(/<([\w][\w .:/|-]{0,80})>/g, hidden)
		.replace(/https?:\/\/[^\s"']+/g, (address) => address.replace(/[#&](?=[\w%])/g, hidden))
		.replace(/(?<=[^\s"'])#/g, hidden)
		.replace(/\$env:(\w+)\s*=\s*/gi, '$1=')
		.replace(/\$env:(\w+)/gi, `\${env:$1}`)
		.replace(/%([A-Za-z_]\w*)%/g, (written, name: string) => (isWindows ? variableText(name) : written));
	const parsed = (text: string) => parse(text, variableText, isWindows ? { escape: '^' } : {});
	let tokens: ReturnType<typeof parsed>;
	try {
		tokens = parsed(prepared);
		// The library drops a quotation mark that is not closed; such a one would swallow this.
		const isWhole = ['"x"', "'x'"].every((end) => parsed(`${prepared} ${end}`).at(-1) === 'x');
		const endsInComment = tokens.some((token) => typeof token === 'object' && 'comment' in token);
		if (!isWhole && !endsInComment) return { fault: l10n.t('A quotation mark is not closed.') };
	} catch {
		return { fault: l10n.t('A variable in it cannot be read.') };
	}
	const segments: string[][] = [[]];
	for (const token of tokens) {
		if (typeof token === 'string') segments.at(-1)?.push(shown(token));
		else if ('comment' in token) break;
		else if (token.op === 'glob') segments.at(-1)?.push(shown(token.pattern));
		else if (token.op === ';' || token.op === '&&') segments.push([]);
		else
			return {
				fault: l10n.t(
					'It needs a shell because of its {0}: paste only the command that starts the server.',
					quoted(token.op),
				),
			};
	}
	let env: Readonly<Record<string, string>> = {};
	return segments.flatMap((words) => {
		const { set, rest } = withoutAssignments(words);
		env = { ...env, ...set };
		return rest.length > 0 ? [{ words: rest, env }] : [];
	});
}

/** What a variable of a shell is called in a configuration. */
function variableText(name: string): string {
	if (name === '') return '$';
	if (/^(PWD|CD)$/i.test(name)) return `\${workspaceFolder}`;
	if (/^(HOME|USERPROFILE)$/i.test(name)) return `\${userHome}`;
	if (/^[A-Za-z_]\w*$/.test(name) && !/^(workspaceFolder|workspaceFolderBasename|userHome)$/.test(name))
		return `\${env:${name}}`;
	// `${input:key}`, `${NAME:-default}`; `$1` and the like are no variables.
	return /^\w+:|^workspaceFolder|^userHome$/.test(name) ? `\${${name}}` : `$${name}`;
}

const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

/** `A=b command`, `env A=b command`, `export A=b`, `set A=b`, `cross-env A=b command`. */
function withoutAssignments(words: readonly string[]): {
	readonly set: Readonly<Record<string, string>>;
	readonly rest: readonly string[];
} {
	const [first = ''] = words;
	const lead = /^(env|export|set|cross-env|setx)$/i.test(first) ? 1 : 0;
	const end = words.findIndex((word, index) => index >= lead && !assignment.test(word));
	const count = end === -1 ? words.length : end;
	if (count === lead) return { set: {}, rest: lead > 0 && words.length === 1 ? [] : words };
	const set = words.slice(lead, count).map((word) => {
		const [, name = '', value = ''] = assignment.exec(word) ?? [];
		return [name, value] as const;
	});
	return { set: Object.fromEntries(set), rest: words.slice(count) };
}

/** Programs that start servers, and those that tell another program of one: a line that begins with one is meant to be run. */
const runner =
	/^(npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|uvx|uv|pipx|pip|pip3|python[\d.]*|py|docker|podman|nerdctl|go|cargo|java|dotnet|dnx|ruby|php|claude|codex|gemini|qwen|amp|code|code-insiders|codium|cursor|cmd|sh|bash|env|export|set)(\.exe|\.cmd)?$/i;

/** Commands that get things ready, look at them, or are for people, and start no server. */
const preparation: readonly RegExp[] = [
	/^(npm|pnpm|yarn|bun) (i|install|ci|add|run build|build|link|login|init|update|outdated|--version)\b/,
	/^(pip3?|pipx|brew|apt(-get)?|choco|scoop|winget|gem|cargo|go|dotnet tool) (install|update|upgrade)\b/,
	/^python[\d.]* -m (pip|venv)\b/,
	/^uv (add|sync|venv|init|pip|lock|tool install)\b/,
	/^(git|cd|mkdir|cp|mv|ls|cat|curl|wget|echo|chmod|source|open|sudo|touch|nano|vim|which|type|rm) /,
	/^(docker|podman) (pull|build|login|images|ps|compose|volume|network)\b/,
	/^(claude|codex|gemini|qwen|amp) mcp (list|get|remove|serve|reset|login|logout)\b/,
	/^(claude|codex|gemini|qwen|cursor|code)$/,
	/^(npx|bunx)( -y| --yes)? (@smithery\/cli|@michaellatman\/mcp-get|mcp-get|@modelcontextprotocol\/inspector|install-mcp|add-mcp)(@\S+)?( |$)(?!run )/,
];

/**
 * Reads lines of a terminal: each command that starts a server, or that tells another program of one. Of several lines those that are
 * prose are passed over; one line alone is a command if it can be any.
 */
export function readCommandLines(text: string, platform: NodeJS.Platform): WrittenServers {
	const lines = joinedLines(text);
	const servers: WrittenServer[] = [];
	const faults: string[] = [];
	const prepared = new Set<string>();
	let env: Readonly<Record<string, string>> = {};
	const meant = lines.filter((line) => (lines.length === 1 ? couldBeCommand(line) : looksLikeCommand(line)));
	for (const line of meant.slice(0, mostLines)) {
		const commands = commandsIn(line);
		if ('fault' in commands) {
			faults.push(commands.fault);
			continue;
		}
		if (commands.length === 0) env = { ...env, ...assignmentsOf(line) };
		for (const command of commands) {
			if (preparation.some((one) => one.test(command.words.join(' ')))) {
				prepared.add(command.words[0] ?? '');
				continue;
			}
			const read = readCommand({ ...command, env: { ...env, ...command.env } }, line, platform);
			if ('fault' in read) faults.push(read.fault);
			else servers.push(read);
		}
	}
	if (servers.length === 0 && faults.length === 0 && prepared.size > 0)
		faults.push(
			l10n.t(
				'No server found in these commands, and none was run: {0}. Paste the command or the JSON that names the server.',
				[...prepared].map((program) => oneLine(program, 40)).join(', '),
			),
		);
	return { servers, faults };
}

/** Lines without prompts and comments; one that ends in `\`, `^` or a backtick goes on in the next. */
function joinedLines(text: string): string[] {
	return (
		text
			// From the beginning of a run of blanks only: tried from each of them, a long run would take minutes.
			.replace(/(?<![ \t])[ \t]*[\\^`]\r?\n[ \t]*/g, ' ')
			.split(/\r?\n/)
			.map((line) => line.trim().replace(/^(\$|>|%|PS [^>]{0,80}>|[A-Z]:[^>]{0,80}>)\s+/, ''))
			.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//'))
	);
}

/** Words alone are more likely what somebody looks for than a program with its arguments. */
function couldBeCommand(line: string): boolean {
	return (
		looksLikeCommand(line) ||
		/^[\w@./~\\:-]+\.(exe|sh|py|js|cmd)\b|\s-{1,2}\w|^[\w-]+\s+[\w.-]*[/@\\:=]/.test(line)
	);
}

function looksLikeCommand(line: string): boolean {
	const [first = '', second = ''] = line.split(/\s+/);
	if (assignment.test(first) || /^\$env:/i.test(first)) return true;
	if (/^(\.{0,2}\/|~\/|[A-Za-z]:\\)\S+$/.test(first)) return true;
	// "Docker is needed" and "Go to the settings" begin like commands.
	return runner.test(first) && !/^(is|to|and|or|the|for|you|must|needs?)$/i.test(second);
}

function assignmentsOf(line: string): Readonly<Record<string, string>> {
	const [, name = '', value = ''] =
		/^(?:(?:export|set)\s+|\$env:)?([A-Za-z_]\w*)\s*=\s*["']?(.*?)["']?;?$/i.exec(line) ?? [];
	return name === '' ? {} : { [name]: value };
}

type ReadCommand = WrittenServer | { readonly fault: string };

function readCommand(command: Command, line: string, platform: NodeJS.Platform): ReadCommand {
	const [program = '', first, second] = command.words;
	const isClient = /^(claude|codex|gemini|qwen|amp|droid)$/i.test(program) && first === 'mcp';
	if (isClient && second === 'add') return readClientsAdd(command.words.slice(3), platform);
	if (isClient && second === 'add-json') return readAddedJson(command.words.slice(3), line);
	const addMcp = command.words.indexOf('--add-mcp');
	if (addMcp !== -1) return readAddMcp(command.words.slice(addMcp + 1), line);
	return commandEntry(command.words, command.env, platform);
}

/**
 * `claude mcp add [options] NAME COMMAND|ADDRESS [words…]`, and the like of other programs
 * (https://code.claude.com/docs/en/mcp, https://geminicli.com/docs/tools/mcp-server, https://developers.openai.com/codex/mcp).
 */
function readClientsAdd(words: readonly string[], platform: NodeJS.Platform): ReadCommand {
	const env: Record<string, string> = {};
	const headers: Record<string, string> = {};
	const plain: string[] = [];
	let transport: string | undefined;
	let url: string | undefined;
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		const [option = '', glued] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
		const value = () => glued ?? words[++at] ?? '';
		const isRemote = transport !== undefined && transport !== 'stdio';
		if (word === '--') {
			plain.push(...words.slice(at + 1));
			break;
		}
		// Behind the command all words are its own.
		if (plain.length >= 2 && !isRemote && !isAddress(plain[1])) {
			plain.push(word);
		} else if (/^(-e|--env)$/.test(option)) {
			Object.assign(env, assigned(value()));
			while (assignment.test(words[at + 1] ?? '')) Object.assign(env, assigned(words[++at] ?? ''));
		} else if (/^(-H|--header)$/.test(option)) {
			const [, name = '', text = ''] = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(value()) ?? [];
			if (name !== '') headers[name] = text;
		} else if (/^(-t|--transport|--type)$/.test(option)) transport = value();
		else if (option === '--url') url = value();
		else if (option === '--bearer-token-env-var') headers.Authorization = `Bearer ${variableText(value())}`;
		else if (/^(-s|--scope|--client-id|--callback-port|--timeout|--description)$/.test(option)) value();
		else if (!word.startsWith('-')) plain.push(word);
	}
	const [name, target = url, ...args] = plain;
	if (name === undefined || target === undefined)
		return { fault: l10n.t('It names no server: a name and a command, or an address, belong there.') };
	if (url !== undefined || isAddress(target) || (transport !== undefined && transport !== 'stdio'))
		return { name, product: 'Claude Code', entry: remoteEntry(target, transport, headers) };
	return { ...commandEntry([target, ...args], env, platform), name };
}

function assigned(text: string): Readonly<Record<string, string>> {
	const [, name, value = ''] = assignment.exec(text) ?? [];
	return name === undefined ? {} : { [name]: value };
}

function remoteEntry(url: string, type: string | undefined, headers: JsonRecord): JsonRecord {
	return { url, ...(type && { type }), ...(Object.keys(headers).length > 0 && { headers }) };
}

/** `claude mcp add-json NAME '{…}'`. */
function readAddedJson(words: readonly string[], line: string): ReadCommand {
	const [name = ''] = words.filter((word) => !word.trimStart().startsWith('{') && !word.startsWith('-'));
	const entry = jsonIn(words, line);
	if (!entry || name === '') return { fault: l10n.t('The JSON in it cannot be read.') };
	return { name, entry, product: 'Claude Code' };
}

/** `code --add-mcp '{"name": …}'` (https://code.visualstudio.com/docs/copilot/customization/mcp-servers). */
function readAddMcp(words: readonly string[], line: string): ReadCommand {
	const read = jsonIn(words, line);
	return (read && namedEntry(read)) ?? { fault: l10n.t('The JSON in it cannot be read.') };
}

/** The entry of a server with its name, and what VS Code asks for, in one object, as links and `--add-mcp` have it. */
export function namedEntry({ name, inputs, ...entry }: JsonRecord): WrittenServer {
	const own = typeof name === 'string' && name.trim() !== '' ? name : nameOfEntry(entry);
	return { name: own, entry, product: 'VS Code', ...(inputs !== undefined && { inputs }) };
}

/** The object in a command; shells differ in how they want its quotation marks, so the line itself is looked at, too. */
function jsonIn(words: readonly string[], line: string): JsonRecord | undefined {
	const start = line.indexOf('{');
	const raw = start === -1 ? '' : line.slice(start, line.lastIndexOf('}') + 1);
	const word = words.find((one) => one.trimStart().startsWith('{')) ?? '';
	for (const text of [word, raw, raw.replaceAll('\\"', '"'), raw.replaceAll('""', '"')]) {
		const { value } = text === '' ? { value: undefined } : readDocument(text);
		if (isRecord(value)) return value;
	}
	return undefined;
}

function commandEntry(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
	platform: NodeJS.Platform,
): WrittenServer {
	const [command = '', ...args] = words.map(withoutTilde);
	const entry = {
		command,
		...(args.length > 0 && { args }),
		...(Object.keys(env).length > 0 && { env: { ...env } }),
	};
	const made = startable(entry, platform);
	return { name: nameOfEntry(made.entry), entry: made.entry, product: 'VS Code', notes: made.notes };
}

/** No shell is there that would know what `~` is. */
function withoutTilde(word: string): string {
	return word.replace(/^~(?=[\\/])/, `\${userHome}`);
}

/**
 * An entry that can be started without a shell and without a terminal: `cmd /c` before a command is not needed here, and would keep it from
 * running elsewhere; a container has to keep its input open, and must have no terminal, which mixes its own signs into the messages. What
 * `-e NAME` takes over from the shell is asked for.
 */
export function startable(
	entry: JsonRecord,
	platform: NodeJS.Platform,
): { readonly entry: JsonRecord; readonly notes: readonly string[] } {
	const { command, args } = entry;
	if (typeof command !== 'string' || !Array.isArray(args)) return { entry, notes: [] };
	const texts = args.filter((one) => typeof one === 'string');
	if (texts.length !== args.length) return { entry, notes: [] };
	const [option = '', program = '', ...rest] = texts;
	if (/^cmd(\.exe)?$/i.test(command) && /^\/c$/i.test(option) && /^[\w@./:\\-]+$/.test(program)) {
		const note = l10n.t('{0} before its command is left out: it is not needed here.', quoted('cmd /c'));
		const inner = startable({ ...entry, command: program, args: rest }, platform);
		return { entry: inner.entry, notes: [note, ...inner.notes] };
	}
	const isContainer = /^(docker|podman|nerdctl)(\.exe)?$/i.test(command) && texts[0] === 'run';
	return isContainer ? startableContainer(entry, texts) : { entry, notes: [] };
}

function startableContainer(
	entry: JsonRecord,
	args: readonly string[],
): { readonly entry: JsonRecord; readonly notes: readonly string[] } {
	const image = imageIndex(args);
	const notes: string[] = [];
	const withoutTerminal = args.flatMap((word, index) => {
		if (index >= image || !/^(-[itd]*[td][itd]*|--tty|--detach)$/.test(word)) return [word];
		notes.push(
			l10n.t('Its {0} is left out: the server is spoken to by its input, without a terminal.', quoted(word)),
		);
		return word.includes('i') && !word.startsWith('--') ? ['-i'] : [];
	});
	const isOpen = withoutTerminal.some((word) => /^(-i|--interactive)$/.test(word));
	if (!isOpen)
		notes.push(l10n.t('It gets {0}, without which no message would reach the server.', quoted('-i')));
	const words = isOpen ? withoutTerminal : ['run', '-i', ...withoutTerminal.slice(1)];
	const given = isRecord(entry.env) ? entry.env : {};
	const taken = args
		.slice(0, image)
		.filter((word, index) => /^(-e|--env)$/.test(args[index - 1] ?? '') && /^[A-Za-z_]\w*$/.test(word))
		.filter((name) => !Object.hasOwn(given, name));
	const env = { ...Object.fromEntries(taken.map((name) => [name, `\${env:${name}}`])), ...given };
	return { entry: { ...entry, args: words, ...(Object.keys(env).length > 0 && { env }) }, notes };
}
