import type { Node } from 'jsonc-parser';
import { LineIndex, type Path, type Position, pathText, type Span, spanOf } from './jsonPath.ts';

// Three words for what is wrong: an issue is what zod finds in a value, a `Fault` stands at an offset of the text, and a `ConfigProblem`,
// which all other rooms see, at lines and columns.

/** How serious a fault of the configuration is: `error`, something is off because of it; `warning`, all works. */
export type ProblemSeverity = 'error' | 'warning';

/** A fault of the configuration file, at its place. */
export interface ConfigProblem {
	readonly severity: ProblemSeverity;
	/** Names the place and says what to do, e.g. `servers.weather.command: expected a string`. */
	readonly message: string;
	/** Keys from the root, e.g. `['servers', 'weather', 'command']`. */
	readonly path: readonly (string | number)[];
	/** Absent where there is nothing to do about it but to read the message. */
	readonly reason?: FaultReason;
	readonly start: Position;
	readonly end: Position;
}

/**
 * The kind of a fault, where a quick fix can do something about it. Fixes depend on this and on the fault's place, never on the message. It
 * holds no values of free form, since they may be secrets; fixes find those at the place.
 */
export type FaultReason =
	/** The file has nothing but spaces and comments. */
	| { readonly kind: 'empty-file' }
	/** Told by every parser of JSON, the editor's own, too. `offset`: where it goes wrong. */
	| { readonly kind: 'syntax'; readonly offset: number }
	/** `offset`: of the name that is ignored. The editor's own parser tells that, too. */
	| { readonly kind: 'doubled-key'; readonly offset: number }
	/** A key of the file's own. `known`: those that are possible there. */
	| { readonly kind: 'unknown-key'; readonly known: readonly string[] }
	| { readonly kind: 'missing-key'; readonly key: string }
	/** Has no effect where it stands. */
	| { readonly kind: 'useless-key' }
	| { readonly kind: 'wrong-type'; readonly expected: string }
	| { readonly kind: 'not-one-of'; readonly values: readonly (string | boolean)[] }
	/** `nearest`: the bound that it is beyond. */
	| { readonly kind: 'out-of-range'; readonly nearest: number }
	/** A name that should be one of those that the file defines. */
	| { readonly kind: 'no-client'; readonly names: readonly string[] }
	| { readonly kind: 'no-server'; readonly names: readonly string[] }
	/** A tool that its server does not have. `names`: those that it has. */
	| { readonly kind: 'no-tool'; readonly names: readonly string[] }
	/** `names`: of the templates that there are. */
	| { readonly kind: 'no-template'; readonly names: readonly string[] }
	/** A folder that is not there. */
	| { readonly kind: 'no-folder' }
	| { readonly kind: 'server-name' }
	/** Neither `command` nor `url`. */
	| { readonly kind: 'no-launch' }
	/** Both of them. */
	| { readonly kind: 'two-launches' }
	| { readonly kind: 'command-line' }
	| { readonly kind: 'unset-variable'; readonly name: string }
	/** `meant`: the known variable that was probably meant, without `${` and `}`. */
	| { readonly kind: 'unknown-variable'; readonly variable: string; readonly meant: string | undefined }
	| { readonly kind: 'literal-key' }
	| { readonly kind: 'unencrypted' }
	/** Line breaks and the like, which can be taken out of the text. */
	| { readonly kind: 'control-characters' }
	/** A variable that need not be there. */
	| { readonly kind: 'hijacking-variable' }
	| { readonly kind: 'credentials' }
	/** An address that ends in what is added to it anyway. */
	| { readonly kind: 'added-path'; readonly path: string };

/**
 * Most problems of one severity that one file reports: a file of 100,000 mistakes must not fill the editor nor cost seconds, and many
 * warnings must not hide an error.
 */
const maxProblems = 200;

/** A fault that knows its stretch of the text, before it has a line and a column. */
export interface Fault extends Span {
	readonly severity: ProblemSeverity;
	readonly message: string;
	readonly path: Path;
	readonly reason?: FaultReason;
}

/** The message, or how to make it: the nearest name is not looked for where nobody will read it. */
type Message = string | (() => string);

/** Which part of an entry is marked, and what there is to do about it. */
type Details = 'key' | { readonly part?: 'key'; readonly reason: FaultReason };

/** Marks the name of what has no effect where it stands. */
export const uselessKey = { part: 'key', reason: { kind: 'useless-key' } } as const;

/** Collects the problems of one file and gives each its place. */
export class ProblemReport {
	readonly #root: Node | undefined;
	readonly #lines: LineIndex;
	readonly #problems: ConfigProblem[] = [];
	readonly #counts = { error: 0, warning: 0 };
	/**
	 * The places of errors, by entry, also of those beyond {@link maxProblems}: a faulty entry must be off even where its error is not
	 * listed.
	 */
	readonly #errorPaths = new Map<string, Path[]>();

	constructor(text: string, root: Node | undefined, faults: readonly Fault[]) {
		this.#root = root;
		this.#lines = new LineIndex(text);
		for (const fault of faults) this.#add(fault, fault.message);
	}

	/** In the order of the file. */
	get problems(): readonly ConfigProblem[] {
		return this.#problems.toSorted(
			(a, b) => a.start.line - b.start.line || a.start.character - b.start.character,
		);
	}

	/** Something is off because of this. `message` is called only if it is listed; `key` marks the name, else the value is marked. */
	error(path: Path, message: Message, details?: Details): void {
		this.#place('error', path, message, details);
	}

	/** All works, but hardly as it was meant. */
	warning(path: Path, message: Message, details?: Details): void {
		this.#place('warning', path, message, details);
	}

	/** True if an error was reported in an entry of a section, leaving out those inside one of its keys `except`. */
	hasErrorIn(entry: readonly [section: string, name: string], except: readonly string[] = []): boolean {
		const errors = this.#errorPaths.get(entryKey(entry)) ?? [];
		return errors.some((path) => !except.includes(String(path[2] ?? '')));
	}

	/** True if an error was reported at this very place, or inside of it. */
	hasErrorAt(place: Path): boolean {
		const errors = this.#errorPaths.get(entryKey(place)) ?? [];
		return errors.some((path) => place.every((key, index) => path[index] === key));
	}

	#place(severity: ProblemSeverity, path: Path, message: Message, details?: Details): void {
		if (severity === 'error') this.#rememberError(path);
		if (this.#isFull(severity)) return;
		const { part, reason } = typeof details === 'object' ? details : { part: details };
		const span = this.#root ? spanOf(this.#root, path, part ?? 'value') : { offset: 0, length: 0 };
		const text = typeof message === 'string' ? message : message();
		const place = pathText(path);
		this.#add(
			{ severity, path, ...span, ...(reason && { reason }) },
			place === '' ? text : `${place}: ${text}`,
		);
	}

	#isFull(severity: ProblemSeverity): boolean {
		return this.#counts[severity] >= maxProblems;
	}

	#rememberError(path: Path): void {
		const key = entryKey(path);
		const errors = this.#errorPaths.get(key);
		if (errors) errors.push(path);
		else this.#errorPaths.set(key, [path]);
	}

	#add({ severity, path, reason, offset, length }: Omit<Fault, 'message'>, message: string): void {
		if (this.#isFull(severity)) return;
		this.#counts[severity]++;
		const start = this.#lines.positionAt(offset);
		const end = this.#lines.positionAt(offset + length);
		this.#problems.push({ severity, message, path, ...(reason && { reason }), start, end });
	}
}

function entryKey([section, name]: Path): string {
	return JSON.stringify([section, name]);
}
