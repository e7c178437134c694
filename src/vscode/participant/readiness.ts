import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/sessions.ts';
import { plain } from '../../common/markdown.ts';
import type { SearchMiss } from '../../discovery/catalog/searchMiss.ts';
import { ListingWait } from '../../mcp/listing/listingWait.ts';
import { searchMiss } from '../../mcp/listing/unsearched.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Approvals } from '../core/approvals.ts';
import type { Configuration } from '../core/configuration.ts';
import type { McpAccess } from '../core/mcpAccess.ts';
import type { Switches } from '../core/switches.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, ids } from '../ui/ids.ts';
import { serverLook } from '../ui/looks.ts';
import { commandButton } from '../ui/messages.ts';
import { isPage, pageTabs } from '../ui/readingEditor.ts';
import { helpWith, type Obstacle } from './obstacles.ts';

interface ReadinessParts {
	readonly pool: ServerPool;
	readonly configFile: Configuration;
	readonly approvals: Approvals;
	readonly switches: Switches;
	readonly mcpAccess: McpAccess;
}

/** Which servers a chat can use now, what keeps it from using others, and waiting for them. */
export class Readiness {
	readonly #parts: ReadinessParts;
	readonly #listings: ListingWait;

	constructor(parts: ReadinessParts) {
		this.#parts = parts;
		this.#listings = new ListingWait(parts.pool);
	}

	/** Whether a message can be answered. If not, says what is missing, with buttons that help. */
	isReady(stream: vscode.ChatResponseStream): boolean {
		const obstacle = this.#obstacle;
		if (!obstacle) return true;
		const { configFile, mcpAccess } = this.#parts;
		const { words, buttons } = helpWith(obstacle, mcpAccess.forbidden(configFile));
		stream.markdown(words.join('\n\n'));
		// Buttons come last: VS Code folds text before a button as a finished step.
		for (const button of buttons) stream.button(button);
		return false;
	}

	/**
	 * Waits for approval if that is all a message lacks, until no server waits, or the review is closed with one approved. False: the user
	 * stopped the message, or approved nothing.
	 */
	async waitForApproval(
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
	): Promise<boolean> {
		if (this.#obstacle !== 'unapproved') return false;
		stream.progress(l10n.t('Waiting for your approval. The answer follows.'));
		let isReviewClosed = false;
		const closing = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
			isReviewClosed ||= closed.some((tab) => isPage(tab, ids.reviewPage));
		});
		try {
			await this.#until(token, () => {
				const obstacle = this.#obstacle;
				const isReviewing = this.waiting.length > 0 && pageTabs(ids.reviewPage).length > 0;
				return isReviewClosed || (obstacle ? obstacle !== 'unapproved' : !isReviewing);
			});
		} finally {
			closing.dispose();
		}
		if (token.isCancellationRequested) return false;
		if (this.#obstacle !== 'unapproved') return this.isReady(stream);
		stream.markdown(`\n\n${l10n.t('You did not approve a server, so this message was not answered.')}`);
		return false;
	}

	/** Waits until messages can be answered. False: cancelled before. */
	async waitUntilReady(token: vscode.CancellationToken): Promise<boolean> {
		await this.#until(token, () => this.#obstacle === undefined);
		return !token.isCancellationRequested;
	}

	/**
	 * Waits, and says so in the chat, until the servers that a chat may use have listed their tools or take too long. Stale lists are fetched
	 * again meanwhile, without waiting.
	 */
	async waitForServers(
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
		isPermitted: (server: string) => boolean,
	): Promise<void> {
		void this.#parts.pool.refreshIfStale();
		using stop = signalOf(token);
		try {
			const late = await this.#listings.wait(
				(names) => stream.progress(l10n.t('Waiting for {0}…', namesText(names))),
				stop.signal,
				isPermitted,
			);
			if (late.length > 0)
				stream.progress(l10n.t('Still starting, so not searched yet: {0}', namesText(late)));
		} catch {
			// Cancelled: the loop has the same token and says so.
		}
	}

	/** Servers that need approval. */
	get waiting(): readonly string[] {
		const { configFile, approvals } = this.#parts;
		return approvals.pending(configFile.state).map(({ name }) => name);
	}

	/** Why a server that failed stays down until the user helps; `undefined`: it runs, or is restarted by itself. */
	whyDown(server: string): 'signed-out' | 'stopped' | undefined {
		const state = this.#parts.pool.server(server)?.state;
		if (state?.kind === 'signed-out') return 'signed-out';
		return state?.kind === 'failed' && state.nextAttemptAt === undefined ? 'stopped' : undefined;
	}

	/** `Failed: command not found`; `undefined`: it has not failed. */
	failureOf(server: string): string | undefined {
		const status = this.#parts.pool.server(server);
		return status?.state.kind === 'failed' ? serverLook(status).word : undefined;
	}

	/** What explains a search of a chat that finds nothing likely. */
	searchMiss({ discovery }: ChatSession, signal: AbortSignal): SearchMiss {
		const {
			pool,
			configFile: { state },
		} = this.#parts;
		const problems = state.kind === 'ok' ? state.problems : [];
		return searchMiss({
			pool,
			toolset: () => discovery.surface.toolset,
			faulty: () => [...new Set(problems.flatMap(({ off }) => off ?? []))],
			signal,
		});
	}

	/** The main obstacle; `undefined`: there are servers to use. */
	get #obstacle(): Obstacle | undefined {
		const { configFile, switches, mcpAccess } = this.#parts;
		const { state } = configFile;
		if (!vscode.workspace.isTrusted) return 'untrusted';
		if (state.kind === 'none') return vscode.workspace.workspaceFolders?.length ? 'none' : 'noFolder';
		if (state.kind !== 'ok') return state.kind;
		const { launches, policy, editorTools } = state.config;
		const waiting = this.waiting.length;
		const forbidden = mcpAccess.forbidden(configFile).count;
		const off = [...launches].filter(
			([name, launch]) => switches.isServerDisabled(name, policy) && !mcpAccess.ban(name, launch),
		).length;
		if (waiting + off + forbidden < launches.size || editorTools) return undefined;
		if (waiting > 0) return 'unapproved';
		if (off > 0) return 'disabled';
		return forbidden > 0 ? 'forbidden' : 'noServers';
	}

	/** Waits until a condition holds that depends on approvals, the configuration, switches or open tabs, or until the token is cancelled. */
	async #until(token: vscode.CancellationToken, isOver: () => boolean): Promise<void> {
		if (isOver()) return;
		const { configFile, approvals, switches } = this.#parts;
		const end = Promise.withResolvers<void>();
		const look = () => {
			if (isOver()) end.resolve();
		};
		const subscriptions = [
			approvals.onDidChange(look),
			configFile.onDidChange(look),
			switches.onDidChange(look),
			vscode.window.tabGroups.onDidChangeTabs(look),
			token.onCancellationRequested(() => end.resolve()),
		];
		try {
			await end.promise;
		} finally {
			for (const subscription of subscriptions) subscription.dispose();
		}
	}
}

/** Says under an answer that servers without approval took no part. */
export function sayWaiting(servers: readonly string[], stream: vscode.ChatResponseStream): void {
	if (servers.length === 0) return;
	stream.markdown(`\n\n${l10n.t('Needs approval, so not started: {0}', namesText(servers))}`);
	stream.button(commandButton(commands.reviewServers));
}

/** Names in Markdown, for text and progress. */
function namesText(servers: readonly string[]): string {
	return servers.map((name) => plain(name)).join(', ');
}
