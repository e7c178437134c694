import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/sessions.ts';
import { plain } from '../../common/markdown.ts';
import type { SearchMiss } from '../../discovery/catalog/searchMiss.ts';
import type { ListingWait } from '../../mcp/listing/listingWait.ts';
import { searchMiss } from '../../mcp/listing/unsearched.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Approvals } from '../core/approvals.ts';
import type { Configuration } from '../core/configuration.ts';
import type { McpAccess } from '../core/mcpAccess.ts';
import type { Switches } from '../core/switches.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, ids } from '../ui/ids.ts';
import { commandButton } from '../ui/messages.ts';
import { isPage, pageTabs } from '../ui/readingEditor.ts';

export type ReadinessServices = {
	readonly configFile: Configuration;
	readonly approvals: Approvals;
	readonly mcpAccess: McpAccess;
	readonly switches: Switches;
};

/** What keeps a message from being answered. */
type Obstacle =
	| 'untrusted'
	| 'loading'
	| 'noFolder'
	| 'none'
	| 'broken'
	| 'noServers'
	| 'unapproved'
	| 'disabled'
	| 'forbidden';

/** Whether a message can be answered. If not, says what is missing, with buttons that help. */
export function isReady(services: ReadinessServices, stream: vscode.ChatResponseStream): boolean {
	const obstacle = obstacleOf(services);
	if (!obstacle) return true;
	const { words, buttons } = helpWith(obstacle, services);
	stream.markdown(words.join('\n\n'));
	// Buttons come last: VS Code folds text before a button as a finished step.
	for (const button of buttons) stream.button(button);
	return false;
}

/** The main obstacle; `undefined`: there are servers to use. */
function obstacleOf(services: ReadinessServices): Obstacle | undefined {
	const { configFile, switches, mcpAccess } = services;
	const { state } = configFile;
	if (!vscode.workspace.isTrusted) return 'untrusted';
	if (state.kind === 'none') return vscode.workspace.workspaceFolders?.length ? 'none' : 'noFolder';
	if (state.kind !== 'ok') return state.kind;
	const { launches, policy, editorTools } = state.config;
	const waiting = waitingServers(services).length;
	const forbidden = mcpAccess.forbidden(configFile).count;
	const off = [...launches].filter(
		([name, launch]) => switches.isServerDisabled(name, policy) && !mcpAccess.ban(name, launch),
	).length;
	if (waiting + off + forbidden < launches.size || editorTools) return undefined;
	if (waiting > 0) return 'unapproved';
	if (off > 0) return 'disabled';
	return forbidden > 0 ? 'forbidden' : 'noServers';
}

function helpWith(
	obstacle: Obstacle,
	{ configFile, mcpAccess }: ReadinessServices,
): { readonly words: readonly string[]; readonly buttons: readonly vscode.Command[] } {
	const forbidden = mcpAccess.forbidden(configFile);
	const bans = forbidden.texts.map((text) => plain(text));
	// Opens the user's settings that forbid servers.
	const settings: vscode.Command = {
		command: 'workbench.action.openSettings',
		title: l10n.t('Open Settings'),
		arguments: ['chat.mcp.access'],
	};
	const ofBans = forbidden.isUsers ? [settings] : [];
	switch (obstacle) {
		case 'untrusted': {
			const manage = { command: 'workbench.trust.manage', title: l10n.t('Manage Workspace Trust') };
			return {
				words: [l10n.t('MCP servers do not start until you trust this workspace.')],
				buttons: [manage],
			};
		}
		case 'loading':
			return {
				words: [l10n.t('The configuration is still loading. Try again in a moment.')],
				buttons: [],
			};
		// The same text and buttons as in the Servers view of a window without a folder.
		case 'noFolder': {
			const text = l10n.t(
				'Open a folder to connect MCP servers, or create your own configuration, which applies in all workspaces.',
			);
			// VS Code's own command, whose title cannot be looked up.
			const open = { command: 'vscode.openFolder', title: l10n.t('Open Folder') };
			return { words: [text], buttons: [open, commandButton(commands.openConfig)] };
		}
		case 'none': {
			const text = l10n.t(
				'This workspace has no {0} yet, so there are no MCP servers to search.',
				'`casual_mcp_config.json`',
			);
			const ways = [commands.addServer, commands.openConfig];
			return { words: [text], buttons: ways.map((command) => commandButton(command)) };
		}
		case 'broken': {
			const text = l10n.t(
				'The configuration cannot be read, so no MCP servers start. The errors are marked in the file.',
			);
			return { words: [text], buttons: [commandButton(commands.openConfig)] };
		}
		case 'noServers':
			return {
				words: [l10n.t('The configuration has no server that can start.')],
				buttons: [commandButton(commands.addServer), commandButton(commands.openConfig)],
			};
		case 'unapproved': {
			const text = l10n.t('MCP servers start only after you approve them.');
			return { words: [...bans, text], buttons: [commandButton(commands.reviewServers), ...ofBans] };
		}
		case 'disabled': {
			const text =
				forbidden.count > 0 ? l10n.t('All other servers are disabled.') : l10n.t('All servers are disabled.');
			return { words: [...bans, text], buttons: [commandButton(commands.enable), ...ofBans] };
		}
		case 'forbidden':
			return { words: bans, buttons: ofBans };
	}
}

