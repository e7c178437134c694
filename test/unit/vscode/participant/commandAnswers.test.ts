import { describe, expect, onTestFinished, test } from 'vitest';
import { ReadTexts } from '../../../../src/chat/results/readTexts.ts';
import { SecretMask } from '../../../../src/config/secrets/secretMask.ts';
import type { PromptMessages } from '../../../../src/mcp/connection/offerTypes.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerStatus } from '../../../../src/mcp/serverStatus.ts';
import { UndoHistory } from '../../../../src/vscode/core/undo.ts';
import { CommandAnswers } from '../../../../src/vscode/participant/commandAnswers.ts';
import { Readiness } from '../../../../src/vscode/participant/readiness.ts';
import { ServerPrompts } from '../../../../src/vscode/participant/serverPrompts.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { answers, CancellationTokenSource, questions } from '../editor.ts';
import { loadedIn, sessionsWith, statusOf } from '../fixtures.ts';
import { reviewedServers } from '../reviewedServers.ts';
import { chatStream } from './chatStream.ts';

const secret = 'sk-of-this-person-0001';
const greeting = {
	name: 'greet',
	title: 'Greet',
	arguments: [
		{ name: 'who', required: true },
		{ name: 'how', required: false },
	],
};

/** A chat whose server `files` has tools, and whose servers have these prompts; an error: the server fails. */
async function openChat({
	prompts = {},
	cutShort,
	messages = [{ role: 'user', content: [{ type: 'text', text: `Greet with ${secret}` }] }],
}: {
	readonly prompts?: Readonly<Record<string, readonly (typeof greeting)[] | Error>>;
	readonly cutShort?: string;
	readonly messages?: PromptMessages['messages'];
} = {}) {
	const window = await reviewedServers({ files: 'node' });
	const sessions = sessionsWith(['read_file', 'write_file', 'list_files']);
	const session = sessions.open(undefined);
	const asked: object[] = [];
	const completed: object[] = [];
	const statuses = () =>
		Object.keys(prompts).map((name): ServerStatus => statusOf(name, { offers: { prompts: true } as never }));
	const pool = {
		servers: () => [statusOf('files'), ...statuses()],
		withClient: async (
			server: string,
			work: (client: object, options: object) => unknown,
			options: object,
		) => {
			const listed = prompts[server];
			if (listed instanceof Error) throw listed;
			const client = {
				prompts: async () => ({ prompts: listed ?? [], cutShort }),
				getPrompt: async (name: string, args: object) => {
					asked.push([server, name, args]);
					return { messages };
				},
				complete: async ({ argument, others }: { readonly argument: string; readonly others: object }) => {
					completed.push([argument, others]);
					return argument === 'how' ? ['kindly'] : [];
				},
			};
			return work(client, options);
		},
	};
	const readiness = new Readiness({ ...window, pool: pool as never });
	const undo = new UndoHistory();
	const reads = new ReadTexts();
	const answering = new CommandAnswers({
		sessions,
		readiness,
		agentFiles: { list: async () => ({ agents: [], faults: [] }) } as never,
		prompts: new ServerPrompts(pool as never, reads, { mask: async () => new SecretMask([secret]) } as never),
		undo,
	});
	const stop = new CancellationTokenSource();
	const { stream, lines, buttons } = chatStream();
	/** The user sends a command, and answers what is asked then. */
	const send = (command: string, ...replies: readonly string[]) => {
		answers.push(...replies);
		const [name = '', ...args] = command.split(' ');
		return answering.answer({ name, args: args.join(' ') }, session, { stream, token: stop.token } as never);
	};
	onTestFinished(() => {
		answers.length = 0;
	});
	const sent = () => JSON.stringify(session.discovery.log.entries);
	return { send, sent, session, sessions, undo, reads, stop, lines, buttons, asked, completed };
}

