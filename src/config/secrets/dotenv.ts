import { parseEnv } from 'node:util';
import * as l10n from '@vscode/l10n';
import { hijacksProcess, redirectsTraffic, steersNode } from './environmentNames.ts';

/** An environment for a configuration to read from. */
export interface Environment {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Names in `.env` that are ignored, because a repository must not decide on proxies and the like. */
	readonly ignored: readonly string[];
}

/**
 * The process's environment, with `.env` where it says nothing. The result is a new object: nothing of `.env` enters
 * the process's own environment, so no server inherits what its configuration does not name.
 */
export function environmentWithDotenv(
	dotenv: string | undefined,
	processEnv: Readonly<Record<string, string | undefined>>,
): Environment {
	const written = Object.entries(parseEnv(dotenv ?? ''));
	const ignored = written
		.map(([name]) => name)
		.filter((name) => hijacksProcess(name) || redirectsTraffic(name) || steersNode(name));
	const allowed = written.filter(([name]) => !ignored.includes(name));
	const own = Object.entries(processEnv).filter(([, value]) => value !== undefined);
	return { env: Object.fromEntries([...allowed, ...own]), ignored };
}

/** A variable to be written into `.env`. */
export interface DotenvVariable {
	readonly name: string;
	readonly value: string;
}

/**
 * The text of a `.env` with variables added at its end; what it has already stays, also a variable that it has with this very
 * value. Throws, naming the variable and not the value, where the format cannot hold it.
 */
export function withDotenvVariables(text: string, variables: readonly DotenvVariable[]): string {
	const written = parseEnv(text);
	const missing = variables.filter(({ name, value }) => written[name] !== value);
	if (missing.length === 0) return text;
	const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
	const start = text === '' || text.endsWith('\n') ? text : text + lineEnd;
	const added = start + missing.map((variable) => dotenvLine(variable) + lineEnd).join('');
	// An earlier line may have an open quote that swallows the new ones.
	const read = parseEnv(added);
	const lost = missing.find(({ name, value }) => read[name] !== value);
	if (lost) {
		throw new Error(l10n.t('{0} cannot be written into .env: mend the lines that are there.', lost.name));
	}
	return added;
}

/** Only the bare form, and quotes that the value does not hold, are read back as they were. */
function dotenvLine(variable: DotenvVariable): string {
	const { name, value } = variable;
	const forms = [value, ...["'", '`', '"'].map((quote) => quote + value + quote)];
	const lines = forms.map((form) => `${name}=${form}`);
	const line = lines.find((candidate) => isReadAs(candidate, variable));
	if (line === undefined) {
		throw new Error(l10n.t('{0} cannot be written into .env: it holds quotes of every kind.', name));
	}
	return line;
}

function isReadAs(line: string, { name, value }: DotenvVariable): boolean {
	// Tried between two other lines, so that a quote that is not closed shows.
	const read = parseEnv(`BEFORE=1\n${line}\nAFTER=1\n`);
	return read[name] === value && read.BEFORE === '1' && read.AFTER === '1' && Object.keys(read).length === 3;
}
