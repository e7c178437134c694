import type { Node } from 'jsonc-parser';
import { LineIndex, type Path, type Position, pathText, type Span, spanOf } from './jsonPath.ts';

// Three terms: zod finds an *issue* in a value, a `Fault` is at an offset of the text, and a `ConfigProblem`, which other rooms see, has
// lines and columns.

/** `error`: something is off because of it; `warning`: everything works. */
export type ProblemSeverity = 'error' | 'warning';

/** A fault of the configuration file, at its position. */
export interface ConfigProblem {
	readonly severity: ProblemSeverity;
	/** Names the place and what to do, such as `servers.weather.command: expected a string`. */
	readonly message: string;
	/** Keys from the root, such as `['servers', 'weather', 'command']`. */
	readonly path: readonly (string | number)[];
	/** Absent if nothing can be done automatically. */
	readonly reason?: FaultReason;
	readonly start: Position;
	readonly end: Position;
}

/**
 * The kind of a fault that VS Code marks itself or that a quick fix can handle. Fixes depend on this and on the fault's position, never on
 * the message. It contains no free-form values, which may be secrets; fixes read those from the file.
 */
export type FaultReason =
	/** VS Code's JSON parser reports this too. */
	| { readonly kind: 'syntax' }
	/** VS Code's JSON parser reports this too. */
	| { readonly kind: 'doubled-key' }
	/** `knownKeys`: the possible keys. */
	| { readonly kind: 'unknown-key'; readonly knownKeys: readonly string[] }
	| { readonly kind: 'wrong-type'; readonly expected: string }
	| { readonly kind: 'command-line' }
	| { readonly kind: 'unset-variable'; readonly name: string }
	| { readonly kind: 'literal-key' }
	/** A user name or password in an address. */
	| { readonly kind: 'credentials' };

/**
 * Most problems of one severity per file: 100,000 mistakes must not flood the editor or cost seconds, and warnings must not displace
 * errors.
 */
const maxProblems = 200;

/** A fault with its position in the text, before it has a line and a column. */
export interface Fault extends Span {
	readonly severity: ProblemSeverity;
	readonly message: string;
	readonly path: Path;
	readonly reason?: FaultReason;
}

/** The message, or a function that makes it: the nearest name is not computed if nobody will read it. */
type Message = string | (() => string);

/** Which part of an entry to mark; the value unless it says otherwise. */
type Part = 'key' | 'value';

type Details = Part | { readonly part?: Part; readonly reason: FaultReason };

/** Collects the problems of one file and locates them. */
export class ProblemReport {
	readonly #root: Node | undefined;
	readonly #lines: LineIndex;
	readonly #problems: ConfigProblem[] = [];
	readonly #counts = { error: 0, warning: 0 };
	/** Paths of errors by entry, including those beyond {@link maxProblems}: a faulty entry is off even if its error is not listed. */
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

	/** Something is off because of this. `message` is called only if the problem is listed; `key` marks the name instead of the value. */
	error(path: Path, message: Message, details?: Details): void {
		this.#place('error', path, message, details);
	}

	/** Everything works, but this looks like a mistake. */
	warning(path: Path, message: Message, details?: Details): void {
		this.#place('warning', path, message, details);
	}

	/** Whether an error was reported at or inside this path, not counting those inside one of its keys `except`. */
	hasErrorAt(place: Path, except: readonly string[] = []): boolean {
		const errors = this.#errorPaths.get(entryKey(place)) ?? [];
		return errors.some(
			(path) =>
				place.every((key, index) => path[index] === key) &&
				!except.includes(String(path[place.length] ?? '')),
		);
	}

	#place(severity: ProblemSeverity, path: Path, message: Message, details?: Details): void {
		if (severity === 'error') {
			const errors = this.#errorPaths.get(entryKey(path)) ?? [];
			this.#errorPaths.set(entryKey(path), errors);
			errors.push(path);
		}
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
