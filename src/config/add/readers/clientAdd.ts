import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { ConfigText, jsonOf } from '../../file/configText.ts';
import { quoted } from '../../file/jsonPath.ts';
import { draftsOf, fault, namedDrafts } from '../draftsOf.ts';
import { headerIn } from '../entryShapes.ts';
import { serversIn } from '../sections.ts';
import type { Drafts } from '../serverDraft.ts';
import { isAddress } from '../serverNames.ts';
import { documentIn } from './documents.ts';
import { assignment, type Command, commandsIn, variableText } from './shell.ts';

/** Options with a value, in the words of all programs, and what they say about the server; `ignored`: only about the other program. */
const options = [
	[/^(-n|--name|--server-name)$/, 'name'],
	[/^--(url|uri|endpoint)$/, 'url'],
	[/^(-c|--command|--cmd)$/, 'command'],
	[/^--args?$/, 'args'],
	[/^(-e|--env|--environment)$/, 'env'],
	[/^(-H|--headers?)$/, 'headers'],
	[/^(-t|--transport|--type)$/, 'transport'],
	[/^--bearer-token-env-var$/, 'token'],
	[/^--(oauth-)?client-id$/, 'client_id'],
	[/^--(oauth-)?client-secret$/, 'client_secret'],
	[/^--(oauth-)?callback-port$/, 'redirect_port'],
	[/^--oauth-scopes?$|^--scopes$/, 'scopes'],
	[/^--(cwd|workdir|working-directory)$/, 'cwd'],
	[/^--(include-)?tools$/, 'tools'],
	[/^--exclude-tools$/, 'excludeTools'],
	[/^(-s|--scope|-a|--agents?|--timeout|--description|--profile|--config|--clients?|--auth)$/, 'ignored'],
] as const;

type Meaning = (typeof options)[number][1];

function meaningOf(option: string): Meaning | undefined {
	return options.find(([names]) => names.test(option))?.[1];
}

/** Options without a value. */
const flag =
	/^(--(replace|force|trust|global|yes|verbose|json|all|enabled|active|debug|overwrite|disabled|no-[\w-]+)|-[gyfv])$/;

/** What the words of such a command say. */
class AddWords {
	readonly env: Record<string, string> = {};
	readonly headers: Record<string, unknown> = {};
	readonly plain: string[] = [];
	readonly args: string[] = [];
	readonly notes: string[] = [];
	readonly optionValues = new Map<Meaning, string>();
	isDisabled = false;

	constructor(words: readonly string[], separatesByComma: boolean) {
		const isNamed = words.some((word) => meaningOf(word.split('=')[0] ?? '') === 'name');
		for (let at = 0; at < words.length; at++) {
			const word = words[at] ?? '';
			if (word === '--') {
				this.plain.push(...words.slice(at + 1));
				break;
			}
			const [option = '', inlineValue] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
			const meaning = meaningOf(option);
			// Everything after the command belongs to it, but for the scope at the end.
			const isScope =
				meaning === 'ignored' && /^(user|local|project|global|workspace)$/.test(words[at + 1] ?? '');
			if (this.#isCommand() && !(isScope && at + 2 === words.length)) this.plain.push(word);
			else if (flag.test(option)) this.isDisabled ||= option === '--disabled';
			else if (
				meaning === 'client_secret' &&
				inlineValue === undefined &&
				!hasSecret(words.slice(at + 1), isNamed)
			)
				continue;
			else if (meaning) {
				this.#take(meaning, inlineValue ?? words[++at] ?? '', separatesByComma);
				while (isMore(meaning, words[at + 1])) this.#take(meaning, words[++at] ?? '', separatesByComma);
			} else if (word.startsWith('-') && word !== '-') {
				this.notes.push(l10n.t('The option {0} is ignored: it is not known here.', quoted(option)));
				if (inlineValue === undefined && /^[^-]/.test(words[at + 1] ?? '') && !isAddress(words[at + 1])) at++;
			} else this.plain.push(word);
		}
	}

	/** Whether a plain word was already the command, and not a whole line. */
	#isCommand(): boolean {
		const isRemote = !/^(stdio|local)$/.test(this.optionValues.get('transport') ?? 'stdio');
		const target = this.plain[this.optionValues.has('name') ? 0 : 1];
		return target !== undefined && !isRemote && !isAddress(target) && !/\s/.test(target);
	}

	#take(meaning: Meaning, text: string, separatesByComma: boolean): void {
		switch (meaning) {
			case 'env':
				Object.assign(this.env, assignedIn(text, separatesByComma));
				break;
			case 'headers':
				Object.assign(this.headers, headersIn(text));
				break;
			case 'args':
				this.args.push(...argumentsIn(text, separatesByComma));
				break;
			case 'token':
				this.headers.Authorization = `Bearer ${variableText(text)}`;
				break;
			case 'ignored':
				break;
			default:
				this.optionValues.set(meaning, text);
		}
	}
}

/**
 * `--client-secret` asks for the value, as Claude Code does, unless one follows it. The word before the address is the name, unless an option
 * gives it.
 */
