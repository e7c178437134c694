import * as l10n from '@vscode/l10n';
import { isRecord, type JsonRecord } from '../../../common/json.ts';
import { ConfigText } from '../../file/configText.ts';
import { draftsOf, fault, namedDrafts } from '../draftsOf.ts';
import type { Drafts } from '../serverDraft.ts';
import { isAddress } from '../serverNames.ts';
import { assignment, variableText } from './shell.ts';

/**
 * `claude mcp add [options] NAME COMMAND|ADDRESS [words…]`, and the same of other programs (https://code.claude.com/docs/en/mcp,
 * https://geminicli.com/docs/tools/mcp-server, https://developers.openai.com/codex/mcp).
 */
export function readClientsAdd(words: readonly string[]): Drafts {
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
		// Everything after the command belongs to it.
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
		return fault(l10n.t('This command defines no server. Enter a name and a command, or a URL.'));
	if (url !== undefined || isAddress(target) || (transport !== undefined && transport !== 'stdio'))
		return draftsOf({ name, product: 'Claude Code', entry: remoteEntry(target, transport, headers) });
	return commandDrafts([target, ...args], env, name);
}

function assigned(text: string): Readonly<Record<string, string>> {
	const [, name, value = ''] = assignment.exec(text) ?? [];
	return name === undefined ? {} : { [name]: value };
}

function remoteEntry(url: string, type: string | undefined, headers: JsonRecord): JsonRecord {
	return { url, ...(type && { type }), ...(Object.keys(headers).length > 0 && { headers }) };
}

/** `claude mcp add-json NAME '{…}'`. */
export function readAddedJson(words: readonly string[], line: string): Drafts {
	const [name = ''] = words.filter((word) => !word.trimStart().startsWith('{') && !word.startsWith('-'));
	const entry = jsonIn(words, line);
	if (!entry || name === '') return fault(l10n.t('The JSON in it cannot be read.'));
	return draftsOf({ name, entry, product: 'Claude Code' });
}

/** `code --add-mcp '{"name": …}'` (https://code.visualstudio.com/docs/copilot/customization/mcp-servers). */
export function readAddMcp(words: readonly string[], line: string): Drafts {
	const read = jsonIn(words, line);
	return read ? namedDrafts(read) : fault(l10n.t('The JSON in it cannot be read.'));
}

/** The object in a command. Shells quote differently, so the line itself is tried too. */
function jsonIn(words: readonly string[], line: string): JsonRecord | undefined {
	const start = line.indexOf('{');
	const raw = start === -1 ? '' : line.slice(start, line.lastIndexOf('}') + 1);
	const word = words.find((one) => one.trimStart().startsWith('{')) ?? '';
	for (const text of [word, raw, raw.replaceAll('\\"', '"'), raw.replaceAll('""', '"')]) {
		const { value } = text === '' ? { value: undefined } : ConfigText.of(text);
		if (isRecord(value)) return value;
	}
	return undefined;
}

/** The server that a command starts. Without a shell, nobody expands `~`. */
export function commandDrafts(
	words: readonly string[],
	env: Readonly<Record<string, string>>,
	name?: string,
): Drafts {
	const [command = '', ...args] = words.map((word) => word.replace(/^~(?=[\\/])/, `\${userHome}`));
	const entry = {
		command,
		...(args.length > 0 && { args }),
		...(Object.keys(env).length > 0 && { env: { ...env } }),
	};
	return draftsOf({ entry, ...(name !== undefined && { name }) });
}
