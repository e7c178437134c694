import type { TimelineEntry, TimelineEvent } from '../../../../src/discovery/session/timeline.ts';

/** Names as an entry has them. */
export function namedTools(...all: readonly string[]) {
	return { names: all, count: all.length };
}

/** Some happenings, a second apart, the first at noon. */
export function happened(...happenings: readonly TimelineEvent[]): readonly TimelineEntry[] {
	let turn = 0;
	return happenings.map((one, i) => {
		if (one.kind === 'turn') turn++;
		return { at: Date.UTC(2026, 0, 2, 12, 0, i), turn, ...one };
	});
}

/** What a message starts. */
export function turn(message: string): TimelineEvent {
	return { kind: 'turn', model: 'gpt-4.1', message };
}

/** A request that sends so many of 10,000 tokens. */
export function request(tokens: number): TimelineEvent {
	return { kind: 'request', tools: 3, tokens, everyToolTokens: 10_000 };
}

export function load(...tools: readonly string[]): TimelineEvent {
	return { kind: 'load', tools: namedTools(...tools), reason: 'search', words: 'read a file' };
}
