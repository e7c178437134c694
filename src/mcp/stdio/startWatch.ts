import { oneLine } from '../../common/text.ts';
import { foreignOutput } from '../connection/connectErrors.ts';
import type { ConnectOptions } from '../connection/connectOptions.ts';
import { tellingLine } from './tellingLine.ts';

type StartWatchOptions = Pick<ConnectOptions, 'limits' | 'redactor' | 'onForeign'>;

/** Characters of a line in a sentence. */
const lineLength = 120;
/** Latest lines among which the most telling is quoted. */
const keptLines = 30;

/** What a line of output, other than an MCP message, says about a process that has not answered yet. */
export type LineMeaning =
	/** It downloads, installs, builds or loads something, or waits for the user: the answer may take minutes. */
	| 'prepares'
	/** It listens on this machine, so it may speak MCP there. */
	| 'serves'
	| 'talks';

/** What the user is told about such a process. */
type Reported = Exclude<LineMeaning, 'prepares'> | 'silent';

const here = String.raw`(https?://)?(localhost|\d{1,3}(\.\d{1,3}){3}|\[?::1?\]?|\*|0)?:\d{2,5}\b|\bport(\(s\))?\W{1,3}\d{2,5}\b`;
const serves = new RegExp(
	String.raw`\b(listen(ing|s)?|running|serv(ing|er|ed)|start(ed|ing)|available|ready|local|url)\b.*(${here})`,
	'i',
);
/** Services that a server over stdio may have besides, and pages where the user signs in. */
const besides = /dashboard|metrics|debugger|inspector|websocket|ws:|health|proxy|viewer|callback/i;

const prepares: readonly RegExp[] = [
	// What runners of scripts and package managers say.
	/^[>$] |^yarn run v|^npm (warn|notice|info|http)\b|^(digest|status): |^go: |^[0-9a-f]{12}: /i,
	/\b(download|fetch|install|resolv|extract|unpack|compil|build|prepar|updat|collect|pull|verif|restor|clon|load|initiali[sz]|index|cach|progress)(s|ed|ing|es|e)?\b/i,
	/already satisfied|unable to find image|need to install/i,
	// A share, a bar or a size.
	/\d ?%|[█▏▎▍▌▋▊▉■━╸]|\b\d+(\.\d+)? ?[kmg]i?b\b/i,
	// The user's turn.
	/\b(auth\w*|oauth|log ?in|sign(ing)?[ -]?in|browser|visit(ing)?|wait(ing)?|press)\b/i,
];

export function meaningOf(line: string): LineMeaning {
	if (serves.test(line) && !besides.test(line)) return 'serves';
	return prepares.some((sign) => sign.test(line)) ? 'prepares' : 'talks';
}

/**
 * How long a start may take. The first start of a process may take minutes, because it may install what it runs: it is silent then, or says so. One
 * that is silent is named soon, and goes on. A process that says that it listens on a port, or goes on talking about other
 * things, has begun its work. It has a minute from then on.
 */
export class StartWatch {
	/** It is a process that has never answered. */
	readonly isFirst: boolean;
	readonly #options: StartWatchOptions;
	readonly #ending = new AbortController();
	readonly #begun = performance.now();
	readonly #mostMs: number;
	#timer: NodeJS.Timeout;
	#quiet: NodeJS.Timeout | undefined;
	/** Since the last report. */
	#lines: readonly string[] = [];
	#isOver = false;
	#talksSince: number | undefined;
	/** What was last reported about it, unless it has been withdrawn. */
	#reported: Reported | undefined;
	#elsewhere: string | undefined;

	constructor(isFirst: boolean, options: StartWatchOptions) {
		this.isFirst = isFirst;
		this.#options = options;
		const { connectMs, firstStartMs } = options.limits;
		this.#mostMs = isFirst ? Math.max(firstStartMs, connectMs) : connectMs;
		this.#timer = this.#endAfter(this.#mostMs);
		if (isFirst) this.#reportSilenceAfter('');
	}

	/** Aborts when the time is over. */
	get signal(): AbortSignal {
		return this.#ending.signal;
	}

	/** A sentence, if the process says that it listens on a port. */
	get elsewhere(): string | undefined {
		return this.#elsewhere;
	}

	/** Since the start. */
	get seconds(): number {
		return Math.round(this.#elapsedMs / 1000);
	}

	get #elapsedMs(): number {
		return performance.now() - this.#begun;
	}

	/** A line of output that is no message. */
	heard(stream: 'stdout' | 'stderr', text: string): void {
		if (!this.isFirst || this.#isOver || text.trim() === '') return;
		const line = oneLine(this.#options.redactor().hide(text), lineLength);
		const meaning = meaningOf(line);
		const { talkMs } = this.#options.limits;
		clearTimeout(this.#quiet);
		if (this.#elsewhere === undefined && (meaning === 'prepares' || this.#reported === 'silent'))
			this.#withdraw();
		if (meaning === 'serves' && this.#elsewhere === undefined) {
			this.#elsewhere = this.#report(line, meaning);
			clearTimeout(this.#timer);
			this.#timer = this.#endAfter(Math.min(talkMs, this.#mostMs - this.#elapsedMs));
		} else if (meaning === 'talks' && stream === 'stdout' && this.#reported === undefined) {
			this.#report(line, meaning);
		}
		this.#lines = [...this.#lines, line].slice(-keptLines);
		if (this.#reported === undefined) this.#reportSilenceAfter(tellingLine(this.#lines) ?? line);
		if (meaning === 'prepares') {
			this.#talksSince = undefined;
			return;
		}
		const now = performance.now();
		this.#talksSince ??= now;
		if (now - this.#talksSince >= talkMs) this.#ending.abort();
	}

	/** The start is over. */
	dispose(): void {
		this.#isOver = true;
		clearTimeout(this.#timer);
		clearTimeout(this.#quiet);
	}

	#withdraw(): void {
		if (this.#reported === undefined) return;
		this.#options.onForeign(undefined);
		this.#reported = undefined;
		this.#lines = [];
	}

	/** `line`: of its last output; empty: it has written nothing. */
	#reportSilenceAfter(line: string): void {
		this.#quiet = setTimeout(() => this.#report(line, 'silent'), this.#options.limits.quietMs);
	}

	#report(line: string, meaning: Reported): string {
		this.#reported = meaning;
		const foreign = foreignOutput(line, meaning, this.#options.limits.quietMs / 1000);
		this.#options.onForeign(foreign);
		return foreign;
	}

	#endAfter(ms: number): NodeJS.Timeout {
		return setTimeout(() => this.#ending.abort(), ms);
	}
}
