import * as l10n from '@vscode/l10n';
import { oneLine } from '../../../common/text.ts';
import { fault, joined } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';
import { commandDrafts, readAddedJson, readAddMcp, readClientsAdd } from './clientAdd.ts';
import { assignment, type Command, commandsIn } from './shell.ts';

/** Most lines read from one text. */
const mostLines = 300;

/** Programs that start servers, or that register them with another program. A line that begins with one is a command. */
const runner =
	/^(npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|uvx|uv|pipx|pip|pip3|python[\d.]*|py|docker|podman|nerdctl|go|cargo|java|dotnet|dnx|ruby|php|claude|codex|gemini|qwen|amp|code|code-insiders|codium|cursor|cmd|sh|bash|env|export|set)(\.exe|\.cmd)?$/i;

/** Commands that prepare, inspect, or are for people, and start no server. */
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
 * Reads terminal lines: each command that starts a server or registers one with another program. Among several lines, prose is skipped; a
 * single line only has to look like a command.
 */
export function readCommandLines(text: string): Drafts | undefined {
	const lines = joinedLines(text);
	const read: Drafts[] = [];
	const prepared = new Set<string>();
	let env: Readonly<Record<string, string>> = {};
	const meant = lines.filter((line) => (lines.length === 1 ? couldBeCommand(line) : looksLikeCommand(line)));
	for (const line of meant.slice(0, mostLines)) {
		const commands = commandsIn(line);
		if ('fault' in commands) {
			read.push(fault(commands.fault));
			continue;
		}
		if (commands.length === 0) env = { ...env, ...assignmentsOf(line) };
		for (const command of commands) {
			if (preparation.some((one) => one.test(command.words.join(' ')))) {
				prepared.add(command.words[0] ?? '');
				continue;
			}
			read.push(readCommand({ ...command, env: { ...env, ...command.env } }, line));
		}
	}
	if (read.length > 0) return joined(read);
	if (prepared.size === 0) return undefined;
	return fault(
		l10n.t(
			'None of these commands starts a server, and none was run: {0}. Paste the command or the JSON that defines the server.',
			[...prepared].map((program) => oneLine(program, 40)).join(', '),
		),
	);
}

/** Lines without prompts and comments. A trailing `\`, `^` or backtick joins a line with the next one. */
function joinedLines(text: string): string[] {
	return (
		text
			// Anchored to the start of a run of blanks: trying every blank of a long run would take minutes.
			.replace(/(?<![ \t])[ \t]*[\\^`]\r?\n[ \t]*/g, ' ')
			.split(/\r?\n/)
			.map((line) => line.trim().replace(/^(\$|>|%|PS [^>]{0,80}>|[A-Z]:[^>]{0,80}>)\s+/, ''))
			.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//'))
	);
}

/** Words alone are more likely a search than a program with arguments. */
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

function readCommand(command: Command, line: string): Drafts {
	const [program = '', first, second] = command.words;
	const isClient = /^(claude|codex|gemini|qwen|amp|droid)$/i.test(program) && first === 'mcp';
	if (isClient && second === 'add') return readClientsAdd(command.words.slice(3));
	if (isClient && second === 'add-json') return readAddedJson(command.words.slice(3), line);
	const addMcp = command.words.indexOf('--add-mcp');
	if (addMcp !== -1) return readAddMcp(command.words.slice(addMcp + 1), line);
	return commandDrafts(command.words, command.env);
}
