import { expect, test } from 'vitest';
import { CallsUnderway } from '../../../../src/vscode/participant/callsUnderway.ts';

test('equal calls run together, each with its own id', async () => {
	const underway = new CallsUnderway<string>();
	const { promise: question, resolve: allow } = Promise.withResolvers<void>();
	const ids: string[] = [];
	const send = (call: string) =>
		underway.send(call, async (id) => {
			ids.push(id);
			await question;
			return underway.get(id);
		});
	const both = Promise.all([send('first'), send('second')]);
	allow();
	expect(await both).toEqual(['first', 'second']);
	expect(new Set(ids).size).toBe(2);
	for (const id of ids) expect(underway.get(id)).toBeUndefined();
});

test('an equal call of another chat has no id of ours', async () => {
	const underway = new CallsUnderway<string>();
	await underway.send('ours', async () => {
		expect(underway.get(undefined)).toBeUndefined();
		expect(underway.get({ tool: 'files:write', arguments: { path: 'a' } })).toBeUndefined();
	});
});

test('a failed call is forgotten', async () => {
	const underway = new CallsUnderway<string>();
	let sent = '';
	const failing = underway.send('call', async (id) => {
		sent = id;
		throw new Error('It broke.');
	});
	await expect(failing).rejects.toThrow('It broke.');
	expect(underway.get(sent)).toBeUndefined();
});
