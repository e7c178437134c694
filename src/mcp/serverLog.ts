import type { Clock } from '../common/clock.ts';
import { visible } from '../common/text.ts';
import type { McpLimits } from './limits.ts';

/** How much a line of a log matters; the names are those of the methods of the editor's log channels. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
	readonly level: LogLevel;
	readonly line: string;
}

export interface ServerLogOptions {
	readonly limits: Pick<McpLimits, 'logBytes' | 'logLinesPerSecond'>;
	readonly clock: Clock;
	readonly redact: (text: string) => string;
	readonly onLine: (entry: LogLine) => void;
}

/** One server's log: takes out what is invisible, terminal escapes too, hides its secrets, passes lines on (of a flood only some), and keeps the latest, by total size. */
export class ServerLog {
	readonly #options: ServerLogOptions;
	readonly #maxBytes: number;
	#lines: LogLine[] = [];
	#bytes = 0;
	/** The second that lines are being counted in, and how many of them there were. */
	#second = 0;
	#linesThisSecond = 0;

	constructor(options: ServerLogOptions) {
		this.#options = options;
		this.#maxBytes = options.limits.logBytes;
	}

	/** Oldest first. */
	get lines(): readonly LogLine[] {
		return this.#lines.slice(this.#firstKept()).map((entry) => this.#shown(entry));
	}

	write(level: LogLevel, line: string): void {
		const entry = { level, line };
		this.#keep(entry);
		this.#pass(entry);
	}

	/** Only what is seen is looked at for secrets: of a flood most is not. */
	#shown({ level, line }: LogLine): LogLine {
		// First, or a secret with something invisible in its middle would not be known for one.
		return { level, line: this.#options.redact(visible(line)) };
	}

	#pass(entry: LogLine): void {
		const { clock, limits, onLine } = this.#options;
		const second = Math.floor(clock.now() / 1000);
		if (second !== this.#second) {
			this.#second = second;
			this.#linesThisSecond = 0;
		}
		this.#linesThisSecond += 1;
		if (this.#linesThisSecond <= limits.logLinesPerSecond) onLine(this.#shown(entry));
		else if (this.#linesThisSecond === limits.logLinesPerSecond + 1)
			onLine({ level: 'warn', line: '… (more lines than are shown)' });
	}

	#keep(entry: LogLine): void {
		this.#lines.push(entry);
		this.#bytes += size(entry);
		// Trimmed in steps: taking one line off a long array for each that comes would move the array every time.
		if (this.#bytes > 1.25 * this.#maxBytes) {
			this.#lines = this.#lines.slice(this.#firstKept());
			this.#bytes = this.#lines.reduce((sum, line) => sum + size(line), 0);
		}
	}

	#firstKept(): number {
		let first = 0;
		for (let bytes = this.#bytes; bytes > this.#maxBytes; first += 1) {
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

/** Our level for one of MCP's, which are the eight of syslog. */
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