describe('given a chat with tools', () => {
	test('when the user finds some, then one button loads them all', async () => {
		const { send, buttons } = await openChat();
		await send('find select:read_file,write_file');
		const [button] = buttons;
		const [first, all] = button?.arguments ?? [];
		expect(button?.command).toBe(commands.loadTool);
		expect(all).toContainEqual({ server: 'files', tool: 'read_file' });
		expect((all as readonly unknown[])[0]).toEqual(first);
	});

	test('when a search finds only what is close, then all text comes before the buttons: VS Code folds text away that is before one', async () => {
		const { send, lines, buttons } = await openChat();
		await send('find list of quotations');
		expect(lines[0]).toContain('No clear match');
		expect(buttons.map(({ command }) => command)).toEqual([commands.loadTool, commands.teachSearch]);
		expect(lines.slice(-2).every((line) => line.startsWith('button'))).toBe(true);
		expect(lines.at(-3)).toContain('Search finds more');
	});

	test('when the user unloads some, then that can be undone', async () => {
		const { send, session, undo } = await openChat();
		await send('load files:read_file files:write_file');
		const loaded = loadedIn(session);
		expect(loaded).toHaveLength(2);
		await send('unload files:read_file');
		expect([loadedIn(session), undo.next?.label]).toEqual([['write_file'], 'unload files:read_file']);
		await undo.undo();
		expect([...loadedIn(session)].sort()).toEqual([...loaded].sort());
	});

	test('when the command is unknown, then the answer lists those that there are', async () => {
		const { send, lines } = await openChat();
		expect(await send('fnid x')).toEqual({ called: [], stopped: false });
		expect(lines[0]).toMatch(/`\/fnid`.*`\/find`/);
	});
});

describe('given servers with prompts', () => {
	test('when the user chooses one, then its values are asked for, and its messages go before the next message, without secrets', async () => {
		const { send, sent, session, asked, completed, lines, reads } = await openChat({
			prompts: { people: [greeting] },
		});
		await send('prompt', 'Greet', 'Ada', 'Ada', 'kindly');
		expect(asked).toEqual([['people', 'greet', { who: 'Ada', how: 'kindly' }]]);
		expect(completed).toContainEqual(['how', { who: 'Ada' }]);
		expect(sent()).toContain('Greet with ***');
		expect(sent()).not.toContain(secret);
		expect(lines.at(-1)).toBe('⚙ $(info) Masked 1 value in people\\:greet that looks like a key\\.');
		// Calls of other servers are compared with it.
		expect(reads.serversOf(session.id)).toEqual(['people']);
	});

	test('when the user leaves a question, then nothing is fetched or sent', async () => {
		const { send, sent, asked, lines } = await openChat({ prompts: { people: [greeting] } });
		const before = sent();
		await send('prompt people:greet', 'Ada', 'Ada');
		expect([asked, sent()]).toEqual([[], before]);
		expect(lines[0]).toContain('nothing was added');
	});

	test('when one server fails, then the prompts of the others can be chosen all the same', async () => {
		const { send } = await openChat({ prompts: { broken: new Error('down'), people: [greeting] } });
		await send('prompt', 'nothing of it');
		expect(questions).toEqual(['Greet · people:greet']);
	});

	test('when the list of a server ends early, then the answer says so', async () => {
		const cutShort = 'the server gave the same cursor twice';
		const { send, lines } = await openChat({ prompts: { people: [greeting] }, cutShort });
		await send('prompt people:leave');
		expect(lines.at(-1)).toMatch(/Some prompts of people are missing.*same cursor twice/);
	});

	test('when its server fails, then the answer says why; another error is a fault of ours', async () => {
		const why = 'Server "people" is down. Start it.';
		const { send, lines } = await openChat({
			prompts: { people: new ServerError('people', 'connection-closed' as never, why) },
		});
		await send('prompt people:greet');
		expect(lines[0]).toMatch(/^⚙ \$\(error\) Server .*is down/);
		const other = await openChat({ prompts: { people: new TypeError('a slip') } });
		await expect(other.send('prompt people:greet')).rejects.toThrow('a slip');
	});

	test('when the user stops it, then it says nothing more', async () => {
		const { send, stop, lines } = await openChat({ prompts: { people: new Error('aborted') } });
		stop.cancel();
		expect(await send('prompt people:greet')).toEqual({ called: [], stopped: true });
		expect(lines).toEqual([]);
	});
});
