import * as l10n from '@vscode/l10n';
import type { ChatSessions } from '../../chat/sessions.ts';
import { type DiscoveryPolicy, isServerDisabled, placement } from '../../discovery/catalog/policy.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import type { Services } from '../../services.ts';
import { nextAction, type SwitchAction } from '../placement/toolActions.ts';
import { commands } from '../ui/ids.ts';
import { wantsUser } from '../ui/looks.ts';
import type { PlacedNode, ToolNode } from '../ui/nodes.ts';

/** What a command that was called without a server or tool offers to choose from. */
export interface Choice<T> {
	/** Its id. */
	readonly command: string;
	/** What the chooser is called; left out, as the command is, whose title then says what it is for: `Start Server`. */
	readonly title?: string;
	/** What choosing does. */
	readonly placeHolder: string;
	/** Whether the command has something to do for a server or tool. */
	readonly offers: (candidate: T, sessions: ChatSessions) => boolean;
	/** What is said where it has nothing to do for any. */
	readonly nothing: string;
	/** What is said where it has nothing to do for what is selected in a view; absent in commands that are for one alone. */
	readonly nothingSelected?: string;
	/** Whether its key also works on selected servers. */
	readonly forServers?: true;
}

const isRunning = ({ state }: ServerStatus) => state.kind === 'ready' || state.kind === 'starting';
const isApproved = ({ state: { kind } }: ServerStatus) =>
	kind !== 'unapproved' && kind !== 'disabled' && kind !== 'forbidden';
const placed = ({ tool }: ToolNode, { policy }: ChatSessions) => placement(tool, policy);
const placedTools = ({ tools }: ServerStatus, { policy }: ChatSessions) =>
	tools.map((tool) => placement(tool, policy));

/** What the commands for one server are offered for, in the user's language. */
export function serverChoices(
	approvals: Pick<Services['approvals'], 'trustsHints'>,
	files: Pick<Services['configFile'], 'isUsers'>,
) {
	return {
		moveToUser: {
			command: commands.moveToUser,
			title: l10n.t('Move a Server to User Configuration'),
			placeHolder: l10n.t('Choose a server to have in all workspaces'),
			offers: ({ name }) => files.isUsers(name) === false,
			nothing: l10n.t('no server stands in the configuration of a workspace.'),
		},
		moveToWorkspace: {
			command: commands.moveToWorkspace,
			title: l10n.t('Move a Server to Workspace Configuration'),
			placeHolder: l10n.t('Choose a server to keep in this workspace only'),
			offers: ({ name }) => files.isUsers(name) === true,
			nothing: l10n.t('no server stands in your own configuration.'),
		},
		start: {
			command: commands.startServer,
			placeHolder: l10n.t('Choose a server to start'),
			offers: (server) => isApproved(server) && !isRunning(server),
			nothing: l10n.t('nothing to start: every server that you have approved runs.'),
		},
		stop: {
			command: commands.stopServer,
			placeHolder: l10n.t('Choose a server to stop; a call starts it again'),
			offers: isRunning,
			nothing: l10n.t('nothing to stop: no server runs.'),
		},
		restart: {
			command: commands.restartServer,
			placeHolder: l10n.t('Choose a server to stop and start again'),
			offers: isRunning,
			nothing: l10n.t('nothing to restart: no server runs.'),
		},
		signIn: {
			command: commands.signIn,
			title: l10n.t('Sign In to a Server'),
			placeHolder: l10n.t('Choose a server to sign in to, in the browser'),
			offers: wantsUser,
			nothing: l10n.t('no server wants you to sign in.'),
		},
		signOut: {
			command: commands.signOut,
			title: l10n.t('Sign Out of a Server'),
			placeHolder: l10n.t('Choose a server to sign out of'),
			offers: ({ signedIn }) => signedIn === true,
			nothing: l10n.t('you are signed in to no server.'),
		},
		withdraw: {
			command: commands.withdrawApproval,
			title: l10n.t('Revoke Approval of a Server'),
			placeHolder: l10n.t('Choose a server that ends until you approve it again'),
			offers: isApproved,
			nothing: l10n.t('nothing to withdraw: no server is approved.'),
		},
		trust: {
			command: commands.trustHints,
			placeHolder: l10n.t('Choose a server; what only reads runs without asking'),
			offers: (server) => isApproved(server) && !approvals.trustsHints(server.name),
			nothing: l10n.t('no server is approved whose marks are not trusted yet.'),
		},
		distrust: {
			command: commands.distrustHints,
			placeHolder: l10n.t('Choose a server of which every call asks you'),
			offers: ({ name }) => approvals.trustsHints(name),
			nothing: l10n.t('the read-only marks of no server are trusted.'),
		},
		browse: {
			command: commands.browseResources,
			title: l10n.t('Browse Resources of a Server'),
			placeHolder: l10n.t('Choose a server to browse: it starts if needed'),
			offers: (server) => isApproved(server) && server.offers?.resources !== false,
			nothing: l10n.t('no server that you have approved has resources.'),
		},
		teach: {
			command: commands.teachServer,
			title: l10n.t('Teach Search About a Server'),
			placeHolder: l10n.t('Choose a server whose tools search learns about'),
			offers: ({ tools }) => tools.length > 0,
			nothing: l10n.t('no tool is known yet. Tools appear after you approve their servers.'),
		},
		showLog: {
			command: commands.showServerLog,
			placeHolder: l10n.t('Choose a server whose messages are shown'),
			offers: () => true,
			nothing: l10n.t('no server is configured.'),
		},
		pin: {
			command: commands.pinServer,
			placeHolder: l10n.t('Choose a server to pin: every chat has its tools'),
			offers: (server, sessions) => !placedTools(server, sessions).every((place) => place === 'pinned'),
			nothing: l10n.t('nothing to pin: every tool is pinned, or none is known yet.'),
		},
		defer: {
			command: commands.deferServer,
			placeHolder: l10n.t('Choose a server to defer: its tools load when needed'),
			offers: (server, sessions) => placedTools(server, sessions).some((place) => place !== 'deferred'),
			nothing: l10n.t('nothing to defer: every tool is deferred, or none is known yet.'),
		},
	} satisfies Record<string, Choice<ServerStatus>>;
}

