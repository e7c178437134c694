import { describe, expect, test } from 'vitest';
import { SharedWork } from '../../../src/common/sharedWork.ts';

function sharedByTwo() {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const seen: { signal?: AbortSignal } = {};
	const work = new SharedWork((signal) => {
		seen.signal = signal;
		signal.addEventListener('abort', () => reject(signal.reason));
		return promise;
	});
	const [one, two] = [new AbortController(), new AbortController()];
	return { work, resolve, seen, one, two, waits: [work.wait(one.signal), work.wait(two.signal)] as const };
}

describe('given two callers who share work', () => {
	test('then the one who cancels leaves at once, and the other one gets the result', async () => {
		const { one, waits, resolve, seen } = sharedByTwo();
		one.abort(new Error('enough'));
		await expect(waits[0]).rejects.toThrow('enough');
		expect(seen.signal?.aborted).toBe(false);
		resolve('done');
		await expect(waits[1]).resolves.toBe('done');
	});

	test('then the work is cancelled when both have cancelled', async () => {
		const { work, one, two, waits, seen } = sharedByTwo();
		one.abort(new Error('first'));
		two.abort(new Error('second'));
		await expect(waits[0]).rejects.toThrow('first');
		await expect(waits[1]).rejects.toThrow('second');
		expect(seen.signal?.aborted).toBe(true);
		expect(work.isAbandoned).toBe(true);
	});

	test('then a failure reaches both', async () => {
		const work = new SharedWork(() => Promise.reject(new Error('no network')));
		const waits = [1, 2].map(() => work.wait(new AbortController().signal));
		for (const wait of waits) await expect(wait).rejects.toThrow('no network');
		expect(work.isAbandoned).toBe(false);
	});
});
