import { expect } from 'vitest';

const short = 3_125;
const long = 8 * short;
const runs = 3;

/**
 * Fails if reading a text that repeats `part` takes out of proportion longer for 25,000 characters than for an eighth of them: quadratic
 * work would take 64 times as long. Counts this thread's CPU time, as the programs beside it may keep it waiting; each length runs three
 * times in turn and its shortest time counts.
 */
export function expectLinear(part: string, read: (text: string) => unknown): void {
	const texts = [short, long].map((length) => part.repeat(Math.ceil(length / part.length)).slice(0, length));
	const times = texts.map(() => Number.POSITIVE_INFINITY);
	for (let run = 0; run < runs; run++) {
		for (const [i, text] of texts.entries())
			times[i] = Math.min(
				times[i] ?? 0,
				cpuTime(() => read(text)),
			);
	}
	const [ofShort = 0, ofLong = 0] = times;
	expect(ofLong, JSON.stringify(part)).toBeLessThan(30 * Math.max(ofShort, 2));
}

/** In milliseconds. */
function cpuTime(work: () => unknown): number {
	const before = process.threadCpuUsage();
	work();
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1_000;
}
