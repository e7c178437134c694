import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pacer } from '../../../src/vscode/pacer.ts';

describe('given changes come in bursts', () => {
	let runs = 0;
	let pacer: Pacer;
	beforeEach(() => {
		vi.useFakeTimers();
		runs = 0;
		pacer = new Pacer(() => runs++, 100);
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
