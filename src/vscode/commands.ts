import * as vscode from 'vscode';
import type { ConfigEdits } from '../config/edit.ts';
import { searchToolsDefinition } from '../discovery/searchTools/definition.ts';
import type { ServerPool } from '../mcp/serverPool.ts';
import type { ConfigFile } from './configFile.ts';
import type { DiscoveryHub } from './discoveryHub.ts';
import { commands, ids } from './ids.ts';
import type { ServerLogs } from './serverLogs.ts';
import type { ServerNode, ToolNode } from './treeItems.ts';

/** What commands act on. */
export interface CommandContext {
	readonly hub: DiscoveryHub;
	readonly pool: ServerPool;
	readonly configFile: ConfigFile;
	readonly logs: ServerLogs;
}

/** Registers every command; a failing one says what happened. */
export function registerCommands(context: CommandContext): vscode.Disposable {
	const handlers: Record<(typeof commands)[keyof typeof commands], (node?: unknown) => Promise<void>> = {
		[commands.createConfig]: () => createConfig(context),
		[commands.openConfig]: () => openConfig(context),
		[commands.enableDiscovery]: () => change(context, async () => (await edits()).enableDiscovery),
		[commands.rebuildIndex]: () => rebuildIndex(context),
		[commands.copyManifest]: () => copyManifest(context),
		[commands.selectToolset]: () => selectToolset(context),
		[commands.resetSession]: () => resetSession(context),
		[commands.startServer]: (node) =>
			onServer(context, node, (name) => progress(`Starting ${name}…`, context.pool.start(name))),
		[commands.stopServer]: (node) => onServer(context, node, (name) => context.pool.stop(name)),
		[commands.restartServer]: (node) =>
			onServer(context, node, (name) => progress(`Restarting ${name}…`, context.pool.restart(name))),
		[commands.showServerLog]: (node) => onServer(context, node, async (name) => context.logs.show(name)),
		[commands.pinServer]: (node) =>
			onServer(context, node, (name) =>
				change(context, async () => {
					const { pinServer } = await edits();
					return (text) => pinServer(text, name);
				}),
			),
		[commands.deferServer]: (node) =>
			onServer(context, node, (name) =>
				change(context, async () => {
					const { deferServer } = await edits();
					return (text) => deferServer(text, name);
				}),
			),
		[commands.pinTool]: (node) =>
			onTool(context, node, ({ tool }) =>
				change(context, async () => {
					const { pinTool } = await edits();
					return (text) => pinTool(text, tool.server, tool.name);
				}),
			),
		[commands.deferTool]: (node) => onTool(context, node, (toolNode) => deferTool(context, toolNode)),
		[commands.loadTool]: (node) =>
			onTool(context, node, async ({ tool }) => loadTool(context, tool.wireName)),
		[commands.unloadTool]: (node) =>
			onTool(context, node, async ({ tool }) => unloadTool(context, tool.wireName)),
	};
	return vscode.Disposable.from(
		...Object.entries(handlers).map(([id, handler]) =>
			vscode.commands.registerCommand(id, (node?: unknown) => handler(node).catch(report)),
		),
	);
}

function report(error: unknown): void {
	void vscode.window.showErrorMessage(`Discovery: ${error instanceof Error ? error.message : String(error)}`);
}

/** Edits of the configuration file; loaded on first use, with the schema library behind them. */
function edits(): Promise<typeof import('../config/edit.ts')> {
	return import('../config/edit.ts');
}

async function change(
	{ configFile }: CommandContext,
	makeEdit: () => Promise<(text: string) => ConfigEdits>,
): Promise<void> {
	const outcome = await configFile.edit(await makeEdit());
	if (outcome === 'unsaved') {
		void vscode.window.showInformationMessage(
			'Discovery: the change takes effect when you save the configuration file.',
		);
	}
}

/** Deferring takes an activated tool out of the current chat, too. */
async function deferTool(context: CommandContext, { tool, state }: ToolNode): Promise<void> {
	unloadTool(context, tool.wireName);
	if (state === 'activated') return;
	const names = context.hub.catalog.tools
		.filter(({ server }) => server === tool.server)
		.map(({ name }) => name);
	await change(context, async () => {
		const module = await edits();
		return (text) => module.deferTool(text, tool.server, tool.name, names);
	});
}

function loadTool({ hub }: CommandContext, wireName: string): void {
	const { discovery } = hub.currentOrNext();
	const tool = discovery.surface.get(wireName);
	if (tool) discovery.load([tool]);
}

function unloadTool({ hub }: CommandContext, wireName: string): void {
	const tool = hub.current?.discovery.surface.get(wireName);
	if (tool) hub.current?.discovery.unload([tool]);
}

