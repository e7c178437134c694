import * as l10n from '@vscode/l10n';
import { isKey } from '../../config/file/keyProblem.ts';
import { type CommandName, contextKeys } from '../ui/ids.ts';
import { wantsUser } from '../ui/looks.ts';
import { problemsOf, type ServerNode, type ToolNode } from '../ui/nodes.ts';
import type { Action, ActionNode } from './action.ts';

/** A condition on servers; false for the editor, which is listed among them. */
const servers = (applies: (server: ServerNode) => boolean) => (node: ActionNode) =>
	node.kind === 'server' && !node.isOfEditor && applies(node);
const tools = (applies: (tool: ToolNode) => boolean) => (node: ActionNode) =>
	node.kind === 'tool' && applies(node);
const either =
	(...conditions: readonly ((node: ActionNode) => boolean)[]) =>
	(node: ActionNode) =>
		conditions.some((applies) => applies(node));

const stateOf = ({ status }: ServerNode) => status.state.kind;
const isApproved = (server: ServerNode) => !['unapproved', 'disabled', 'forbidden'].includes(stateOf(server));
const isRunning = (server: ServerNode) => ['ready', 'starting'].includes(stateOf(server));
const allOf = ({ tools }: ServerNode) => tools.filter(({ state }) => state !== 'disabled');
const isOpen = (server: ServerNode) =>
	allOf(server).some(({ state }) => state === 'pinned' || state === 'loaded');
const isIn =
	(...states: readonly ToolNode['state'][]) =>
	({ state }: ToolNode) =>
		states.includes(state);
const ofServers =
	(...states: readonly ToolNode['state'][]) =>
	(tool: ToolNode) =>
		!tool.isOfEditor && states.includes(tool.state);

export const inForce = 'isWorkspaceTrusted && mcpDiscovery.configuration == ok';
const onDetails = 'resourceScheme == mcp-discovery-tool';
/** `ToolDetails` keeps the pages of tools that an action applies to in a context key. */
const onPages = (name: 'pinServer' | 'deferServer') => `resource in ${contextKeys.pages}.${name}`;
const always = 'true';
const both = ['servers', 'loaded'] as const;

