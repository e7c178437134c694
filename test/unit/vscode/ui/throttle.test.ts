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

	test('when they continue, then it runs once per interval', () => {
		for (let ms = 0; ms < 1000; ms += 10) {
			pacer.request();
			vi.advanceTimersByTime(10);
		}
		expect(runs).toBe(10);
	});

	test('when they end, then it runs for the last one', () => {
		pacer.request();
		vi.advanceTimersByTime(100);
		pacer.request();
		vi.advanceTimersByTime(1000);
		expect(runs).toBe(2);
	});

	test('when it is disposed, then it does not run', () => {
		pacer.request();
		pacer.dispose();
		vi.advanceTimersByTime(1000);
		expect(runs).toBe(0);
	});
});

describe('given changes of several files', () => {
	const runs: string[] = [];
	const typed = (waits: Debounce, file: string) => waits.request(file, () => runs.push(file));
	beforeEach(() => {
		vi.useFakeTimers();
		runs.length = 0;
	});
	afterEach(() => vi.useRealTimers());

	test('then each file has its own delay, counted from its own last change', () => {
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

	test('when it is disposed, then nothing runs', () => {
		const waits = new Debounce(250);
		typed(waits, 'a');
		typed(waits, 'b');
		waits.dispose();
		vi.advanceTimersByTime(1000);
		expect(runs).toEqual([]);
	});
});