/** What disabling and enabling are offered for, in the user's language. */
export function switchChoices() {
	return {
		disable: {
			command: commands.disable,
			title: l10n.t('Disable a Server or Tool'),
			placeHolder: l10n.t('Choose what nothing uses until you enable it'),
			offers: (node, { policy }) => !isOfEditor(node) && !isSwitchedOff(node, policy),
			nothing: l10n.t('nothing to disable: no server is configured.'),
			nothingSelected: l10n.t('nothing to disable in the selection.'),
		},
		enable: {
			command: commands.enable,
			title: l10n.t('Enable a Server or Tool'),
			placeHolder: l10n.t('Choose a server or a tool that you have disabled'),
			offers: (node, { policy }) => isSwitchedOff(node, policy),
			nothing: l10n.t('nothing is disabled.'),
			nothingSelected: l10n.t('nothing in the selection is disabled.'),
		},
	} satisfies Record<SwitchAction, Choice<PlacedNode>>;
}

function isOfEditor(node: PlacedNode): boolean {
	return 'isOfEditor' in node && node.isOfEditor === true;
}

/** Whether the user has disabled a server, or this one tool. */
export function isSwitchedOff(node: PlacedNode, policy: DiscoveryPolicy): boolean {
	return node.kind === 'tool' ? node.state === 'disabled' : isServerDisabled(node.status.name, policy);
}

/** What the commands for one tool are offered for, in the user's language. */
export function toolChoices() {
	return {
		pin: {
			command: commands.pinTool,
			placeHolder: l10n.t('Choose a tool that every chat has from now on'),
			offers: (node, sessions) => !node.isOfEditor && placed(node, sessions) !== 'pinned',
			nothing: l10n.t('nothing to pin: every tool is pinned, or none is known yet.'),
			nothingSelected: l10n.t('nothing to pin in the selection.'),
			forServers: true,
		},
		defer: {
			command: commands.deferTool,
			placeHolder: l10n.t('Choose a tool that chats load only when they need it'),
			offers: (node, sessions) =>
				!node.isOfEditor && (placed(node, sessions) !== 'deferred' || node.state === 'activated'),
			nothing: l10n.t('nothing to defer: every tool is deferred, or none is known yet.'),
			nothingSelected: l10n.t('nothing to defer in the selection.'),
			forServers: true,
		},
		run: {
			command: commands.runTool,
			placeHolder: l10n.t('Choose a tool to run; its parameters are asked for next'),
			offers: (node) => !node.isOfEditor,
			nothing: l10n.t(
				'nothing to run: no tool is known yet. Servers tell their tools once you have approved them.',
			),
		},
		load: {
			command: commands.loadTool,
			placeHolder: l10n.t('Choose a tool that the last used chat has from now on'),
			offers: ({ state }) => state === 'deferred',
			nothing: l10n.t('nothing to load: no tool is deferred.'),
			nothingSelected: l10n.t('nothing to load in the selection.'),
		},
		unload: {
			command: commands.unloadTool,
			placeHolder: l10n.t('Choose a tool to take out of the last used chat'),
			offers: ({ state }) => state === 'activated',
			nothing: l10n.t('nothing to unload: the last used chat has loaded no tool.'),
			nothingSelected: l10n.t('nothing in the selection was loaded by the last used chat.'),
		},
		cycle: {
			command: commands.cycleTool,
			placeHolder: l10n.t('Choose a tool: deferred, then loaded, then pinned'),
			offers: (node) => nextAction(node) !== undefined,
			nothing: l10n.t('no tool is known yet.'),
			nothingSelected: l10n.t('no tool is selected whose state can be set.'),
		},
	} satisfies Record<string, Choice<ToolNode>>;
}
