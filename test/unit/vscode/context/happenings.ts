import type { Happening, TimelineEntry } from '../../../../src/discovery/session/journal.ts';

/** Names as an entry has them. */
export function namedTools(...all: readonly string[]) {
	return { names: all, count: all.length };
}

/** Some happenings, a second apart, the first at noon. */
export function happened(...happenings: readonly Happening[]): readonly TimelineEntry[] {
	return happenings.map((one, i) => ({ at: Date.UTC(2026, 0, 2, 12, 0, i), ...one }));
}

/** What a message starts. */
export function turn(message: string): Happening {
	return { kind: 'turn', model: 'gpt-4.1', message };
}

/** A request that sends so many of 10,000 tokens. */
export function request(tokens: number): Happening {
	return { kind: 'request', tools: 3, tokens, everyToolTokens: 10_000 };
}

export function load(...tools: readonly string[]): Happening {
	return { kind: 'load', tools: namedTools(...tools), reason: 'search', words: 'read a file' };
}
