import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/sessions.ts';
import { plain } from '../../common/markdown.ts';
import type { SearchMiss } from '../../discovery/catalog/searchMiss.ts';
import type { ListingWait } from '../../mcp/listing/listingWait.ts';
import { searchMiss } from '../../mcp/listing/unsearched.ts';
import type { Services } from '../../services.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, ids } from '../ui/ids.ts';
import { commandButton } from '../ui/messages.ts';

type ReadinessServices = Pick<Services, 'configFile' | 'trust'>;

/** Whether a message can be answered. If not, says what is missing, with a button that helps. */
export function isReady(services: ReadinessServices, stream: vscode.ChatResponseStream): boolean {
	const { state } = services.configFile;
	if (!vscode.workspace.isTrusted) {
		stream.markdown(l10n.t('MCP servers do not start until you trust this workspace.'));
		stream.button({ command: 'workbench.trust.manage', title: l10n.t('Manage Workspace Trust') });
		return false;
	}
	switch (state.kind) {
		case 'ok': {
			const usable = usableServers(services);
			if (usable === 'some') return true;
			const forbidden = services.trust.mcpAccess.forbidden(services.configFile);
			// Buttons come last: VS Code folds text before a button as a finished step.
			const say = (...words: readonly string[]) =>
				stream.markdown([...forbidden.texts.map((text) => plain(text)), ...words].join('\n\n'));
			const offerSettings = () => forbidden.isUsers && stream.button(accessSettings());
			if (usable === 'unapproved') {
				say(l10n.t('MCP servers start only after you approve them.'));
				offerReview(stream);
				offerSettings();
				return false;
			}
			if (usable === 'disabled') {
				say(
					forbidden.count > 0
						? l10n.t('All other servers are disabled.')
						: l10n.t('All servers are disabled.'),
				);
				stream.button(commandButton(commands.enable));
				offerSettings();
				return false;
			}
			if (usable === 'forbidden') {
				say();
				offerSettings();
				return false;
			}
			stream.markdown(l10n.t('The configuration has no server that can start.'));
			stream.button(commandButton(commands.addServer));
			stream.button(commandButton(commands.openConfig));
			return false;
		}
		case 'loading':
			stream.markdown(l10n.t('The configuration is still loading. Try again in a moment.'));
			return false;
		case 'none':
			if (!vscode.workspace.workspaceFolders?.length) {
				sayNoFolder(stream);
				return false;
			}
			stream.markdown(
				l10n.t(
					'This workspace has no {0} yet, so there are no MCP servers to search.',
					'`casual_mcp_config.json`',
				),
			);
			stream.button(commandButton(commands.addServer));
			stream.button(commandButton(commands.importServers));
			stream.button(commandButton(commands.createConfig));
			return false;
		case 'broken':
			stream.markdown(
				l10n.t(
					'The configuration cannot be read, so no MCP servers start. The errors are marked in the file.',
				),
			);
			stream.button(commandButton(commands.openConfig));
			return false;
	}
}

/** Opens the user's settings that forbid servers. */
function accessSettings(): vscode.Command {
	return {
		command: 'workbench.action.openSettings',
		title: l10n.t('Open Settings'),
		arguments: ['chat.mcp.access'],
	};
}

/** Whether a message has servers to use; else the main obstacle. */
function usableServers(
	services: ReadinessServices,
): 'some' | 'unapproved' | 'disabled' | 'forbidden' | 'none' {
	const config = services.configFile.inForce?.config;
	if (!config) return 'none';
	const { launches, policy, editorTools } = config;
	const waiting = waitingServers(services).length;
	const forbidden = services.trust.mcpAccess.forbidden(services.configFile).count;
	const off = [...launches].filter(
		([name, launch]) =>
			services.trust.switches.isServerDisabled(name, policy) && !services.trust.mcpAccess.ban(name, launch),
	).length;
	if (waiting + off + forbidden < launches.size || editorTools) return 'some';
	if (waiting > 0) return 'unapproved';
	if (off > 0) return 'disabled';
	return forbidden > 0 ? 'forbidden' : 'none';
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
	if (usableServers(services) !== 'unapproved') return false;
	stream.progress(l10n.t('Waiting for your approval. The answer follows.'));
	const isOver = Promise.withResolvers<void>();
	const look = () => {
		const usable = usableServers(services);
		const isDecided = usable === 'some' && (waitingServers(services).length === 0 || !isReviewOpen());
		if (isDecided || (usable !== 'some' && usable !== 'unapproved')) isOver.resolve();
	};
	const subscriptions = [
		services.trust.approvals.onDidChange(look),
		services.configFile.onDidChange(look),
		services.trust.switches.onDidChange(look),
		vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
			if (closed.some(isReview)) isOver.resolve();
		}),
		token.onCancellationRequested(() => isOver.resolve()),
	];
	try {
		await isOver.promise;
	} finally {
		for (const subscription of subscriptions) subscription.dispose();
	}
	if (token.isCancellationRequested) return false;
	if (usableServers(services) !== 'unapproved') return isReady(services, stream);
	stream.markdown(`\n\n${l10n.t('You did not approve a server, so this message was not answered.')}`);
	return false;
}

function isReviewOpen(): boolean {
	return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isReview));
}

function isReview({ input }: vscode.Tab): boolean {
	return input instanceof vscode.TabInputWebview && input.viewType.endsWith(ids.reviewPage);
}

/** The same text and buttons as in the Servers view of a window without a folder. */
function sayNoFolder(stream: vscode.ChatResponseStream): void {
	stream.markdown(
		l10n.t(
			'Open a folder to connect MCP servers, or create your own configuration, which applies in all workspaces.',
		),
	);
	// VS Code's own command, whose title cannot be looked up.
	stream.button({ command: 'vscode.openFolder', title: l10n.t('Open Folder') });
	stream.button(commandButton(commands.openConfig));
}

/** Servers that need approval. */
export function waitingServers({
	configFile,
	trust: { approvals },
}: Pick<ReadinessServices, 'configFile' | 'trust'>): readonly string[] {
	return approvals.pending(configFile.state).map(({ name }) => name);
}

/** Says under an answer that servers without approval took no part. */
export function sayWaiting(servers: readonly string[], stream: vscode.ChatResponseStream): void {
	if (servers.length === 0) return;
	stream.markdown(`\n\n${l10n.t('Needs approval, so not started: {0}', named(servers))}`);
	offerReview(stream);
}

function offerReview(stream: vscode.ChatResponseStream): void {
	stream.button(commandButton(commands.reviewServers));
}

/** What explains a search of a chat that finds nothing likely. */
export function searchMissOf(
	{ pool, configFile: { state } }: Pick<Services, 'pool' | 'configFile'>,
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
	pool: Services['pool'],
	listings: ListingWait,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
	isPermitted: (server: string) => boolean,
): Promise<void> {
	void pool.refreshIfStale();
	const stop = signalOf(token);
	try {
		const late = await listings.wait(
			(names) => stream.progress(l10n.t('Waiting for {0}…', named(names))),
			stop.signal,
			isPermitted,
		);
		if (late.length > 0) stream.progress(l10n.t('Still starting, so not searched yet: {0}', named(late)));
	} catch {
		// Cancelled: the loop has the same token and says so.
	} finally {
		stop.dispose();
	}
}

/** Names in Markdown, for text and progress. */
function named(servers: readonly string[]): string {
	return servers.map((name) => plain(name)).join(', ');
}
