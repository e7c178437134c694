import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectAgents } from '../../../../src/vscode/agentMode/connectAgents.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { answers, messages, questions, reopen, workspace } from '../editor.ts';

const start = { command: '/app/node', args: ['/data/gateway.js'], env: { ELECTRON_RUN_AS_NODE: '1' } };
const CLAUDE = '{ "numStartups": 3, "mcpServers": { "mine": { "command": "node" } } }';
const CODEX = '# Mine.\nmodel = "gpt-5"\n';

/** A home folder in which two agents have been used. `meanwhile`: what happens after the user has chosen. */
function openHome({
	codex = CODEX,
	meanwhile = () => {},
}: {
	codex?: string;
	meanwhile?: (home: string) => void;
} = {}) {
	reopen();
	onTestFinished(reopen);
	const home = temporaryFolder();
	const files = { claude: path.join(home, '.claude.json'), codex: path.join(home, '.codex/config.toml') };
	mkdirSync(path.join(home, '.codex'));
	writeFileSync(files.claude, CLAUDE);
	writeFileSync(files.codex, codex);
	const gateway = { programStart: start, apply: async () => meanwhile(files.codex) };
	const places = { platform: 'linux', workspaceFolders: [], home, env: {} } as const;
	return {
		connect: () => connectAgents({ gateway: gateway as never, places }),
		write: (claude: string) => writeFileSync(files.claude, claude),
		texts: () => Object.values(files).map((file) => readFileSync(file, 'utf8')),
	};
}

test('then only agents that are there are offered, with the entry that each would get', async () => {
	const { connect, texts } = openHome();
	expect(await connect()).toBeUndefined();
	expect(questions.join().split('\n')).toEqual([
		expect.stringMatching(/^Claude Code · .*\.claude\.json · .*"command": "\/app\/node"/),
		expect.stringMatching(/^Codex · .*config\.toml · .*mcp_servers/),
	]);
	expect(texts()).toEqual([CLAUDE, CODEX]);
	expect(workspace.settings.size).toBe(0);
});

test('when two are ticked, then both get it, all else in their files stays, the gateway is on, and Undo takes back both', async () => {
	const { connect, texts } = openHome();
	answers.push('Claude Code', 'Codex');
	const change = await connect();
	const [claude = '', codex = ''] = texts();
	expect(JSON.parse(claude)).toMatchObject({
		numStartups: 3,
		mcpServers: { mine: { command: 'node' }, discovery: start },
	});
	expect(codex).toContain(CODEX);
	expect(codex).toContain('[mcp_servers.discovery]');
	expect(workspace.settings.get('mcpDiscovery.gateway')).toBe(true);
	expect(messages).toEqual([
		'Discovery: Claude Code, Codex: entry written. Start the agent again in a folder that is open in VS Code.',
	]);
	expect(change?.label).toBe('connect Claude Code, Codex');
	await change?.undo();
	expect(texts()).toEqual([CLAUDE, CODEX]);
});

test('when an agent has written into its file since, then Undo takes back the entry alone', async () => {
	const { connect, texts, write } = openHome();
	answers.push('Claude Code');
	const change = await connect();
	write(texts()[0]?.replace('"numStartups": 3', '"numStartups": 4') ?? '');
	await change?.undo();
	expect(JSON.parse(texts()[0] ?? '')).toEqual({ ...JSON.parse(CLAUDE), numStartups: 4 });
});

test('when one is no longer ticked, then only its entry goes', async () => {
	const { connect, texts } = openHome();
	answers.push('Claude Code', 'Codex');
	await connect();
	answers.push('Codex');
	await connect();
	const [claude = '', codex = ''] = texts();
	expect(JSON.parse(claude)).toEqual(JSON.parse(CLAUDE));
	expect(codex).toContain('[mcp_servers.discovery]');
});

test('when the file of one changes meanwhile, then none is changed, and the user is told which', async () => {
	const { connect, texts } = openHome({ meanwhile: (codex) => writeFileSync(codex, '# Theirs.\n') });
	answers.push('Claude Code', 'Codex');
	await expect(connect()).rejects.toThrow(/config\.toml has changed meanwhile/);
	expect(texts()).toEqual([CLAUDE, '# Theirs.\n']);
});

test('when a file is malformed, then it is offered with its fault, and not touched', async () => {
	const { connect, texts } = openHome({ codex: '[broken' });
	answers.push('Codex');
	await expect(connect()).rejects.toThrow(/config\.toml cannot be changed/);
	expect(texts()).toEqual([CLAUDE, '[broken']);
});
