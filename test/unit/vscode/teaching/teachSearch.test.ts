import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import type { ChatModel, ChatRequest } from '../../../../src/models/chatModel.ts';
import { ModelError } from '../../../../src/models/modelError.ts';
import { ExpansionStore } from '../../../../src/vscode/core/expansionStore.ts';
import type { UndoableChange } from '../../../../src/vscode/core/undo.ts';
import { teachSearch } from '../../../../src/vscode/teaching/teachSearch.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { shortTitle } from '../../../../src/vscode/ui/messages.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { answers, lm, messages, questions, reopen, works } from '../editor.ts';

const servers = ['files', 'git'].map((name) => ({
	name,
	tools: ['read', 'write'].map((tool) => ({ server: name, name: tool, inputSchema: { type: 'object' } })),
}));

/** A model that describes all tools that it is asked about, or does what the test says. */
function openSearch(answer: (names: readonly string[], signal: AbortSignal) => unknown = () => undefined) {
	reopen();
	onTestFinished(reopen);
	lm.models = [{ name: 'teacher', vendor: 'acme', family: 'large' }];
	onTestFinished(() => {
		lm.models = [];
	});
	const expansions = new ExpansionStore({ folder: temporaryFolder(), now: () => 1, entryOf: (name) => name });
	onTestFinished(() => expansions.dispose());
	const sessions = new ChatSessions();
	const policies = new Map(
		servers.map(({ name }) => [name, { ...defaultServerPolicy, deferLoading: true }] as const),
	);
	const setRanking = (ranking: 'default' | 'okapi') =>
		sessions.setPolicy({ ...defaultPolicy, enabled: true, servers: policies, ranking }, new Map());
	const list = () => sessions.setCatalog(expansions.withExpansions(servers));
	setRanking('default');
	list();
	expansions.onDidChange(list);
	const asked: string[][] = [];
	const actions: unknown[] = [];
	const model: Partial<ChatModel> = {
		name: 'teacher',
		answer: async ({ messages: [message] }: ChatRequest, signal) => {
			const text = message && 'text' in message ? message.text : '';
			const names = [...text.matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name);
			const server = /server "(\w+)"/.exec(text)?.[1] ?? '';
			asked.push(names.map((name) => `${server}:${name}`));
			await answer(asked.at(-1) ?? [], signal);
			const tools = names.map((name) => ({ name, when: `someone wants zz${name}`, queries: [`zz${name}`] }));
			return [{ type: 'toolCall', call: { id: '1', name: 'describe_tools', input: { tools } } }];
		},
	};
	const client = {
		file: 'file:///work/casual_mcp_config.json',
		name: 'lm',
		baseUrl: 'https://models.example/v1',
	};
	const services = {
		sessions,
		expansions,
		models: { picked: async () => ({ model, definition: { client } }) } as never,
		log: { info: () => {} } as never,
		run: async (...action: readonly unknown[]) => void actions.push(action),
	};
	return {
		client,
		asked,
		actions,
		sessions,
		setRanking,
		untaught: () => sessions.untaught.map(({ id }) => id),
		/** The user answers what is asked. */
		teach: async (
			replies: readonly string[],
			of?: readonly string[],
		): Promise<UndoableChange | undefined> => {
			answers.splice(0, answers.length, ...replies);
			return teachSearch(services, of);
		},
	};
}

const all = ['files:read', 'files:write', 'git:read', 'git:write'];

