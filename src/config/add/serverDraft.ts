import { isRecord, type JsonRecord } from '../../common/json.ts';
import type { Path } from '../file/jsonPath.ts';
import type { ImportSource, NameSyntax } from '../import/importSources.ts';
import type { SignInEntry } from '../salvage.ts';

/**
 * A server found in a text of any format: the result of every reader. Its texts may still contain the other program's variables, secrets,
 * and `${input:id}` for values that the user provides.
 */
export interface ServerDraft {
	readonly name: string;
	readonly entry: ServerJson;
	/** The inputs for `${input:id}`, by id. */
	readonly inputs: ReadonlyMap<string, DraftInput>;
	/** What the user should know: sentences that name keys, never values. */
	readonly notes: readonly string[];
	readonly source: ImportSource;
	/** How its program writes environment variables. */
	readonly names: NameSyntax;
	/** The name of a file with variables; see `withEnvFile`. */
	readonly envFile?: string;
}

/** An entry as it goes into our `servers` section: a process or a remote server. */
export type ServerJson = Readonly<{
	command?: string;
	args?: readonly string[];
	env?: Readonly<Record<string, string>>;
	inherit_env?: readonly string[];
	cwd?: string;
	url?: string;
	transport?: 'sse';
	headers?: Readonly<Record<string, string>>;
	oauth?: SignInEntry;
	defer_loading: true;
	disabled?: true;
	enabled_tools?: readonly string[];
	tools?: Readonly<Record<string, { readonly disabled: true }>>;
}>;

/** A value to ask for. */
export interface DraftInput {
	readonly description?: string;
	/** The allowed values; absent: any text. */
	readonly options?: readonly { readonly value: string; readonly label?: string }[];
	readonly default?: string;
	/** It names something on this machine, which can be selected in a dialog. */
	readonly path?: 'file' | 'folder';
	/** It is hidden while typed, goes to secret storage, and is never shown. */
	readonly password: boolean;
	/** It may be left out, together with the argument that contains it. */
	readonly optional?: true;
}

/** What was found in a text: each server once, in order. */
export interface Drafts {
	readonly servers: readonly ServerDraft[];
	/** What could not be read, as sentences without values from the text. */
	readonly faults: readonly string[];
	/** Set if the text is not a server, but could be a package's name. */
	readonly words?: string;
	/** The text only installs these servers: in a readme, another part says how to run them. */
	readonly isGuess?: true;
	/** The text was read, and defines no server at all: the fault only says so. */
	readonly isEmpty?: true;
}

/** Parts of an entry with texts that may contain variables and secrets. */
const textKeys = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'oauth'] as const;

/** Changes each text of an entry; `path`: keys from the entry, such as `['args', 1]`. */
export function mapTexts<E extends JsonRecord>(entry: E, change: (text: string, path: Path) => string): E {
	const mapped = (value: unknown, path: Path): unknown => {
		if (typeof value === 'string') return change(value, path);
		if (Array.isArray(value)) return value.map((item, index) => mapped(item, [...path, index]));
		if (!isRecord(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, item]) => [key, mapped(item, [...path, key])]),
		);
	};
	const parts = textKeys.filter((key) => key in entry).map((key) => [key, mapped(entry[key], [key])]);
	return { ...entry, ...Object.fromEntries(parts) };
}

/** All texts of an entry that may contain variables and secrets. */
export function textsIn(entry: ServerJson): readonly string[] {
	const texts: string[] = [];
	mapTexts(entry, (text) => {
		texts.push(text);
		return text;
	});
	return texts;
}

/** A command line or address as one line. */
export function launchText(
	{ command = '', args = [], url }: ServerJson,
	format: (word: string) => string = shellWord,
): string {
	return url === undefined ? [command, ...args].map(format).join(' ') : format(url);
}

function shellWord(word: string): string {
	return /^[^\s"']+$/.test(word) ? word : JSON.stringify(word);
}