/** Everything that the user can do, by the name of its command. `node scripts/actions/main.ts` writes the manifest from it. */
export const actions: Readonly<Record<CommandName, Action>> = {
	ask: {
		title: 'Ask @discovery',
		icon: 'comment-discussion',
		withoutTrust: true,
		palette: always,
		// Not as a button: with it, the buttons would leave no room for the name of a narrow view.
		titles: [{ view: 'servers', group: '1_chat@0', when: always }],
	},
	addServer: {
		title: 'Add Servers…',
		icon: 'add',
		palette: always,
		titles: [{ view: 'servers', group: 'navigation@3' }],
	},
	addModel: {
		title: 'Add Model…',
		palette: always,
		titles: [{ view: 'servers', group: '0_index@0', when: 'isWorkspaceTrusted' }],
	},
	openConfig: {
		title: 'Open Configuration',
		icon: 'go-to-file',
		appliesTo: (node) =>
			node.kind === 'origin' ||
			node.kind === 'faulty' ||
			(node.kind === 'server' && !node.isOfEditor && node.place !== undefined),
		single: true,
		asks: true,
		withoutTrust: true,
		palette: always,
		menu: '4_file@0',
		inline: { at: 1, only: ({ kind }) => kind === 'origin' },
		titles: [{ view: 'servers', group: '0_index@1', when: always }],
	},
	enableDiscovery: {},
	searchTools: {
		title: 'Search Tools…',
		icon: 'search',
		titles: [
			{ view: 'servers', group: 'navigation@1' },
			{ view: 'loaded', group: 'navigation@1' },
		],
	},
	rebuildIndex: {
		title: 'Rebuild Index',
		icon: 'refresh',
		titles: [{ view: 'servers', group: '0_index@2' }],
	},
	selectToolset: {
		title: 'Select Toolset…',
		titles: [
			{ view: 'servers', group: '1_chat@1' },
			{ view: 'loaded', group: '1_chat@3' },
		],
	},
	resetSession: {
		title: 'Reset Last Used Chat',
		titles: [
			{ view: 'servers', group: '1_chat@2' },
			{ view: 'loaded', group: '1_chat@1' },
		],
	},

	reviewServers: {
		title: 'Review Servers…',
		short: 'Review…',
		icon: 'shield',
		appliesTo: servers((server) => stateOf(server) === 'unapproved'),
		single: true,
		asks: true,
		menu: '1_run@1',
		inline: { at: 1 },
		lens: 1,
	},
	startServer: {
		title: 'Start Server',
		short: 'Start',
		icon: 'play',
		nothing: () => l10n.t('no server can be started.'),
		appliesTo: servers(
			(server) => isApproved(server) && !isRunning(server) && stateOf(server) !== 'signed-out',
		),
		menu: '1_run@1',
		inline: { at: 1 },
		lens: 4,
	},
	stopServer: {
		title: 'Stop Server',
		short: 'Stop',
		icon: 'debug-stop',
		nothing: () => l10n.t('no server is running.'),
		appliesTo: servers(isRunning),
		menu: '1_run@1',
		inline: { at: 1 },
		lens: 5,
	},
	restartServer: {
		title: 'Restart Server',
		short: 'Restart',
		icon: 'debug-restart',
		nothing: () => l10n.t('no server is running.'),
		appliesTo: servers(isRunning),
		ofServerOfTool: true,
		menu: '1_run@2',
		lens: 4,
		key: { key: 'f5', views: ['servers'] },
	},
	signIn: {
		title: 'Sign In…',
		icon: 'account',
		nothing: () => l10n.t('no server asks you to sign in.'),
		appliesTo: servers(({ status }) => wantsUser(status)),
		single: true,
		menu: '1_run@0',
		inline: { at: 0 },
		lens: 3,
	},
	signOut: {
		title: 'Sign Out',
		nothing: () => l10n.t('you are not signed in to any server.'),
		appliesTo: servers(({ status }) => status.signedIn === true),
		single: true,
		menu: '1_run@4',
	},
	pasteSignInAddress: {},
	showServerLog: {
		title: 'Show Server Log',
		short: 'Show Log',
		appliesTo: servers(isApproved),
		single: true,
		menu: '1_run@3',
		lens: 8,
	},
	browseResources: {
		title: 'Browse Resources…',
		// A server that is not running may have resources.
		appliesTo: servers((server) => isApproved(server) && server.status.offers?.resources !== false),
		single: true,
		menu: '2_read@1',
	},
	managePermissions: {
		title: 'Manage Permissions…',
		appliesTo: either(
			servers(isApproved),
			tools(({ rule }) => rule !== undefined),
		),
		single: true,
		asks: true,
		menu: '3_trust@1',
	},
	reviewChanges: {
		title: 'Review Changed Tools…',
		short: 'Review Change',
		icon: 'diff',
		nothing: () => l10n.t('no tool has changed.'),
		appliesTo: either(
			servers(({ tools }) => tools.some(isIn('changed'))),
			tools(isIn('changed')),
		),
		single: true,
		menu: '0_change@1',
		inline: { at: 1, only: tools(isIn('changed')) },
		lens: 2,
	},
	acceptChange: {
		title: 'Accept Tool Change',
		icon: 'check',
		appliesTo: tools(isIn('changed')),
		// In the palette, Review Changed Tools… leads to it.
		palette: false,
		menu: '0_change@2',
		inline: { at: 2 },
		editor: {
			when: 'resourceScheme == mcp-discovery-definition && isInDiffEditor',
			group: 'navigation@1',
		},
	},

	pinServer: {
		title: 'Pin',
		icon: 'pin',
		appliesTo: either(
			servers(
				(server) => isApproved(server) && !(allOf(server).length > 0 && allOf(server).every(isIn('pinned'))),
			),
			tools(ofServers('deferred', 'activated', 'loaded')),
		),
		menu: '2_placement@1',
		inline: { at: 2, only: (node) => node.kind !== 'server' || !isOpen(node) },
		editor: { when: onPages('pinServer'), group: 'navigation@2' },
		lens: 6,
		key: { key: 'alt+p', views: both },
	},
	deferServer: {
		title: 'Defer',
		icon: 'circle-outline',
		appliesTo: either(
			servers((server) => isApproved(server) && !allOf(server).every(isIn('deferred', 'activated'))),
			tools(ofServers('pinned', 'loaded', 'activated')),
		),
		menu: '2_placement@2',
		inline: { at: 3, only: (node) => node.kind !== 'tool' || node.state !== 'activated' },
		editor: { when: onPages('deferServer'), group: 'navigation@2' },
		lens: 7,
		key: { key: 'alt+d', views: both },
	},
	loadTool: {
		title: 'Load',
		icon: 'add',
		nothing: () => l10n.t('every tool is loaded.'),
		appliesTo: tools(isIn('deferred')),
		menu: '1_chat@1',
		key: { key: 'alt+l', views: ['servers'] },
	},
	unloadTool: {
		title: 'Unload',
		icon: 'remove',
		nothing: () => l10n.t('search has loaded no tool in this chat.'),
		appliesTo: tools(isIn('activated')),
		otherwise: 'removeServer',
		menu: '1_chat@1',
		inline: { at: 1 },
		key: { key: 'delete', mac: 'cmd+backspace', views: both },
	},
	disable: {
		title: 'Disable…',
		icon: 'circle-slash',
		appliesTo: either(
			servers((server) => stateOf(server) !== 'disabled'),
			tools((tool) => !tool.isOfEditor && tool.state !== 'disabled'),
		),
		otherwise: 'enable',
		menu: '4_disable@1',
		key: { key: 'ctrl+/', mac: 'cmd+/', views: ['servers'] },
	},
	enable: {
		title: 'Enable',
		icon: 'check',
		nothing: () => l10n.t('nothing is disabled.'),
		appliesTo: either(
			servers((server) => stateOf(server) === 'disabled'),
			tools(isIn('disabled')),
		),
		menu: '0_run@1',
		inline: { at: 1 },
		lens: 1,
	},
	setValue: {
		title: 'Set Value…',
		icon: 'key',
		nothing: () => l10n.t('no value is missing.'),
		appliesTo: (node) => node.kind === 'faulty' && node.unset.length > 0,
		single: true,
		menu: '1_run@1',
		inline: { at: 1 },
		lens: 1,
	},
	moveKeys: {
		title: 'Move Keys to Secret Storage',
		icon: 'key',
		appliesTo: (node) => problemsOf(node).some(isKey),
		single: true,
		asks: true,
		menu: '1_run@1',
		inline: { at: 1 },
	},
	dismiss: {
		title: 'Dismiss Warning',
		short: 'Dismiss',
		icon: 'close',
		appliesTo: (node) => problemsOf(node).some(({ severity }) => severity === 'warning'),
		palette: false,
		menu: '4_disable@1',
		inline: { at: 2 },
	},
	removeServer: {
		title: 'Remove Server',
		short: 'Remove',
		icon: 'trash',
		nothing: () => l10n.t('no server is configured.'),
		appliesTo: either(
			servers(() => true),
			(node) => node.kind === 'faulty',
		),
		menu: '4_disable@2',
	},
	undo: {
		title: 'Undo Last Change',
		icon: 'discard',
		palette: `${inForce} && ${contextKeys.canUndo}`,
		titles: [
			{ view: 'servers', group: '0_undo@1', when: `${inForce} && ${contextKeys.canUndo}` },
			{ view: 'loaded', group: 'navigation@0', when: contextKeys.canUndo },
		],
		key: { key: 'ctrl+z', mac: 'cmd+z', views: both },
	},

	runTool: {
		title: 'Run Tool…',
		short: 'Run…',
		icon: 'play',
		appliesTo: tools(ofServers('deferred', 'activated', 'loaded', 'pinned', 'outside')),
		single: true,
		asks: true,
		menu: '0_run@1',
		editor: { when: 'resourceScheme =~ /^mcp-discovery-(tool|result)$/', group: 'navigation@1' },
	},
	showTool: { appliesTo: ({ kind }) => kind === 'tool', single: true },
	copyName: {
		title: 'Copy Name',
		icon: 'copy',
		appliesTo: ({ kind }) => kind === 'server' || kind === 'tool',
		menu: '5_copy@1',
		editor: { when: onDetails, group: 'navigation@3' },
	},
	manageSecrets: {
		title: 'Set API Key or Secret…',
		short: 'Set API Key…',
		icon: 'key',
		withoutTrust: true,
		palette: 'workspaceFolderCount != 0 || mcpDiscovery.configuration == ok',
	},
	showContext: {
		title: 'Show Context',
		icon: 'graph',
		withoutTrust: true,
		palette: always,
		titles: [{ view: 'loaded', group: 'navigation@2', when: always }],
	},
	teachSearch: {
		title: 'Teach Search…',
		icon: 'mortar-board',
		appliesTo: servers((server) => isApproved(server) && allOf(server).length > 0),
		asks: true,
		menu: '2_read@2',
	},
	forget: {
		title: 'Forget What Search Learned…',
		withoutTrust: true,
		palette: always,
	},
	connectAgents: {
		title: 'Connect Other Agents…',
		titles: [{ view: 'servers', group: '2_agents@1' }],
	},
};
