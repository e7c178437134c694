import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAgentTool } from '../../../src/chat/agents/runAgent.ts';
import { BoundedFolder } from '../../../src/chat/boundedFolder.ts';
import { KeptChats } from '../../../src/chat/keptChats.ts';
import { ChatResults, readResultTool } from '../../../src/chat/results/chatResults.ts';
import { ReadTexts } from '../../../src/chat/results/readTexts.ts';
import { errorResult, type ToolResult, textResult } from '../../../src/discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';
import { plainAnswer } from '../../../src/models/answerParts.ts';
import { OWNERS_FILE } from '../../fileModes.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { keptLog, office, said, sessionOf } from '../discovery/fixtures.ts';
import { agent } from './agents/agents.ts';
import { asks, call, ScriptedModel, says, turn } from './conversation.ts';

const id = '0b3c';

/** A chat in which a tool was loaded and called, and its result. */
async function begun(result = 'A long story about the fox.') {
	const discovery = sessionOf();
	const model = new ScriptedModel([
		asks(call('search_tools', { tool_names: ['slack:search'] })),
		asks(call('slack__search', { query: 'fox' })),
		says('Found.'),
	]);
	await turn(model, { session: discovery, runTool: async () => textResult(result) });
	return { one: { id, discovery }, model };
}

/** The chat in another window, which has nothing but what was kept. */
async function again(folder: string): Promise<DiscoverySession> {
	return sessionOf(office, {}, await new KeptChats(folder).read(id));
}

const told = 'The quick brown fox jumps over the lazy dog, and nobody knows why it did so.';

/** A turn in which the model loads the tools of slack and makes one call. */
async function calling(
	session: DiscoverySession,
	name: string,
	more: Parameters<typeof turn>[1] = {},
	input: Readonly<Record<string, unknown>> = {},
): Promise<void> {
	const model = new ScriptedModel([
		asks(call('search_tools', { server_name: 'slack' })),
		asks(call(name, input)),
		says('Done.'),
	]);
	await turn(model, { session, runTool: async () => textResult(told), ...more });
}

/** Ways in which text of slack's comes into a chat. */
const ways = {
	'a call by the name that people read': (session: DiscoverySession) => calling(session, 'slack:search'),
	'a resource': async (session: DiscoverySession) => {
		session.offerResources('slack');
		await calling(session, 'read_resource', {}, { server: 'slack', uri: 'slack://1' });
	},
	'a page of a large result': async (session: DiscoverySession) => {
		const results = new ChatResults(new BoundedFolder(temporaryFolder()));
		const large = `${'a line of nothing\n'.repeat(2_000)}${told}\n${'and more of it\n'.repeat(2_000)}`;
		const hosted = [readResultTool(results)];
		const fitResult = (result: ToolResult, of: { readonly server?: string }) =>
			results.fit(result, 4_096, of);
		await calling(session, 'slack__search', { runTool: async () => textResult(large), fitResult, hosted });
		const [file] = results.names;
		await calling(session, 'read_result', { fitResult, hosted }, { file, search: 'quick brown fox' });
	},
	'an agent’s report': async (session: DiscoverySession) => {
		const tool = runAgentTool([agent('clerk')]);
		if (!tool) throw new Error('there is an agent');
		const rounds = [
			asks(call('run_agent', { agent: 'clerk', task: 'look' })),
			asks(call('search_tools', { server_name: 'slack' })),
			asks(call('slack__search')),
			says('Found.'),
			says('Done.'),
		];
		const hosted = [tool];
		await turn(new ScriptedModel(rounds), { session, runTool: async () => textResult(told), hosted });
	},
	'a prompt': async ({ log }: DiscoverySession) => {
		log.append({ kind: 'message', message: said(told), from: 'slack' });
	},
};

