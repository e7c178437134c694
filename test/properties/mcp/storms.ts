import { assertNever } from '../../../src/common/assertNever.ts';
import type { StdioLaunch } from '../../../src/config/servers/launch.ts';
import type { ServerPool } from '../../../src/mcp/serverPool.ts';

export const stormNames = ['one', 'two', 'three', 'four'] as const;

type Operation =
	| 'start'
	| 'stop'
	| 'restart'
	| 'change'
	| 'approve'
	| 'withdraw'
	| 'remove'
	| 'call'
	| 'refresh'
	| 'kill';

/** Starts are more frequent than ends, because otherwise most operations would find no running server. */
const operations: readonly Operation[] = [
	...(['start', 'start', 'restart', 'restart', 'call', 'stop', 'stop', 'change'] as const),
	...(['approve', 'approve', 'withdraw', 'remove', 'refresh', 'kill'] as const),
];

/** Random numbers that are the same from run to run: see `bench/random.ts`. */
interface Random {
	next(): number;
	pick<T>(list: readonly T[]): T;
}

/** Every operation on a pool, in random order, without waiting for any of them. */
export class Storm {
	readonly #pool: ServerPool;
	readonly #random: Random;
	readonly #launchOf: (name: string, version: number) => StdioLaunch;
	readonly #kill: (name: string) => void;
	readonly #versions = new Map<string, number>(stormNames.map((name) => [name, 0]));
	readonly #approved = new Set<string>(stormNames);
	readonly #removed = new Set<string>();
	/** What the pool was asked; each promise settles. */
	readonly asked: Promise<unknown>[] = [];
	#disposed: Promise<void> | undefined;

	constructor(
		pool: ServerPool,
		random: Random,
		parts: {
			readonly launchOf: (name: string, version: number) => StdioLaunch;
			readonly kill: (name: string) => void;
		},
	) {
		this.#pool = pool;
		this.#random = random;
		this.#launchOf = parts.launchOf;
		this.#kill = parts.kill;
		this.#apply();
	}

	/** Whether this version of a server may run at this moment. */
	mayRun(name: string, version: number): boolean {
		return (
			this.#disposed === undefined &&
			this.#approved.has(name) &&
			!this.#removed.has(name) &&
			this.#versions.get(name) === version
		);
	}

	/** Performs one more operation on some server. */
	blow(): void {
		const name = this.#random.pick(stormNames);
		const operation = this.#random.pick(operations);
		switch (operation) {
			case 'start':
			case 'stop':
			case 'restart':
				this.#ask(this.#pool[operation](name));
				break;
			case 'call':
				this.#ask(this.#pool.callTool(name, 'tool', {}));
				break;
			case 'refresh':
				this.#ask(this.#pool.refresh());
				break;
			case 'kill':
				this.#kill(name);
				break;
			case 'change':
				this.#versions.set(name, (this.#versions.get(name) ?? 0) + 1);
				this.#apply();
				break;
			case 'remove':
				if (!this.#removed.delete(name)) this.#removed.add(name);
				this.#apply();
				break;
			case 'approve':
				this.#approved.add(name);
				this.#apply();
				break;
			case 'withdraw':
				this.#approved.delete(name);
				// The pool may be told later: until then it must ask.
				if (this.#random.next() < 0.5) this.#apply();
				break;
			default:
				assertNever(operation);
		}
	}

	/** Disposes the pool. Later requests must change nothing. */
	dispose(): Promise<void> {
		this.#disposed ??= this.#pool.dispose();
		return this.#disposed;
	}

	#ask(answer: Promise<unknown>): void {
		this.asked.push(answer.catch((error: unknown) => error));
	}

	#apply(): void {
		const names = stormNames.filter((name) => !this.#removed.has(name));
		this.#pool.setLaunches(
			new Map(names.map((name) => [name, this.#launchOf(name, this.#versions.get(name) ?? 0)])),
			{ isApproved: (name) => this.#approved.has(name) },
		);
	}
}
