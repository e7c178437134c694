import * as l10n from '@vscode/l10n';
import parse from 'shell-quote/parse.js';
import { quoted } from '../../file/jsonPath.ts';

/**
 * Characters that are special to a shell but meant literally: `<your-key>`, and `#` and `&` within a word. They are replaced while the line
 * is parsed.
 */
const standIns: readonly (readonly [sign: string, stand: string])[] = [
	['<', '\ue000'],
	['>', '\ue001'],
	['#', '\ue002'],
	['&', '\ue003'],
	[' ', '\ue004'],
];

function hidden(text: string): string {
	return standIns.reduce((rest, [sign, stand]) => rest.replaceAll(sign, stand), text);
}

function restored(text: string): string {
	return standIns.reduce((rest, [sign, stand]) => rest.replaceAll(stand, sign), text);
}

/** Longest line that is read, in UTF-16 units: about the limit of a command line on Windows. */
const maxLineLength = 32_768;
/** Drives, `cmd` variables and paths of Windows. Backslashes are then literal, and `^` is the escape character. */
const windows =
	/(^|[\s"'=])([A-Za-z]:\\(?!")|\.{1,2}\\|[\w.-]+(\\[\w.-]+)+(?=\s|$))|%[A-Za-z_]\w*%|^\s*(cmd(\.exe)?\s+\/c|set\s+\w+=)/i;

/** One command of a line, with the variables set before it. */
export interface Command {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/**
 * Splits a line into commands, like a shell. Nothing is run, and variables stay as `${env:NAME}`. What only a shell could do, such as a
 * pipe, is a fault.
 */
export function commandsIn(line: string): readonly Command[] | { readonly fault: string } {
	const isWindows = windows.test(line);
	if (line.length > maxLineLength)
		return { fault: l10n.t('It has a line of more than {0} characters.', maxLineLength) };
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
		// The library ignores unclosed quotes, but one would swallow this.
		const isWhole = ['"x"', "'x'"].every((end) => parsed(`${prepared} ${end}`).at(-1) === 'x');
		const endsInComment = tokens.some((token) => typeof token === 'object' && 'comment' in token);
		if (!isWhole && !endsInComment) return { fault: l10n.t('A quotation mark is not closed.') };
	} catch {
		return { fault: l10n.t('A variable in it cannot be read.') };
	}
	const segments: string[][] = [[]];
	for (const token of tokens) {
		if (typeof token === 'string') segments.at(-1)?.push(restored(token));
		else if ('comment' in token) break;
		else if (token.op === 'glob') segments.at(-1)?.push(restored(token.pattern));
		else if (token.op === ';' || token.op === '&&') segments.push([]);
		else
			return {
				fault: l10n.t(
					'It contains {0}, which needs a shell. Paste only the command that starts the server.',
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

/** A shell variable in the syntax of our configuration. */
export function variableText(name: string): string {
	if (name === '') return '$';
	if (/^(PWD|CD)$/i.test(name)) return `\${workspaceFolder}`;
	if (/^(HOME|USERPROFILE)$/i.test(name)) return `\${userHome}`;
	if (/^[A-Za-z_]\w*$/.test(name) && !/^(workspaceFolder|workspaceFolderBasename|userHome)$/.test(name))
		return `\${env:${name}}`;
	// `${input:key}`, `${NAME:-default}`; `$1` and the like are not variables.
	return /^\w+:|^workspaceFolder|^userHome$/.test(name) ? `\${${name}}` : `$${name}`;
}

/** `NAME=value`. */
export const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

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
