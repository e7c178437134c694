import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Debounce, Throttle } from '../../../../src/vscode/ui/throttle.ts';

describe('given a throttled function and bursts of changes', () => {
	let runs = 0;
	let pacer: Throttle;
	beforeEach(() => {
		vi.useFakeTimers();
		runs = 0;
		pacer = new Throttle(() => runs++, 100);
	});
	afterEach(() => vi.useRealTimers());

	test('when the changes continue, then the function runs once per interval', () => {
		for (let ms = 0; ms < 1000; ms += 10) {
			pacer.request();
			vi.advanceTimersByTime(10);
		}
		expect(runs).toBe(10);
	});

	test('when the changes end, then the function runs for the last change', () => {
		pacer.request();
		vi.advanceTimersByTime(100);
		pacer.request();
		vi.advanceTimersByTime(1000);
		expect(runs).toBe(2);
	});

	test('when the throttle is disposed, then the function does not run', () => {
		pacer.request();
		pacer.dispose();
		vi.advanceTimersByTime(1000);
		expect(runs).toBe(0);
	});
});

describe('given debounced changes of several files', () => {
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

	test('when the debounce is disposed, then no function runs', () => {
		const waits = new Debounce(250);
		typed(waits, 'a');
		typed(waits, 'b');
		waits.dispose();
		vi.advanceTimersByTime(1000);
		expect(runs).toEqual([]);
	});
});
