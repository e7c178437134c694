import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/common/event.ts';
import { offerToEditorAgents } from '../../../src/vscode/agentMode/editorAgents.ts';
import { commands, ids, settings } from '../../../src/vscode/ui/ids.ts';
import { answer, answerCalls, pick, restoreDialogs } from './dialogs.ts';
import { eventually, fileUri, serversListed, textOf } from './workspace.ts';

const configuration = () => vscode.workspace.getConfiguration(settings.section);
const parsed = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('given a machine with other agents, when the user connects one', () => {
	const env = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };
	let home: string;
	let entry: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
	const agent = new Client({ name: 'gemini-cli', title: 'Gemini CLI', version: '1' });

	before(async () => {
		await serversListed();
		home = await mkdtemp(path.join(tmpdir(), 'agents-'));
		process.env.HOME = home;
		delete process.env.XDG_CONFIG_HOME;
		await mkdir(path.join(home, '.gemini'));
	});

	after(async () => {
		restoreDialogs();
		await agent.close();
		Object.assign(process.env, env);
		await configuration().update(settings.gateway, undefined, vscode.ConfigurationTarget.Global);
		await rm(home, { recursive: true, force: true });
	});

	const file = () => path.join(home, '.gemini', 'settings.json');
	const connect = async (ticked: boolean) => {
		const shown: string[] = [];
		const pick = async (items: readonly { readonly label: string }[]) => {
			shown.push(...items.map(({ label }) => label));
			return ticked ? items : [];
		};
		Object.defineProperty(vscode.window, 'showQuickPick', {
			value: pick,
			configurable: true,
			writable: true,
		});
		answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.connectAgents);
		restoreDialogs();
		return shown;
	};

	test('then only agents that are there are offered, and the entry holds no secret', async () => {
		assert.deepEqual(await connect(true), ['Gemini CLI']);
		const written = await readFile(file(), 'utf8');
		entry = JSON.parse(written).mcpServers.discovery;
		assert.ok(entry.args.length === 2, written);
		assert.equal(configuration().get(settings.gateway), true);
	});

	test('then the agent finds a tool and reads with it, through the program of its entry', async () => {
		const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
		await agent.connect(
			new StdioClientTransport({
				...entry,
				env: { ...(process.env as Record<string, string>), ...entry.env },
				cwd,
			}),
		);
		const { tools } = await agent.listTools();
		assert.match(tools[0]?.description ?? '', /filesystem/);
		assert.ok(JSON.stringify(tools).length < 2_500);
		const found = JSON.parse(
			parsed(await agent.callTool({ name: 'search_tools', arguments: { query: 'read a text file' } })),
		);
		assert.equal(found.matches[0].name, 'filesystem:read_text_file');
		const read = await agent.callTool({
			name: 'call_tool',
			arguments: { tool: 'filesystem:read_text_file', arguments: { path: 'docs/architecture.md' } },
		});
		assert.equal(read.isError, false, parsed(read));
		assert.match(parsed(read), /^# Tea Shop: architecture\n/);
	});

	test('then a call that changes something asks in the editor, and names the agent', async () => {
		const call = {
			name: 'call_tool',
			arguments: { tool: 'filesystem:write_file', arguments: { path: 'agent.txt', content: 'hello' } },
		};
		let asked = answerCalls('Skip');
		const declined = await agent.callTool(call);
		assert.equal(declined.isError, true);
		assert.match(parsed(declined), /The user declined to run filesystem:write_file/);
		assert.match(asked[0]?.message ?? '', /Requested by agent Gemini CLI/);
		asked = answerCalls('Allow Once');
		assert.equal((await agent.callTool(call)).isError, false);
		assert.equal(asked.length, 1);
		assert.equal(await textOf(fileUri('agent.txt')), 'hello');
		restoreDialogs();
		await vscode.workspace.fs.delete(fileUri('agent.txt'));
	});

	test('when a call of the agent takes long, then the editor shows it and can stop it, and the agent hears that the user did', async () => {
		answerCalls('Allow Once');
		const { withProgress } = vscode.window;
		const shown: (string | undefined)[] = [];
		const progress = (value: typeof withProgress) =>
			Object.defineProperty(vscode.window, 'withProgress', { value, configurable: true, writable: true });
		progress(async ({ title }, work) => {
			shown.push(title);
			const cancel = new vscode.CancellationTokenSource();
			setTimeout(() => cancel.cancel());
			return work({ report: () => {} }, cancel.token);
		});
		const stopped = await agent.callTool({
			name: 'call_tool',
			arguments: {
				tool: 'everything:trigger-long-running-operation',
				arguments: { duration: 300, steps: 2 },
			},
		});
		progress(withProgress);
		restoreDialogs();
		assert.deepEqual(shown, ['Gemini CLI is calling everything:trigger-long-running-operation…']);
		assert.equal(stopped.isError, true);
		assert.match(parsed(stopped), /The user stopped this call in VS Code/);
	});

	test('when the user answers after the agent has given up, then the answer counts for the same call, unless the tool is forbidden meanwhile', async () => {
		const call = (content: string) => ({
			name: 'call_tool',
			arguments: { tool: 'filesystem:write_file', arguments: { path: 'late.txt', content } },
		});
		const givenUp = async (content: string) => {
			const late = Promise.withResolvers<string>();
			const asked = answerCalls(late.promise, 'Never Allow in This Workspace');
			const gone = assert.rejects(agent.callTool(call(content), { timeout: 2_000 }), /timed out/i);
			await eventually('the question', () => asked.length === 1 || undefined);
			await gone;
			// The editor has heard of it once later messages are answered.
			for (const _ of [1, 2]) await agent.listTools();
			late.resolve('Allow Once');
			return asked;
		};
		const asked = await givenUp('one');
		assert.equal((await agent.callTool(call('one'))).isError, false);
		assert.equal(await textOf(fileUri('late.txt')), 'one');
		assert.equal(asked.length, 1);

		await givenUp('two');
		assert.match(
			parsed(await agent.callTool(call('three'))),
			/does not allow calls of filesystem:write_file/,
		);
		assert.match(parsed(await agent.callTool(call('two'))), /does not allow calls of filesystem:write_file/);
		assert.equal(await textOf(fileUri('late.txt')), 'one');
		restoreDialogs();
		pick('filesystem:write_file');
		await vscode.commands.executeCommand(commands.managePermissions, { server: 'filesystem' });
		restoreDialogs();
		await vscode.workspace.fs.delete(fileUri('late.txt'));
	});

	test('when the user disconnects it, then the entry is gone, and undo brings it back', async () => {
		const before = await readFile(file(), 'utf8');
		await connect(false);
		assert.doesNotMatch(await readFile(file(), 'utf8'), /discovery/);
		await vscode.commands.executeCommand(commands.undo);
		assert.equal(await readFile(file(), 'utf8'), before);
	});

	test('then VS Code hands the same server to its own agents, and to a chat that has the four tools already none of them', async () => {
		const turn = async (isOn: boolean) => {
			await configuration().update(settings.gateway, isOn, vscode.ConfigurationTarget.Global);
			const note = path.join(entry.args[1] ?? '', `${process.pid}.json`);
			await eventually('the window to follow', async () => existsSync(note) === isOn || undefined);
		};
		const start = () =>
			vscode.commands.executeCommand('workbench.mcp.startServer', `${ids.extension}/discovery`, {
				waitForLiveTools: true,
			});
		const offered = () =>
			vscode.lm.tools
				.map(({ name }) => name)
				.filter((name) => /^mcp_.*discovery.*_(tools|tool|details)$/.test(name));
		const { appName } = vscode.env;
		const asEditor = (value: string) =>
			Object.defineProperty(vscode.env, 'appName', { value, configurable: true });
		await turn(false);
		asEditor('Another Editor');
		await turn(true);
		const names = await eventually('the tools', async () => {
			await start();
			return offered().length > 0 ? offered() : undefined;
		});
		assert.equal(names.length, 4, names.join());
		const list = names.find((name) => name.endsWith('list_tools')) ?? '';
		const { content } = await vscode.lm.invokeTool(list, { input: {}, toolInvocationToken: undefined });
		assert.match(JSON.stringify(content), /filesystem:read_text_file/);
		await turn(false);
		await eventually('the offer to end', async () => offered().length === 0 || undefined);
		asEditor(appName);
		await turn(true);
		await start();
		assert.deepEqual(offered(), []);
	});

	test('when the setting is turned off, then the agent hears where to turn it on', async () => {
		await configuration().update(settings.gateway, false, vscode.ConfigurationTarget.Global);
		const refused = await eventually('the window to be gone', async () => {
			const result = await agent.callTool({ name: 'list_tools', arguments: {} });
			return result.isError ? parsed(result) : undefined;
		});
		assert.match(refused, /Discovery: Connect Other Agents…/);
	});
});

