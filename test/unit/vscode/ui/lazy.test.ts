import { expect, test } from 'vitest';
import { Lazy } from '../../../../src/vscode/ui/lazy.ts';

test('what is asked for is loaded once, and not before', async () => {
	let loads = 0;
	const lazy = new Lazy(async () => ++loads);
	expect(loads).toBe(0);
	expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1]);
	expect(await lazy.get()).toBe(1);
});

test('what could not be loaded is asked for anew the next time', async () => {
	const answers = [Promise.reject(new Error('cannot be read')), Promise.resolve('loaded')];
	const lazy = new Lazy(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
	const both = await Promise.allSettled([lazy.get(), lazy.get()]);
	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await lazy.get()).toBe('loaded');
	expect(await lazy.get()).toBe('loaded');
});

test('what was loaded is disposed of, also when it comes later; what never was is not loaded for that', async () => {
	let [loads, disposed] = [0, 0];
	const load = async () => {
		loads++;
		return { dispose: () => void disposed++ };
	};
	new Lazy(load).dispose();
	expect(loads).toBe(0);
	const lazy = new Lazy(load);
	const loading = lazy.get();
	lazy.dispose();
	await loading;
	expect([loads, disposed]).toEqual([1, 1]);
});