describe('a stored chat', () => {
	test('is restored with its messages, its log and its request head', async () => {
		const folder = temporaryFolder();
		const { one, model } = await begun();
		await new KeptChats(folder).keep(one);
		const later = await again(folder);
		expect(keptLog(later)).toEqual(keptLog(one.discovery));
		later.beginTurn({ model: model.id, loading: 'append' });
		expect(later.nextRequest().tools).toEqual(model.requests.at(-1)?.tools);
	});

	test('has every digit of a long number in a call, so the model reads again what it wrote', async () => {
		const folder = temporaryFolder();
		const discovery = sessionOf();
		await calling(discovery, 'slack__search', {}, { query: JSON.rawJSON('1234567890123456789') });
		await new KeptChats(folder).keep({ id, discovery });
		const { messages } = (await again(folder)).log;
		expect(JSON.stringify(messages)).toContain('"input":{"query":1234567890123456789}');
	});

	test('does not have what happened to its last call because the window closed: the tool stays loaded, to go on', async () => {
		const folder = temporaryFolder();
		const kept = new KeptChats(folder);
		const discovery = sessionOf();
		const model = new ScriptedModel([asks(call('slack__search', { query: 'fox' })), says('It failed.')]);
		const runTool = async () => {
			await kept.keep({ id, discovery });
			kept.close();
			return errorResult('The server was stopped.');
		};
		const asked = { role: 'user', text: 'call slack:search for fox' } as const;
		await turn(model, { session: discovery, messages: [asked], runTool });
		discovery.log.append({ kind: 'answered' });
		await kept.keep({ id, discovery });
		const later = await again(folder);
		expect(later.activations).toMatchObject([{ wireName: 'slack__search', reason: 'reference' }]);
		expect(later.log.messages).toEqual([asked]);
		expect(later.log.state.answers).toBe(0);
	});

	test.each(Object.keys(ways))('still knows which server its text came from: %s', async (way) => {
		const folder = temporaryFolder();
		const discovery = sessionOf();
		await ways[way as keyof typeof ways](discovery);
		await new KeptChats(folder).keep({ id, discovery });
		const reads = new ReadTexts();
		reads.addLog(id, (await again(folder)).log.entries);
		expect(reads.flowsInto({ chat: id, server: 'mail', input: { text: told } })).toMatchObject([
			{ server: 'slack' },
		]);
		expect(reads.flowsInto({ chat: id, server: 'slack', input: { text: told } })).toEqual([]);
		expect(reads.serversOf(id)).toEqual(['slack']);
	});

	test('does not track text of a call that the user declined', async () => {
		const discovery = sessionOf();
		const answers = async () => ({ ...textResult(told), declined: true as const });
		await calling(discovery, 'slack__search', { runTool: answers });
		const reads = new ReadTexts();
		reads.addLog(id, keptLog(discovery));
		expect(reads.serversOf(id)).toEqual([]);
	});

	test('is one file with the latest state, which only its owner can read', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		const chats = new KeptChats(folder);
		await chats.keep(one);
		one.discovery.log.append({ kind: 'message', message: said('And?') });
		await chats.keep(one);
		const [file = '', ...others] = readdirSync(folder);
		expect(others).toEqual([]);
		expect(statSync(join(folder, file)).mode & 0o777).toBe(OWNERS_FILE);
		expect(readFileSync(join(folder, file), 'utf8')).toContain('And?');
	});

	test('is written once for all who keep it at the same time', async () => {
		const { one } = await begun();
		const chats = new KeptChats(temporaryFolder());
		const writing = chats.keep(one);
		expect(chats.keep(one)).toBe(writing);
		await writing;
	});

	test('is written only when something has changed', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		const chats = new KeptChats(folder);
		await chats.keep(one);
		writeFileSync(join(folder, id), 'untouched');
		await chats.keep(one);
		expect(readFileSync(join(folder, id), 'utf8')).toBe('untouched');
	});

	test('is bounded: its oldest results are removed, and a chat that is still too large is not stored', async () => {
		const folder = temporaryFolder();
		const chats = new KeptChats(folder);
		const { one } = await begun('x'.repeat(5_000_000));
		const { log } = one.discovery;
		log.append({ kind: 'message', message: said('Again.') });
		log.append({ kind: 'message', message: plainAnswer('', [call('slack__search')]) });
		const results = [{ callId: 'x', result: textResult('recent') }];
		log.append({ kind: 'message', message: { role: 'tool', results } });
		await chats.keep(one);
		const later = JSON.stringify(keptLog(await again(folder)));
		expect(later).toContain('recent');
		expect(later).toContain('This result was removed');
		expect(later.length).toBeLessThan(100_000);
		expect(JSON.stringify(keptLog(one.discovery)).length).toBeGreaterThan(5_000_000);

		log.append({ kind: 'message', message: said('y'.repeat(5_000_000)) });
		await chats.keep(one);
		expect(readdirSync(folder)).toEqual([]);
	});

	test.each(['', '{', '[]', '{"form":0}', 'null', '{"form":2,"log":[]}'])(
		'is ignored when its file is %j',
		async (text) => {
			const folder = temporaryFolder();
			writeFileSync(join(folder, id), text);
			expect(await new KeptChats(folder).read(id)).toBeUndefined();
		},
	);

	test('is not replaced by a window that could not read it, even if it could be read later', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		await new KeptChats(folder).keep(one);
		const file = join(folder, id);
		const whole = readFileSync(file, 'utf8');
		renameSync(file, `${file}.aside`);
		mkdirSync(file);
		const later = new KeptChats(folder);
		expect(await later.read(id)).toBeUndefined();
		rmdirSync(file);
		renameSync(`${file}.aside`, file);
		const discovery = sessionOf();
		discovery.log.append({ kind: 'past', prompt: 'What the history shows.' });
		await expect(later.keep({ id, discovery })).rejects.toThrow('cannot be read');
		expect(readFileSync(file, 'utf8')).toBe(whole);
		expect(await later.read(id)).toEqual(keptLog(one.discovery));
	});

	test('is ignored when a single bit of its file has changed', async () => {
		const folder = temporaryFolder();
		const { one } = await begun();
		const chats = new KeptChats(folder);
		await chats.keep(one);
		const whole = readFileSync(join(folder, id));
		for (let at = 0; at < whole.length; at += 97) {
			const damaged = Buffer.from(whole);
			damaged[at] = (whole[at] ?? 0) ^ 1;
			writeFileSync(join(folder, id), damaged);
			expect(await chats.read(id)).toBeUndefined();
		}
	});
});
