import { expect, test } from 'vitest';
import { loadOnce } from '../../../src/common/loadOnce.ts';

test('a value is loaded once, on the first request', async () => {
	let loads = 0;
	const get = loadOnce(async () => ++loads);
	expect(loads).toBe(0);
	expect(await Promise.all([get(), get()])).toEqual([1, 1]);
	expect(await get()).toBe(1);
});

test('a value that failed to load is loaded again on the next request', async () => {
	const answers = [Promise.reject(new Error('cannot be read')), Promise.resolve('loaded')];
	const get = loadOnce(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
	const both = await Promise.allSettled([get(), get()]);
	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await get()).toBe('loaded');
	expect(await get()).toBe('loaded');
});
