import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Debounce, Throttle } from '../../../../src/vscode/ui/throttle.ts';

describe('given changes come in bursts', () => {
	let runs = 0;
	let pacer: Throttle;
	beforeEach(() => {
		vi.useFakeTimers();
		runs = 0;
		pacer = new Throttle(() => runs++, 100);
	});
	afterEach(() => vi.useRealTimers());

	test('when they go on and on, then they are followed, and not once each', () => {
		for (let ms = 0; ms < 1000; ms += 10) {
			pacer.request();
			vi.advanceTimersByTime(10);
		}
		expect(runs).toBe(10);
	});

	test('when they end, then the last one is not missed', () => {
		pacer.request();
		vi.advanceTimersByTime(100);
		pacer.request();
		vi.advanceTimersByTime(1000);
		expect(runs).toBe(2);
	});

	test('when the view is gone, then nothing is drawn any more', () => {
		pacer.request();
		pacer.dispose();
		vi.advanceTimersByTime(1000);
		expect(runs).toBe(0);
	});
});

describe('given several files are typed in at once', () => {
	const runs: string[] = [];
	const typed = (waits: Debounce, file: string) => waits.request(file, () => runs.push(file));
	beforeEach(() => {
		vi.useFakeTimers();
		runs.length = 0;
	});
	afterEach(() => vi.useRealTimers());

	test('when one follows the other, then each has its own wait, from its own last key', () => {
		const waits = new Debounce(250);
		typed(waits, 'a');
		vi.advanceTimersByTime(100);
		typed(waits, 'b');
		typed(waits, 'a');
		vi.advanceTimersByTime(249);
		expect(runs).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(runs).toEqual(['b', 'a']);
	});

	test('when they are done with, then nothing runs any more', () => {
		const waits = new Debounce(250);
		typed(waits, 'a');
		typed(waits, 'b');
		waits.dispose();
		vi.advanceTimersByTime(1000);
		expect(runs).toEqual([]);
	});
});
