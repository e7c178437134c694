import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { oneLine } from '../../../common/text.ts';
import { quoted } from '../../file/jsonPath.ts';
import { fault, joinedDrafts } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';
import { commandDrafts, inHome, readRegistration, registersServer } from './clientAdd.ts';
import { requestedServer } from './curl.ts';
import { assignment, type Command, commandsIn } from './shell.ts';

/** Most lines read from one text. */
const maxLines = 300;

/** Programs that connect to servers. Their commands start no server, except those like `mcp serve`. */
const client =
	/^(claude|codex|gemini|qwen|amp|droid|copilot|kiro|kiro-cli|q|auggie|opencode|vibe|goose|cursor|cursor-agent|code|code-insiders|codium|windsurf|devin|zed|crush|cline|jan|lms|kimi|openhands|agy|hermes|rovodev|thv)$/i;
/** Programs that start servers. A line that begins with one of them or with a client is a command. */
const runner =
	/^(npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|uvx|uv|pipx|pip|pip3|python[\d.]*|py|docker|podman|nerdctl|go|cargo|java|dotnet|dnx|ruby|php|nix|jbang|poetry|pixi|cmd|sh|bash|env|export|set|cd|git|sudo)(\.exe|\.cmd)?$/i;

/** A program that runs a package, with the package. */
const packageRun =
	/^((npx|bunx|pnpx)|(pnpm|yarn) dlx|npm (exec|x)|bun x|uvx|pipx run|uv tool run)(\.cmd)?( (-y|--yes|--))* \S+/i;

/** Commands that prepare, inspect, or are for people, and start no server. */
const preparation: readonly RegExp[] = [
	/^(npm|pnpm|yarn|bun) (i|install|ci|add|run build|build|link|login|init|update|outdated|--version)\b/,
	/^(pip3?|pipx|brew|apt(-get)?|choco|scoop|winget|gem|cargo|go|dotnet tool) (install|update|upgrade)\b/,
	/^python[\d.]* -m (pip|venv)\b/,
	/^uv (add|sync|venv|init|pip|lock|tool install)\b/,
	/^(git|cd|mkdir|cp|mv|ls|cat|curl|wget|echo|chmod|source|open|sudo|touch|nano|vim|which|type|rm) /,
	/^(docker|podman) (pull|build|login|images|ps|compose|volume|network|mcp (?!gateway run))\b/,
	/^(\S+ ){0,3}(fast)?mcp (dev|inspect|list|ls|get|remove|rm|delete|enable|disable|reset\S*|login|logout|auth|status|import|export|install|uninstall|update)\b/,
	/^(npx|bunx)( -y| --yes)? (@smithery\/cli|@michaellatman\/mcp-get|mcp-get|@modelcontextprotocol\/inspector|skills)(@\S+)?( |$)(?!run )/,
	// A package that writes into the files of programs, instead of being their server.
	new RegExp(
		`${packageRun.source} (install|uninstall|setup|init|configure|login|logout|--version|--help)( |$)`,
		'i',
	),
];

/** Commands that run what is in the current folder, whatever it is: a readme shows them to those who have its repository. */
const ofFolder =
	/^((npm|pnpm|yarn|bun) ((run|run-script) [\w:-]+|start|test|dev)|deno task [\w:-]+|cargo run|go run \.|dotnet run)(?= |$)(?!.* (--prefix|--cwd|--dir|-C|--manifest-path|--project)\b)/;

/**
 * What runs the package that a command installs. Only a name of a registry: the beginning of an address, a file or a folder would name a package of
 * somebody else.
 */
