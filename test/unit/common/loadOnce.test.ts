import { expect, test } from 'vitest';
import { loadOnce } from '../../../src/common/loadOnce.ts';

test('what is asked for is loaded once, and not before', async () => {
	let loads = 0;
	const get = loadOnce(async () => ++loads);
	expect(loads).toBe(0);
	expect(await Promise.all([get(), get()])).toEqual([1, 1]);
	expect(await get()).toBe(1);
});

test('what could not be loaded is asked for anew the next time', async () => {
	const answers = [Promise.reject(new Error('cannot be read')), Promise.resolve('loaded')];
	const get = loadOnce(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
	const both = await Promise.allSettled([get(), get()]);
	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await get()).toBe('loaded');
	expect(await get()).toBe('loaded');
});