async function createConfig({ configFile }: CommandContext): Promise<void> {
	const [uri] = configFile.uris;
	if (!uri) {
		await vscode.commands.executeCommand('vscode.openFolder');
		return;
	}
	const { state } = configFile;
	if (state.kind === 'ok' || state.kind === 'broken') {
		await vscode.window.showTextDocument(state.uri);
		return;
	}
	const { configTemplate } = await import('../config/template.ts');
	await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(configTemplate));
	await vscode.window.showTextDocument(uri);
	await configFile.reload();
}

async function openConfig({ configFile }: CommandContext): Promise<void> {
	const { state } = configFile;
	if (state.kind !== 'ok' && state.kind !== 'broken') {
		throw new Error('there is no configuration file yet. Create one with "Discovery: Create Configuration".');
	}
	const first = state.problems[0];
	const options = first
		? {
				selection: new vscode.Range(
					first.start.line,
					first.start.character,
					first.end.line,
					first.end.character,
				),
			}
		: {};
	await vscode.window.showTextDocument(state.uri, options);
}

async function rebuildIndex({ hub, pool }: CommandContext): Promise<void> {
	await vscode.window.withProgress(
		{ location: { viewId: ids.serversView }, title: 'Rebuilding the index…' },
		async () => {
			await pool.refresh();
			hub.rebuild();
		},
	);
	const { deferred, loaded } = hub.surface();
	vscode.window.setStatusBarMessage(
		`Discovery: index rebuilt, ${deferred.length} tools deferred, ${loaded.length} loaded.`,
		5000,
	);
}

async function copyManifest({ hub }: CommandContext): Promise<void> {
	const surface = hub.current?.discovery.surface ?? hub.surface();
	if (surface.deferred.length === 0) throw new Error('nothing is deferred, so there is no manifest.');
	await vscode.env.clipboard.writeText(searchToolsDefinition(surface).description);
	vscode.window.setStatusBarMessage('Discovery: manifest copied.', 3000);
}

async function selectToolset({ hub }: CommandContext): Promise<void> {
	if (hub.toolsets.size === 0) throw new Error('the configuration defines no toolsets ("tool_sets").');
	const session = hub.currentOrNext();
	const chosen = session.discovery.surface.toolset?.name;
	const all = { label: 'All Tools', name: undefined, description: chosen === undefined ? 'chosen' : '' };
	const items = [...hub.toolsets.values()].map(({ name, description }) => ({
		label: name,
		name,
		description: name === chosen ? 'chosen' : '',
		...(description && { detail: description }),
	}));
	const picked = await vscode.window.showQuickPick([all, ...items], { title: 'Toolset of the Current Chat' });
	if (picked) hub.chooseToolset(session, picked.name);
}

async function resetSession({ hub }: CommandContext): Promise<void> {
	if (!hub.current) throw new Error('there is no chat yet to reset.');
	hub.current.discovery.reset();
	hub.chooseToolset(hub.current, undefined);
	vscode.window.setStatusBarMessage('Discovery: the current chat starts afresh.', 3000);
}

/** Runs with the server of a tree item, or one that the user picks where the command came from the palette. */
async function onServer(
	{ pool }: CommandContext,
	node: unknown,
	run: (name: string) => Promise<void>,
): Promise<void> {
	if (isNode(node, 'server')) return run(node.status.name);
	const names = pool.servers().map((server) => server.name);
	if (names.length === 0) throw new Error('no server is configured, or the workspace is not trusted.');
	const picked = await vscode.window.showQuickPick(names, { title: 'Server' });
	if (picked !== undefined) await run(picked);
}

async function onTool(
	{ hub }: CommandContext,
	node: unknown,
	run: (node: ToolNode) => Promise<void>,
): Promise<void> {
	if (isNode(node, 'tool')) return run(node);
	const { tools } = hub.surface();
	if (tools.length === 0) throw new Error('no server has listed a tool yet.');
	const items = tools.map((tool) => ({ label: tool.id, detail: tool.description ?? '', tool }));
	const picked = await vscode.window.showQuickPick(items, { title: 'Tool', matchOnDetail: true });
	if (picked) await run({ kind: 'tool', tool: picked.tool, state: hub.toolStates()(picked.tool) });
}

function isNode(node: unknown, kind: 'server'): node is ServerNode;
function isNode(node: unknown, kind: 'tool'): node is ToolNode;
function isNode(node: unknown, kind: string): boolean {
	return typeof node === 'object' && node !== null && 'kind' in node && node.kind === kind;
}

async function progress(title: string, work: Promise<void>): Promise<void> {
	await vscode.window.withProgress({ location: { viewId: ids.serversView }, title }, () => work);
}