test('given services that change, when VS Code asks again, then the version of what it is offered changes, and only then', async () => {
	const { registerMcpServerDefinitionProvider } = vscode.lm;
	const replace = (value: typeof registerMcpServerDefinitionProvider) =>
		Object.defineProperty(vscode.lm, 'registerMcpServerDefinitionProvider', {
			value,
			configurable: true,
			writable: true,
		});
	let provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> | undefined;
	replace((_id, given) => {
		provider = given as typeof provider;
		return new vscode.Disposable(() => {});
	});
	let services = ['github'];
	const changes = new Emitter<void>();
	const start = { command: 'node', args: ['connect.mjs', 'windows'], env: {} };
	const tools = { services: async () => services };
	const offer = offerToEditorAgents({ start, folder: '/work', tools, onDidChange: changes.event });
	replace(registerMcpServerDefinitionProvider);
	let asked = 0;
	provider?.onDidChangeMcpServerDefinitions?.(() => asked++);
	const offered = async () =>
		(await provider?.provideMcpServerDefinitions(new vscode.CancellationTokenSource().token))?.[0];
	const before = await offered();
	assert.deepEqual(before?.args, ['connect.mjs', 'windows', '/work']);
	changes.fire();
	assert.equal((await offered())?.version, before.version);
	assert.equal(asked, 0);
	services = ['github', 'files'];
	changes.fire();
	await eventually('the event', async () => asked === 1 || undefined);
	assert.notEqual((await offered())?.version, before.version);
	offer.dispose();
});
