import { describe, expect, test } from 'vitest';
import { Unloads } from '../../../../src/vscode/loaded/unloads.ts';
import { hubWith, loadedIn, toolOf } from './hub.ts';

function given(...names: string[]) {
	const hub = hubWith(['read', 'write', 'list']);
	const chat = hub.open(undefined);
	for (const name of names) chat.discovery.load([toolOf(chat, name)], 'search', `${name} a file`);
	const unloads = new Unloads();
	return { hub, chat, unloads, unload: (name: string) => unloads.unload(chat, toolOf(chat, name)) };
}

describe('given a person unloads tools', () => {
	test('what went last comes first, with why it had been loaded', () => {
		const { chat, unloads, unload } = given('read', 'write');
		unload('read');
		unload('write');
		expect(loadedIn(chat)).toEqual([]);
		expect(unloads.last(chat)?.activation).toMatchObject({ reason: 'search', words: 'write a file' });
		chat.discovery.load([toolOf(chat, 'write')]);
		expect(unloads.last(chat)?.tool.name).toBe('read');
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(unloads.last(chat)).toBeUndefined();
	});

	test('what was not loaded cannot be put back', () => {
		const { chat, unloads, unload } = given('read');
		unload('list');
		expect(unloads.last(chat)).toBeUndefined();
	});

	test('what is loaded again by other means is done with, also when it is evicted later', () => {
		const { chat, unloads, unload } = given('read');
		unload('read');
		chat.discovery.load([toolOf(chat, 'read')]);
		expect(unloads.last(chat)).toBeUndefined();
		chat.discovery.unload([toolOf(chat, 'read')]);
		expect(unloads.last(chat)).toBeUndefined();
	});

	test('another chat has nothing to put back, and neither has one that starts afresh', () => {
		const { hub, chat, unloads, unload } = given('read');
		unload('read');
		expect(unloads.last(hub.open(undefined))).toBeUndefined();
		expect(unloads.last(chat)?.tool.name).toBe('read');
		unloads.forget(chat);
		expect(unloads.last(chat)).toBeUndefined();
	});

	test('a tool that its server has taken back is not offered', () => {
		const { hub, chat, unloads, unload } = given('read');
		unload('read');
		hub.setCatalog(hubWith(['write']).catalog);
		expect(unloads.last(chat)).toBeUndefined();
	});
});

test('what the chat itself has taken out can be put back as well', () => {
	const { chat, unloads } = given('read');
	const taken = chat.discovery.state.activations;
	chat.discovery.unload([toolOf(chat, 'read')]);
	expect(unloads.last(chat)).toBeUndefined();
	unloads.remember(chat, taken);
	expect(unloads.last(chat)?.activation).toMatchObject({ reason: 'search', words: 'read a file' });
});