/**
 * Waits for approval if that is all a message lacks, until no server waits, or the review is closed with one approved. False: the user
 * stopped the message, or approved nothing.
 */
export async function waitForApproval(
	services: ReadinessServices,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
): Promise<boolean> {
	if (obstacleOf(services) !== 'unapproved') return false;
	stream.progress(l10n.t('Waiting for your approval. The answer follows.'));
	let isReviewClosed = false;
	const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
		isReviewClosed ||= closed.some((tab) => isPage(tab, ids.reviewPage));
	});
	try {
		await waitUntil(services, token, () => {
			const obstacle = obstacleOf(services);
			const isReviewing = waitingServers(services).length > 0 && pageTabs(ids.reviewPage).length > 0;
			return isReviewClosed || (obstacle ? obstacle !== 'unapproved' : !isReviewing);
		});
	} finally {
		closing.dispose();
	}
	if (token.isCancellationRequested) return false;
	if (obstacleOf(services) !== 'unapproved') return isReady(services, stream);
	stream.markdown(`\n\n${l10n.t('You did not approve a server, so this message was not answered.')}`);
	return false;
}

/** Waits until messages can be answered. False: cancelled before. */
export async function waitUntilReady(
	services: ReadinessServices,
	token: vscode.CancellationToken,
): Promise<boolean> {
	await waitUntil(services, token, () => obstacleOf(services) === undefined);
	return !token.isCancellationRequested;
}

/** Waits until a condition holds that depends on approvals, the configuration, switches or open tabs, or until the token is cancelled. */
async function waitUntil(
	{ configFile, approvals, switches }: ReadinessServices,
	token: vscode.CancellationToken,
	holds: () => boolean,
): Promise<void> {
	if (holds()) return;
	const isOver = Promise.withResolvers<void>();
	const look = () => {
		if (holds()) isOver.resolve();
	};
	const subscriptions = [
		approvals.onDidChange(look),
		configFile.onDidChange(look),
		switches.onDidChange(look),
		vscode.window.tabGroups.onDidChangeTabs(look),
		token.onCancellationRequested(() => isOver.resolve()),
	];
	try {
		await isOver.promise;
	} finally {
		for (const subscription of subscriptions) subscription.dispose();
	}
}

/** Servers that need approval. */
export function waitingServers({
	configFile,
	approvals,
}: Pick<ReadinessServices, 'configFile' | 'approvals'>): readonly string[] {
	return approvals.pending(configFile.state).map(({ name }) => name);
}

/** Says under an answer that servers without approval took no part. */
export function sayWaiting(servers: readonly string[], stream: vscode.ChatResponseStream): void {
	if (servers.length === 0) return;
	stream.markdown(`\n\n${l10n.t('Needs approval, so not started: {0}', named(servers))}`);
	stream.button(commandButton(commands.reviewServers));
}

/** What explains a search of a chat that finds nothing likely. */
export function searchMissOf(
	{ pool, configFile: { state } }: { readonly pool: ServerPool; readonly configFile: Configuration },
	{ discovery }: ChatSession,
	signal: AbortSignal,
): SearchMiss {
	const problems = state.kind === 'ok' ? state.problems : [];
	return searchMiss({
		pool,
		toolset: () => discovery.surface.toolset,
		faulty: () => [...new Set(problems.flatMap(({ off }) => off ?? []))],
		signal,
	});
}

/**
 * Waits, and says so in the chat, until the servers that a chat may use have listed their tools or take too long. Stale lists are fetched
 * again meanwhile, without waiting.
 */
export async function waitForServers(
	pool: ServerPool,
	listings: ListingWait,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
	isPermitted: (server: string) => boolean,
): Promise<void> {
	void pool.refreshIfStale();
	using stop = signalOf(token);
	try {
		const late = await listings.wait(
			(names) => stream.progress(l10n.t('Waiting for {0}…', named(names))),
			stop.signal,
			isPermitted,
		);
		if (late.length > 0) stream.progress(l10n.t('Still starting, so not searched yet: {0}', named(late)));
	} catch {
		// Cancelled: the loop has the same token and says so.
	}
}

/** Names in Markdown, for text and progress. */
function named(servers: readonly string[]): string {
	return servers.map((name) => plain(name)).join(', ');
}
