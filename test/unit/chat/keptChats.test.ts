import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoundedFolder } from '../../../src/chat/boundedFolder.ts';
import { KeptChats, type OpenChat } from '../../../src/chat/keptChats.ts';
import { flowsInto } from '../../../src/chat/results/flowsInto.ts';
import { Transcript } from '../../../src/chat/transcript.ts';
import { textResult } from '../../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { temporaryFolder } from '../../servers/poolFixture.ts';
import { search, sessionOf } from '../discovery/fixtures.ts';
import { asks, call, ScriptedModel, says, turn } from './conversation.ts';

const id = '0b3c';

function chat(discovery = sessionOf()): OpenChat & { readonly systemPrompts: Map<string, string> } {
	return { id, discovery, transcript: new Transcript(), systemPrompts: new Map() };
}

/** A chat in which a tool was loaded and called, and its result. */
async function begun(result = 'A long story about the fox.') {
	const one = chat();
	const model = new ScriptedModel([
		asks(call('search_tools', { tool_names: ['slack:search'] })),
		asks(call('slack__search', { query: 'fox' })),
		says('Found.'),
	]);
	const messages = one.transcript.begin([], 'Search it.', 'append');
	await turn(model, { session: one.discovery, messages, runTool: async () => textResult(result) });
	one.systemPrompts.set('brief', 'Be brief.');
	return { one, model };
}

describe('a chat that is kept', () => {
	it('comes back as it was: what was said and done, and how its requests begin', async () => {
		const folder = temporaryFolder();
		const { one, model } = await begun();
		await new KeptChats(folder).keep(one);

		const again = chat(sessionOf(undefined, {}, JSON.parse(JSON.stringify(one.discovery.state))));
		await new KeptChats(folder).restore(again);

		expect(again.transcript.kept).toEqual(one.transcript.kept);
		expect([...again.systemPrompts]).toEqual([['brief', 'Be brief.']]);
		again.discovery.beginTurn({ model: model.id, loading: 'append', maxTools: undefined, hosted: [] });
		expect(again.discovery.nextPrompt().tools).toEqual(model.requests.at(-1)?.tools);
	});

	it('is known for where its texts came from', async () => {
		const folder = temporaryFolder();
		const story = 'The quick brown fox jumps over the lazy dog, and nobody knows why it did so.';
		const { one } = await begun(story);
		await new KeptChats(folder).keep(one);
		const again = chat();
		await new KeptChats(folder).restore(again);
		expect(flowsInto(again.transcript.flow, 'mail', { text: story })).toMatchObject([{ server: 'slack' }]);
		expect(flowsInto(again.transcript.flow, 'slack', { text: story })).toEqual([]);
	});

	it('is a file that only its owner can read, one a chat, the last state', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		const chats = new KeptChats(folder);
		await chats.keep(one);
		one.transcript.begin([{ prompt: 'Search it.', answer: 'Found.' }], 'And?', 'append');
		await chats.keep(one);
		const [file = '', ...others] = readdirSync(folder);
		expect(others).toEqual([]);
		expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
		expect(readFileSync(join(folder, file), 'utf8')).toContain('And?');
	});

	it('is bounded: the oldest results go first, and what is still too long is not kept at all', async () => {
		const folder = temporaryFolder();
		const chats = new KeptChats(folder);
		const { one } = await begun('x'.repeat(5_000_000));
		const messages = one.transcript.begin([{ prompt: 'Search it.', answer: '' }], 'Again.', 'append');
		messages.push(plainAnswer('', [call('slack__search')]), {
			role: 'tool',
			results: [{ callId: 'x', result: textResult('recent') }],
		});
		await chats.keep(one);
		const again = chat();
		await chats.restore(again);
		expect(JSON.stringify(again.transcript.kept)).toContain('recent');
		expect(JSON.stringify(again.transcript.kept).length).toBeLessThan(100_000);
		expect(JSON.stringify(one.transcript.kept).length).toBeGreaterThan(5_000_000);

		one.transcript.begin([], 'y'.repeat(5_000_000), 'append');
		await chats.keep(one);
		expect(readdirSync(folder)).toEqual([]);
	});

	it('goes after a month, and where there are too many', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		const few = new KeptChats(folder, { bytes: 1_000_000, files: 2, ageMs: 60_000 });
		for (const name of ['a', 'b', 'c']) await few.keep({ ...one, id: name });
		expect(readdirSync(folder)).toHaveLength(2);
		await new BoundedFolder(folder, { bytes: 1_000_000, files: 2, ageMs: -1 }).sweep();
		expect(readdirSync(folder)).toEqual([]);
	});

	it.each(['', '{', '[]', '{"form":0}', 'null'])('is left aside where its file is %j', async (text) => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, id), text);
		const again = chat();
		await new KeptChats(folder).restore(again);
		expect(again.transcript.isEmpty).toBe(true);
	});

	it('is left aside where a single bit of its file has changed', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		await new KeptChats(folder).keep(one);
		const whole = readFileSync(join(folder, id));
		for (let at = 0; at < whole.length; at += 97) {
			const damaged = Buffer.from(whole);
			damaged[at] = (whole[at] ?? 0) ^ 1;
			writeFileSync(join(folder, id), damaged);
			const again = chat();
			await new KeptChats(folder).restore(again);
			expect(again.transcript.isEmpty).toBe(true);
			expect(again.systemPrompts.size).toBe(0);
		}
	});

	it.each([
		'{"form":1,"transcript":null,"systemPrompts":[]}',
		'{"form":1,"transcript":{"turns":[{"prompt":"Hi","start":9}],"messages":[null]},"systemPrompts":5}',
	])('is left aside where it is of another shape: %s', async (text) => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, id), text);
		const again = chat();
		await new KeptChats(folder).restore(again);
		expect(again.transcript.isEmpty).toBe(true);
	});

	it('is left aside where something was said in this window already, and no path can be made of its id', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		const chats = new KeptChats(folder);
		await chats.keep(one);
		const other = chat();
		other.transcript.begin([], 'New.', 'append');
		await chats.restore(other);
		expect(JSON.stringify(other.transcript.kept)).not.toContain('Search it.');
		await expect(chats.keep({ ...one, id: '../x' })).rejects.toThrow('no name');
		await chats.restore({ ...chat(), id: '../x' });
	});

	it('goes on with what its history shows where the user has gone back', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		await new KeptChats(folder).keep(one);
		const again = chat();
		await new KeptChats(folder).restore(again);
		const messages = again.transcript.begin(
			[{ prompt: 'Something else.', answer: 'Yes.' }],
			'And now?',
			'append',
		);
		expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
	});

	it('does not bring back what the user has unloaded since', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		await new KeptChats(folder).keep(one);
		const again = chat();
		await new KeptChats(folder).restore(again);
		again.discovery.beginTurn({ model: 'scripted', loading: 'append' });
		await search(again.discovery, { tool_names: ['calendar:search'] });
		expect(again.discovery.nextPrompt().tools.map(({ name }) => name)).not.toContain('slack__search');
	});
});