const instead: readonly (readonly [install: RegExp, run: (name: string) => string])[] = [
	[
		/^(?:pip3?|pipx|python[\d.]* -m pip|uv (?:pip|tool)) install (?:(?!-[ecr]\b|--(?:editable|requirement|constraint)\b)-\S+ )*([A-Za-z][\w-]*(?:\.[\w-]+)*)(?<!\.(?:txt|whl|zip|gz|toml))(?=[[=<>~!;]|\s|$)/,
		(name) => `uvx ${name}`,
	],
	[
		/^(?:npm|pnpm|yarn|bun) (?:i|install|add)(?: global)? (?:-\S+ )*(@?[A-Za-z][\w.-]*(?:\/[\w.-]+)?)(?<!\.(?:tgz|gz))(?=@|\s|$)/,
		(name) => `npx -y ${name}`,
	],
	[/^docker pull (\S+)/, (name) => `docker run -i --rm ${name}`],
];

/** The name of the package that a line runs, without owner and version, and without what packages of programs add to it. */
function packageOf(line: string): string | undefined {
	const written = packageRun.exec(line)?.[0].split(' ').at(-1);
	return written && /^(?:@[\w.-]+\/)?(\w[\w-]*?)(?:-cli|-code)?(?:@[\w.-]+)?$/.exec(written)?.[1];
}

function isPreparation({ words }: Command): boolean {
	const line = words.join(' ');
	if (preparation.some((pattern) => pattern.test(line))) return true;
	const program = packageOf(line) ?? words[0] ?? '';
	const isServer =
		/\s(mcp|mcp-server|serve|mcp (serve|server|start|run)( .*)?)$/.test(line) || /^goose mcp \w+$/.test(line);
	return client.test(program) && !isServer;
}

/**
 * Reads terminal lines: each command that starts a server or registers one with another program. Among several lines, prose is skipped; a
 * single line only has to look like a command.
 */
export function readCommandLines(text: string): Drafts | undefined {
	const lines = joinedLines(text);
	const read: Drafts[] = [];
	const prepared = new Set<string>();
	const local = new Set<string>();
	const better = new Set<string>();
	let env: Readonly<Record<string, string>> = {};
	let outer: string | undefined;
	const meant = lines.filter((line) => (lines.length === 1 ? couldBeCommand(line) : looksLikeCommand(line)));
	for (const line of meant.slice(0, maxLines)) {
		const commands = commandsIn(line);
		if ('fault' in commands) {
			read.push(fault(commands.fault));
			continue;
		}
		if (commands.length === 0) env = { ...env, ...assignmentsOf(line) };
		let folder = outer;
		for (const command of commands) {
			const complete = { ...command, env: { ...env, ...command.env } };
			if (command.words[0] === 'cd') folder = folderAfter(folder, command.words.at(-1));
			const registered = readRegistration(complete, line) ?? requestedServer(command.words);
			if (!registered && !isWhole(folder) && ofFolder.test(command.words.join(' '))) {
				local.add(command.words.join(' '));
				continue;
			}
			if (!registered && isPreparation(command)) {
				prepared.add(command.words[0] ?? '');
				for (const [install, run] of instead) {
					const name = install.exec(command.words.join(' '))?.[1];
					if (name !== undefined) better.add(run(name));
				}
				continue;
			}
			if (registered) read.push(registered);
			else if (lines.length === 1 || looksLikeCommand(command.words.join(' ')))
				read.push(
					commandDrafts(complete.words, complete.env, folder === undefined ? {} : { more: { cwd: folder } }),
				);
		}
		// What follows in the line of a "cd" is often one of several commands that all start from the same folder.
		if (commands.length === 1) outer = folder;
	}
	if (read.length > 0) return joinedDrafts(read);
	const [command] = local;
	if (command !== undefined)
		return fault(
			l10n.t(
				'{0} runs what is in its folder. Put "cd" with the whole path of the folder and "&&" before it.',
				quoted(oneLine(command, 40)),
			),
		);
	if (prepared.size === 0) return undefined;
	if (better.size > 0) {
		const guesses = [...better].map((words) => {
			const note = l10n.t('What was pasted only installs a package. This runs it: {0}', oneLine(words, 100));
			return commandDrafts(words.split(' '), {}, { notes: [note] });
		});
		return { ...joinedDrafts(guesses), isGuess: true };
	}
	const programs = [...prepared].map((program) => oneLine(program, 40)).join(', ');
	return fault(
		l10n.t(
			'Paste the command or the JSON that defines the server. These commands start none, and nothing was run: {0}.',
			programs,
		),
	);
}

/** Lines without prompts and comments. A trailing `\`, `^` or backtick after a blank joins a line with the next one. */
function joinedLines(text: string): string[] {
	return (
		text
			// JSON between quotation marks may have several lines.
			.replace(/'\s*\{[^']*\}\s*'/g, (json) => json.replace(/\s*\n\s*/g, ' '))
			// Anchored to the start of a run of blanks: trying every blank of a long run would take minutes.
			.replace(/(?<![ \t])(?:[ \t]*[\\^]|[ \t]+`)\r?\n[ \t]*/g, ' ')
			.split(/\r?\n/)
			.map((line) => line.trim().replace(/^([$>%❯]|➜( +~)?|PS [^>]{0,80}>|[A-Z]:[^>]{0,80}>)\s+/, ''))
			.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//'))
			.flatMap(codeIn)
	);
}

/** A command, or the commands that a sentence has in backticks. */
function codeIn(line: string): readonly string[] {
	if (looksLikeCommand(line)) return [line];
	const code = [...line.matchAll(/(?<!`)`([^`]*\s[^`]*)`(?!`)/g)].map(([, command = '']) => command.trim());
	return code.length > 0 && !/\$\{|^`/.test(line) ? code : [line];
}

/** Words alone are more likely a search than a program with arguments, and a sentence may contain an address. */
function couldBeCommand(line: string): boolean {
	const isSentence = /^[A-Z]\w*:? .*\bhttps?:/.test(line);
	const hasArguments = /^[\w@./~\\:-]+\.(exe|sh|py|js|cmd)\b|\s-{1,2}\w|^[\w-]+\s+[\w.-]*[/@\\:=]/.test(line);
	return looksLikeCommand(line) || (hasArguments && !isSentence && !programCode.test(line));
}

/** The beginning of a line of code. A shell sets variables without blanks. */
const programCode =
	/^(const|let|var|import|from|export|return|await|async|function|def|class|new)\s|^[\w.]+\s+=\s/;

function looksLikeCommand(line: string): boolean {
	const [first = '', second = ''] = line.split(/\s+/);
	if (/^(export|set)$/i.test(first)) return /^["']?[A-Za-z_]\w*=/.test(second);
	if (assignment.test(first) || /^\$env:/i.test(first)) return true;
	// `/plugin install` is for a chat: programs are in folders.
	if (/^(\.{1,2}\/|~\/|[A-Za-z]:\\|\/[^/]+\/)\S+$/.test(first)) return true;
	if (registersServer(line) || /^([\w./@-]+ ){0,4}(fast)?mcp install /.test(line)) return true;
	// "Docker is needed" and "Go to the settings" begin like commands.
	return (
		(runner.test(first) || client.test(first)) && !/^(is|to|and|or|the|for|you|must|needs?)$/i.test(second)
	);
}

function assignmentsOf(line: string): Readonly<Record<string, string>> {
	const [, name = '', value = ''] =
		/^(?:(?:export|set)\s+|\$env:)?([A-Za-z_]\w*)\s*=\s*["']?(.*?)["']?;?$/i.exec(line) ?? [];
	return name === '' ? {} : { [name]: value };
}

/** The folder that `cd` leads to: "server" after "repo" is "repo/server". */
function folderAfter(folder: string | undefined, target = ''): string | undefined {
	if (target === 'cd' || target === '-') return undefined;
	const fullPath = isWhole(target) || folder === undefined ? target : `${folder}/${target}`;
	return inHome(/^[^\\]*$/.test(fullPath) && !isWhole(target) ? path.posix.normalize(fullPath) : fullPath);
}

function isWhole(folder = ''): boolean {
	return /^([\\/~]|[A-Za-z]:|\$\{)/.test(folder);
}