function hasSecret([next = '-', ...after]: readonly string[], isNamed: boolean): boolean {
	return !next.startsWith('-') && !isAddress(next) && (isNamed || !isAddress(after[0]));
}

/** Some options take several values. */
function isMore(meaning: Meaning, next: string | undefined): boolean {
	if (next === undefined || next === '--') return false;
	if (meaning === 'env') return assignment.test(next);
	return meaning === 'args' && !meaningOf(next) && !flag.test(next);
}

function assignedIn(text: string, separatesByComma: boolean): Readonly<Record<string, string>> {
	const record = recordIn(text);
	if (record) return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]));
	const parts = separatesByComma ? text.split(/,(?=[A-Za-z_]\w*=)/) : [text];
	const pairs = parts.flatMap((part) => {
		const [, name, value = ''] = assignment.exec(part) ?? [];
		return name === undefined ? [] : [[name, value] as const];
	});
	return Object.fromEntries(pairs);
}

function headersIn(text: string): JsonRecord {
	const record = recordIn(text);
	if (record) return record;
	const header = headerIn(text);
	return header ? Object.fromEntries([header]) : {};
}

/** One argument, a list in JSON, or a line. */
function argumentsIn(text: string, separatesByComma: boolean): readonly string[] {
	const list = text.startsWith('[') ? ConfigText.of(`{"list":${text}}`).value : undefined;
	if (isRecord(list) && Array.isArray(list.list)) return list.list.map(String);
	if (separatesByComma && !/\s/.test(text)) return text.split(',');
	return /^-|\s-/.test(text) && /\s/.test(text) ? commandIn(text).words : [text];
}

function commandIn(line: string): Command {
	const commands = commandsIn(line);
	const [first] = 'fault' in commands ? [] : commands;
	return first ?? { words: [line], env: {} };
}

/** `claude mcp add`, `openclaw mcp set`, `mcporter config add`, `mcp-cli server add`. */
const verb =
	/^(?:[\w./@-]+ ){0,4}?[\w./@-]*mcp[\w-]*(?:@\S+)?(?: servers?| config)? (add|add-json|set)(?= |$)/;

/** Whether a line registers a server with another program. */
export function registersServer(line: string): boolean {
	return verb.test(line);
}

/**
 * The server that a command registers with another program, in the words of any program: `claude mcp add [options] NAME COMMAND|ADDRESS
 * [words…]`, `kiro-cli mcp add --name NAME --command COMMAND --args WORD` (https://code.claude.com/docs/en/mcp,
 * https://geminicli.com/docs/tools/mcp-server, https://developers.openai.com/codex/mcp, https://kiro.dev/docs/cli/reference/cli-commands).
 * `undefined`: it registers none.
 */
export function readRegistration({ words, env }: Command, line: string): Drafts | undefined {
	const [, add] = verb.exec(words.filter((word) => !/^(-y|--yes)$/.test(word)).join(' ')) ?? [];
	if (add !== undefined) {
		const begin = words.indexOf(add) + 1;
		const rest = new AddWords(words.slice(begin), /^(kiro|q)/.test(words[0] ?? ''));
		const isJson = add === 'add-json' || rest.plain.some((word) => word.startsWith('{'));
		return isJson ? addedJson(rest, line) : added(rest);
	}
	const addMcp = words.indexOf('--add-mcp');
	if (addMcp !== -1) {
		const read = jsonIn(words.slice(addMcp + 1), line);
		return read ? (serversIn(read) ?? namedDrafts(read)) : fault(l10n.t('The JSON in it cannot be read.'));
	}
	const overridden = overriddenServers(words);
	if (overridden) return overridden;
	// https://github.com/neondatabase/add-mcp
	const installer = words.findIndex((word) => /^((add|install)-mcp|mcp-(add|install))(@\S+)?$/.test(word));
	if (installer !== -1) {
		const { plain, optionValues: said, ...rest } = new AddWords(words.slice(installer + 1), false);
		const [target = '', ...more] = plain;
		const isPackage = /^(@[\w.-]+\/)?[\w.-]+(@[\w.-]+)?$/.test(target) && more.length === 0;
		const launch = isPackage ? ['npx', '-y', target] : [target, ...more];
		const isSaid = said.has('url') || said.has('command');
		if (target === '' && !isSaid) return undefined;
		return added({
			...rest,
			optionValues: said,
			plain: [said.get('name') ?? '', ...(target === '' ? [] : launch)],
		});
	}
	// `goose session --with-extension "COMMAND"`
	const extension = words.findIndex((word) => /^--with-([\w-]+-)?extension$/.test(word));
	const session = words[extension + 1];
	if (extension === -1 || session === undefined) return undefined;
	return added({ ...new AddWords(['--', '', session], false), env });
}

