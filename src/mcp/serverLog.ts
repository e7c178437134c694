import type { Clock } from '../common/clock.ts';
import type { McpLimits } from './limits.ts';

/** The names are those of the methods of VS Code's log channels. */
export type ServerLogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
	readonly level: ServerLogLevel;
	readonly line: string;
}

export interface ServerLogOptions {
	readonly limits: Pick<McpLimits, 'logBytes' | 'logLinesPerSecond'>;
	readonly clock: Clock;
	/** Hides secrets, and removes invisible characters, which could split one. */
	readonly redact: (text: string) => string;
	readonly onLine: (entry: LogLine) => void;
}

/**
 * One server's log. Hides secrets, removes invisible characters and terminal escapes, forwards lines (only some of a flood), and keeps the
 * latest up to a total size.
 */
export class ServerLog {
	readonly #options: ServerLogOptions;
	/** Two halves of what is kept: when the newer one is full, the older one is dropped. */
	#older: readonly LogLine[] = [];
	#lines: LogLine[] = [];
	#bytes = 0;
	/** The present second, and how many lines it has had. */
	#second = 0;
	#linesThisSecond = 0;

	constructor(options: ServerLogOptions) {
		this.#options = options;
	}

	/** Oldest first. */
	get lines(): readonly LogLine[] {
		return [...this.#older, ...this.#lines].map((entry) => this.#redacted(entry));
	}

	write(level: ServerLogLevel, line: string): void {
		const { clock, limits, onLine } = this.#options;
		const entry = { level, line };
		const bytes = Buffer.byteLength(line) + 1;
		if (this.#bytes + bytes > limits.logBytes / 2) {
			this.#older = this.#lines;
			this.#lines = [];
			this.#bytes = 0;
		}
		this.#lines.push(entry);
		this.#bytes += bytes;
		const second = Math.floor(clock.now() / 1000);
		if (second !== this.#second) {
			this.#second = second;
			this.#linesThisSecond = 0;
		}
		this.#linesThisSecond += 1;
		if (this.#linesThisSecond <= limits.logLinesPerSecond) onLine(this.#redacted(entry));
		else if (this.#linesThisSecond === limits.logLinesPerSecond + 1)
			onLine({ level: 'warn', line: '… (more lines are not shown)' });
	}

	/** Hides secrets only in lines that are shown: most of a flood is not. */
	#redacted({ level, line }: LogLine): LogLine {
		return { level, line: this.#options.redact(line) };
	}
}

/** Maps MCP's levels, the eight of syslog, to ours. */
export function logLevelOf(level: unknown): ServerLogLevel {
	switch (level) {
		case 'debug':
			return 'debug';
		case 'warning':
			return 'warn';
		case 'error':
		case 'critical':
		case 'alert':
		case 'emergency':
			return 'error';
		default:
			return 'info';
	}
}
