import * as assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ChatSessions } from '../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../src/discovery/catalog/policy.ts';
import { type ResultMetadata, savedSession } from '../../../src/vscode/participant/history.ts';
import { activated, ask, logOf, serversListed } from './workspace.ts';

/** The history that a restored chat has: answers as VS Code keeps them, which is as JSON. */
function historyOf(answers: readonly ResultMetadata[]): vscode.ChatContext {
	const history = answers.map((metadata) => {
		const turn: vscode.ChatResponseTurn = Object.create(vscode.ChatResponseTurn.prototype);
		return Object.assign(turn, { result: { metadata: JSON.parse(JSON.stringify(metadata)) } });
	});
	return { history } as vscode.ChatContext;
}

/** A new window, in which the servers offer these tools: other schemas than the real ones. */
function windowWith(wireNames: readonly string[]): ChatSessions {
	const tools = wireNames.map((wireName) => {
		const [server = '', name = ''] = wireName.split('__');
		return { server, name, inputSchema: { type: 'object', properties: { anew: { type: 'string' } } } };
	});
	const servers = [...Map.groupBy(tools, ({ server }) => server)].map(([name, its]) => ({
		name,
		tools: its,
	}));
	const policies = servers.map(({ name }) => [name, { ...defaultServerPolicy, deferLoading: true }] as const);
	const sessions = new ChatSessions();
	sessions.setPolicy({ ...defaultPolicy, enabled: true, servers: new Map(policies) }, new Map());
	sessions.setCatalog(servers);
	return sessions;
}

describe('given a chat of two turns with loaded tools', () => {
	let answers: ResultMetadata[];
	let loaded: readonly string[];

	before(async () => {
		await serversListed();
		answers = [
			await ask('/load git:git_log memory:read_graph'),
			await ask('read the file docs/architecture.md'),
		];
		loaded = activated(answers.at(-1) ?? {});
	});

	it('when only its history is left, then its tools, usage and timeline are restored', () => {
		const saved = savedSession(historyOf(answers));
		const { discovery } = windowWith([...loaded, 'git__git_status']).open(saved);
		assert.deepEqual(
			discovery.activated.map(({ wireName }) => wireName),
			loaded,
		);
		assert.deepEqual(discovery.log.usage, logOf(answers[1] ?? {}).usage);
		const kinds = discovery.log.timeline.map(({ kind }) => kind);
		assert.deepEqual(kinds.slice(0, 2), ['load', 'turn']);
		assert.equal(kinds.filter((kind) => kind === 'call').length, 1);
		assert.equal(new Set(discovery.log.timeline.map((entry) => JSON.stringify(entry))).size, kinds.length);
	});

	it('when schemas have changed since, then the tools are loaded again, and the model is told', () => {
		const { discovery } = windowWith(loaded).open(savedSession(historyOf(answers)));
		assert.deepEqual(
			discovery.changedTools.map(({ wireName }) => wireName),
			loaded,
		);
		const told = discovery.withChanges({ content: [{ type: 'text', text: 'Done.' }], isError: false });
		assert.match(JSON.stringify(told), /Changed since you loaded it: git__git_log/);
		assert.deepEqual(discovery.changedTools, []);
	});

	it('when a tool is gone, then it is reported with the closest names', () => {
		const others = loaded.filter((name) => name !== 'git__git_log');
		const { discovery } = windowWith([...others, 'git__git_logs']).open(savedSession(historyOf(answers)));
		const [gone] = discovery.goneTools;
		assert.equal(gone?.wireName, 'git__git_log');
		assert.equal(gone.closest[0]?.id, 'git:git_logs');
	});
});