/** What is left of the words for one server. */
function added({
	plain,
	optionValues: said,
	args,
	env,
	headers,
	notes,
	isDisabled,
}: Omit<AddWords, never>): Drafts {
	const isNamed = said.has('name') && plain[0] !== said.get('name');
	const isAddressAlone = plain.length === 1 && isAddress(plain[0]);
	const [name = '', first, ...rest] = isNamed || isAddressAlone ? [said.get('name') ?? '', ...plain] : plain;
	const url = said.get('url') ?? (isAddress(first) ? first : undefined);
	const transport = said.get('transport');
	const isRemote = transport !== undefined && !/^(stdio|local)$/.test(transport);
	const target = said.get('command') ?? url ?? first;
	if (target === undefined)
		return fault(l10n.t('This command defines no server. Enter a name and a command, or a URL.'));
	const tools = listIn(said.get('tools'));
	const common: JsonRecord = {
		...(isDisabled && { disabled: true }),
		...(tools.length > 0 && { enabledTools: tools }),
		...(said.has('excludeTools') && { disabledTools: listIn(said.get('excludeTools')) }),
	};
	if (url !== undefined || isRemote) {
		const oauth = {
			clientId: said.get('client_id'),
			clientSecret: said.get('client_secret'),
			callbackPort: said.get('redirect_port'),
			scopes: said.get('scopes'),
		};
		const surplus = [...args, ...(first === undefined || first === (url ?? target) ? [] : [first]), ...rest];
		// What has no effect at an address is named by the reader of the entry.
		const entry: JsonRecord = {
			...common,
			url: url ?? target,
			...(surplus.length > 0 && { args: surplus }),
			...(Object.keys(env).length > 0 && { env }),
			...(transport !== undefined && { type: transport }),
			...(Object.keys(headers).length > 0 && { headers }),
			...(Object.values(oauth).some((value) => value !== undefined) && { oauth }),
		};
		return draftsOf({ name, entry, product: 'Claude Code', notes });
	}
	const argWords = said.has('command') ? [...(first === undefined ? [] : [first]), ...rest] : rest;
	const isLine = /\s/.test(target) && argWords.length === 0;
	const command = isLine ? commandIn(target) : { words: [target, ...argWords], env: {} };
	const extraKeys = {
		...common,
		...(said.has('cwd') && { cwd: said.get('cwd') }),
		...(Object.keys(headers).length > 0 && { headers }),
	};
	return commandDrafts(
		[...command.words, ...args],
		{ ...command.env, ...env },
		{ name, more: extraKeys, notes },
	);
}

function listIn(text = ''): readonly string[] {
	return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** `claude mcp add-json NAME '{…}'`. */
function addedJson({ plain, optionValues: said, notes }: AddWords, line: string): Drafts {
	const name = said.get('name') ?? plain.find((word) => !word.trimStart().startsWith('{')) ?? '';
	const entry = jsonIn(plain, line);
	if (!entry || name === '') return fault(l10n.t('The JSON in it cannot be read.'));
	return draftsOf({ name, entry, product: 'Claude Code', notes });
}

/** `codex -c mcp_servers.NAME.KEY=VALUE`: a value in TOML, or a text. */
function overriddenServers(words: readonly string[]): Drafts | undefined {
	const lines = words.flatMap((word, index) => {
		if (!/^(-c|--config)$/.test(words[index - 1] ?? '')) return [];
		const [, key, value = ''] = /^(mcp_servers(?:\.[^=]+)?)=(.*)$/s.exec(word) ?? [];
		if (key === undefined) return [];
		const read = documentIn(`${key} = ${value}`);
		return [`${key} = ${read && 'value' in read ? value : JSON.stringify(value)}`];
	});
	const read = documentIn(lines.join('\n'));
	if (read === undefined || 'fault' in read) return read && fault(read.fault);
	return isRecord(read.value) ? serversIn(read.value) : undefined;
}

function recordIn(text: string): JsonRecord | undefined {
	return text.trimStart().startsWith('{') ? jsonOf(text) : undefined;
}

/** The object in a command. Shells quote differently, so the line itself is tried too. */
function jsonIn(words: readonly string[], line: string): JsonRecord | undefined {
	const start = line.indexOf('{');
	const raw = start === -1 ? '' : line.slice(start, line.lastIndexOf('}') + 1);
	const word = words.find((candidate) => candidate.trimStart().startsWith('{')) ?? '';
	for (const text of [word, raw, raw.replaceAll('\\"', '"'), raw.replaceAll('""', '"')]) {
		const value = recordIn(text);
		if (value) return value;
	}
	return undefined;
}

/** Without a shell, nobody expands `~`. */
export function inHome(word: string): string {
	return word.replace(/^~(?=[\\/]|$)/, `\${userHome}`);
}

/** The server that a command starts. */
export function commandDrafts(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
	{ name, more: extraKeys, notes = [] }: { name?: string; more?: JsonRecord; notes?: readonly string[] } = {},
): Drafts {
	const [command = '', ...args] = words.map(inHome);
	const entry = {
		...extraKeys,
		command,
		...(args.length > 0 && { args }),
		...(Object.keys(env).length > 0 && { env: { ...env } }),
	};
	return draftsOf({ entry, product: 'VS Code', notes, ...(name !== undefined && { name }) });
}
