import { describe, expect, test } from 'vitest';
import { afterUndoing, inOrder, type Step } from '../../../src/common/steps.ts';

/** A place with things in it, and steps that put something there. `broken`: those that cannot be put there or taken away. */
function shelf(...broken: string[]) {
	const things: string[] = [];
	const asked: string[] = [];
	const change = (thing: string, isPut: boolean): Step => ({
		check: async () => void asked.push(thing),
		take: async () => {
			const name = isPut ? thing : `-${thing}`;
			if (broken.includes(name)) throw new Error(`${name} fails.`);
			if (isPut) things.push(thing);
			else things.splice(things.indexOf(thing), 1);
			return change(thing, !isPut);
		},
	});
	return { things, asked, put: (thing: string) => change(thing, true) };
}

describe('steps in order', () => {
	test('are all checked before the first is taken, and can be taken back and taken again', async () => {
		const { things, asked, put } = shelf();
		const back = await inOrder([put('a'), put('b'), put('c')]).take();
		expect([things, asked]).toEqual([
			['a', 'b', 'c'],
			['a', 'b', 'c'],
		]);
		const again = await back.take();
		expect(things).toEqual([]);
		await again.take();
		expect(things).toEqual(['a', 'b', 'c']);
	});

	test('when a check fails, then no step is taken', async () => {
		const { things, put } = shelf();
		const refused: Step = { ...put('b'), check: () => Promise.reject(new Error('not now')) };
		await expect(inOrder([put('a'), refused]).take()).rejects.toThrow('not now');
		expect(things).toEqual([]);
	});

	test.each(['a', 'b', 'c'])('when %s fails, then the others are taken back', async (faulty) => {
		const { things, put } = shelf(faulty);
		await expect(inOrder([put('a'), put('b'), put('c')]).take()).rejects.toThrow(`${faulty} fails.`);
		expect(things).toEqual([]);
	});

	test.each(['-a', '-b', '-c'])(
		'when %s fails on the way back, then nothing is taken back',
		async (faulty) => {
			const { things, put } = shelf(faulty);
			const back = await inOrder([put('a'), put('b'), put('c')]).take();
			await expect(back.take()).rejects.toThrow(`${faulty} fails.`);
			expect(things.toSorted()).toEqual(['a', 'b', 'c']);
		},
	);

	test('when one cannot be taken back either, then both errors are told, and the others are still taken back', async () => {
		const { things, put } = shelf('c', '-b');
		const error = await inOrder([put('a'), put('b'), put('c')])
			.take()
			.catch((one: unknown) => one);
		expect(error).toMatchObject({
			message: 'c fails. What was already changed could not be undone: -b fails.',
			cause: { message: 'c fails.' },
			errors: [{ message: 'c fails.' }, { message: '-b fails.' }],
		});
		expect(things).toEqual(['b']);
	});
});

test('what is no error is told, too', async () => {
	const step: Step = { take: () => Promise.reject('locked') };
	await expect(afterUndoing('full', [step])).rejects.toThrow(/^full .* locked$/);
});
