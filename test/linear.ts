import { expect } from 'vitest';

const short = 6_250;
const long = 8 * short;
const runs = 3;

/**
 * Fails if reading a text that repeats `part` takes out of proportion longer for 50,000 characters than for an eighth of them: quadratic
 * work would take 64 times as long. Each length is timed three times and the shortest counts, so that a busy machine changes little.
 */
export function expectLinear(part: string, read: (text: string) => unknown): void {
	const timeOf = (length: number) => {
		const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
		const times = Array.from({ length: runs }, () => {
			const started = performance.now();
			read(text);
			return performance.now() - started;
		});
		return Math.min(...times);
	};
	const [ofShort, ofLong] = [timeOf(short), timeOf(long)];
	expect(ofLong, JSON.stringify(part)).toBeLessThan(30 * Math.max(ofShort, 2));
}
