import type { Clock } from '../common/clock.ts';
import type { McpLimits } from './limits.ts';

/** The names are those of the methods of VS Code's log channels. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
	readonly level: LogLevel;
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
		return this.#lines.slice(this.#firstKept()).map((entry) => this.#shown(entry));
	}

	write(level: LogLevel, line: string): void {
		const { clock, limits, onLine } = this.#options;
		const entry = { level, line };
		this.#lines.push(entry);
		this.#bytes += size(entry);
		// Trimmed in steps: removing one line from a long array each time would move the array every time.
		if (this.#bytes > 1.25 * limits.logBytes) {
			this.#lines = this.#lines.slice(this.#firstKept());
			this.#bytes = this.#lines.reduce((sum, line) => sum + size(line), 0);
		}
		const second = Math.floor(clock.now() / 1000);
		if (second !== this.#second) {
			this.#second = second;
			this.#linesThisSecond = 0;
		}
		this.#linesThisSecond += 1;
		if (this.#linesThisSecond <= limits.logLinesPerSecond) onLine(this.#shown(entry));
		else if (this.#linesThisSecond === limits.logLinesPerSecond + 1)
			onLine({ level: 'warn', line: '… (more lines are not shown)' });
	}

	/** Hides secrets only in lines that are shown: most of a flood is not. */
	#shown({ level, line }: LogLine): LogLine {
		return { level, line: this.#options.redact(line) };
	}

	#firstKept(): number {
		let first = 0;
		for (let bytes = this.#bytes; bytes > this.#options.limits.logBytes; first += 1) {
			const line = this.#lines[first];
			if (!line) break;
			bytes -= size(line);
		}
		return first;
	}
}

function size(entry: LogLine): number {
	return Buffer.byteLength(entry.line) + 1;
}

/** Maps MCP's levels, the eight of syslog, to ours. */
export function logLevelOf(level: unknown): LogLevel {
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