describe('given a model that can describe tools', () => {
	test('when the user declines, then nothing is sent, and the question has said what would be sent and what it costs', async () => {
		const { teach, asked, untaught } = openSearch();
		await teach(['teacher']);
		expect(messages).toEqual(['Teach search 4 tools of 2 servers with “teacher”? | Teach | Choose Servers…']);
		expect(questions).toMatchSnapshot();
		expect([asked, untaught()]).toEqual([[], all]);
	});

	test('when the user agrees, then each tool is described once, and undoing forgets exactly that', async () => {
		const { teach, asked, untaught, sessions } = openSearch();
		const change = await teach(['teacher', 'Teach']);
		expect(asked.flat().sort()).toEqual(all);
		expect(untaught()).toEqual([]);
		expect(messages.at(-1)).toContain('4 tools described');
		expect(sessions.searched[0]?.expansion?.queries).toEqual(['zzread']);
		await change?.undo();
		expect(untaught()).toEqual(all);
	});

	test('when the user chooses servers, then only their tools are described, and the next run continues with the rest', async () => {
		const { teach, asked, untaught } = openSearch();
		await teach(['teacher', 'Choose Servers…', 'git', 'Teach']);
		expect(untaught()).toEqual(['files:read', 'files:write']);
		await teach(['teacher', 'Teach']);
		expect(questions.at(-1)).toContain('Skipping 2 tools');
		expect(asked.flat()).toEqual(['git:read', 'git:write', 'files:read', 'files:write']);
	});

	test('when it is run on a server, then only its tools are described', async () => {
		const { teach, asked } = openSearch();
		await teach(['teacher', 'Teach'], ['files']);
		expect(asked.flat()).toEqual(['files:read', 'files:write']);
	});

	test('when search knows all tools, then they are described again only if the user says so', async () => {
		const { teach, asked } = openSearch();
		await teach(['teacher', 'Teach']);
		await teach([]);
		expect(messages.at(-1)).toBe('Discovery: search already knows all 4 tools. | Teach Again');
		expect(asked.flat()).toHaveLength(4);
		await teach(['Teach Again', 'teacher', 'Teach']);
		expect(asked.flat()).toHaveLength(8);
	});
});

describe('given teaching that does not come to its end', () => {
	test('when the provider fails, then its error is shown, and what was learned is kept and can be undone', async () => {
		const { teach, untaught } = openSearch(([first]) => {
			if (first === 'git:read') throw new ModelError('payment', 'The account has no credit.');
		});
		const change = await teach(['teacher', 'Teach']);
		expect(messages.at(-1)).toMatch(/stopped: .*no credit.* Descriptions saved for 2 of 4 tools/);
		expect(untaught()).toEqual(['git:read', 'git:write']);
		await change?.undo();
		expect(untaught()).toEqual(all);
	});

	test('when the provider refuses the key, then a button leads to the key of that client, as in the chat', async () => {
		const { teach, actions, client } = openSearch(() => {
			throw new ModelError('unauthorized', 'The key is wrong.');
		});
		await teach(['teacher', 'Teach', shortTitle(commands.manageSecrets)]);
		const { file, name } = client;
		await vi.waitFor(() => expect(actions).toEqual([['manageSecrets', { file, name }]]));
	});

	test('when the user cancels, then what was learned is kept', async () => {
		const { teach, untaught } = openSearch(([first], signal) => {
			if (first !== 'git:read') return;
			return new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(signal.reason));
				void vi.waitFor(() => expect(untaught()).toHaveLength(2)).then(() => works[0]?.cancel());
			});
		});
		await teach(['teacher', 'Teach']);
		expect(messages.at(-1)).toContain('you stopped teaching search. Descriptions saved for 2 of 4 tools');
		expect(untaught()).toEqual(['git:read', 'git:write']);
	});

	test('when search is already being taught, then no second teaching starts until the first has ended', async () => {
		const second = Promise.withResolvers<unknown>();
		const { teach, asked } = openSearch(() => {
			second.resolve(teach(['teacher', 'Teach']).catch(String));
			return second.promise;
		});
		await teach(['teacher', 'Teach'], ['files']);
		expect(await second.promise).toContain('search is already being taught');
		expect(asked.flat()).toEqual(['files:read', 'files:write']);
		await teach(['teacher', 'Teach']);
		expect(asked.flat()).toEqual(all);
	});
});

describe('given nothing that could be taught', () => {
	test('when the ranking ignores descriptions, then an error says so before anything is asked', async () => {
		const { teach, setRanking } = openSearch();
		setRanking('okapi');
		await expect(teach(['teacher', 'Teach'])).rejects.toThrow('the ranking okapi');
		expect([questions, messages]).toEqual([[], []]);
	});

	test('when there are no tools, then an error says when they appear', async () => {
		const { teach } = openSearch();
		await expect(teach([], ['nobody'])).rejects.toThrow('there are no tools yet');
	});

	test('when there is no model but the planner, then the message leads to the configuration', async () => {
		const { teach, actions } = openSearch();
		lm.models = [];
		expect(await teach(['Open Configuration'])).toBeUndefined();
		expect(actions).toEqual([['openConfig']]);
	});
});
