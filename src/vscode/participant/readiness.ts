import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plain } from '../../common/markdown.ts';
import { ListingWait } from '../../mcp/listing/listingWait.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Services } from '../../services.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands } from '../ui/ids.ts';
import { commandButton } from '../ui/messages.ts';

type ReadinessServices = Pick<Services, 'configFile' | 'approvals'>;

/** Whether a message can be answered. Where it cannot, says what is missing, with a button that helps. */
export function isReady(services: ReadinessServices, stream: vscode.ChatResponseStream): boolean {
	const { state } = services.configFile;
	if (!vscode.workspace.isTrusted) {
		stream.markdown(l10n.t('This workspace is not trusted, so no MCP server is started.'));
		stream.button({ command: 'workbench.trust.manage', title: l10n.t('Manage Workspace Trust') });
		return false;
	}
	switch (state.kind) {
		case 'ok':
			if (waitingServers(services).length < state.config.launches.size || state.config.editorTools)
				return true;
			if (state.config.launches.size > 0) {
				stream.markdown(l10n.t('No MCP server is started before you have seen and approved what it runs.'));
				offerReview(stream);
				return false;
			}
			stream.markdown(l10n.t('The configuration names no server that can be started.'));
			stream.button(commandButton(commands.openConfig));
			return false;
		case 'loading':
			stream.markdown(l10n.t('The configuration is still being read. Ask again in a moment.'));
			return false;
		case 'none':
			stream.markdown(
				l10n.t(
					'This workspace has no {0} yet, so there are no MCP servers to find tools on.',
					'`casual_mcp_config.json`',
				),
			);
			stream.button(commandButton(commands.createConfig));
			stream.button(commandButton(commands.importServers));
			return false;
		case 'broken':
			stream.markdown(
				l10n.t(
					'The configuration cannot be read, so no MCP server is started. Its faults are marked in the file.',
				),
			);
			stream.button(commandButton(commands.openConfig));
			return false;
	}
}

/** Names of servers that wait for the user. */
export function waitingServers({ configFile, approvals }: ReadinessServices): readonly string[] {
	return approvals.pending(configFile.state).map(({ name }) => name);
}

/** Says under an answer which servers wait for the user: it was given without them. */
export function sayWaiting(servers: readonly string[], stream: vscode.ChatResponseStream): void {
	if (servers.length === 0) return;
	stream.markdown(`\n\n${l10n.t('Not started, because you have not approved it yet: {0}', named(servers))}`);
	offerReview(stream);
}

/** Leads to the review of the servers that wait. */
function offerReview(stream: vscode.ChatResponseStream): void {
	stream.button(commandButton(commands.reviewServers));
}

/** Lets a message wait for servers that have not told their tools yet, and says so in the chat. */
export class ServerWait {
	readonly #pool: ServerPool;
	readonly #listings: ListingWait;

	constructor(pool: ServerPool) {
		this.#pool = pool;
		this.#listings = new ListingWait(pool);
	}

	/**
	 * Resolves when the message can be answered. `isPermitted`: which servers the chat may use at all. Lists of tools that are old are fetched
	 * again at the same time; the message does not wait for those.
	 */
	async wait(
		stream: vscode.ChatResponseStream,
		token: vscode.CancellationToken,
		isPermitted: (server: string) => boolean,
	): Promise<void> {
		void this.#pool.refreshIfStale();
		const stop = signalOf(token);
		try {
			const late = await this.#listings.wait(
				(names) => stream.progress(l10n.t('Waiting for {0}…', named(names))),
				stop.signal,
				isPermitted,
			);
			if (late.length > 0) {
				stream.progress(l10n.t('Still starting, so not searched yet: {0}', named(late)));
			}
		} catch {
			// Cancelled: the loop, which has the same token, says so.
		} finally {
			stop.dispose();
		}
	}
}

/** Names in Markdown, which progress is, too. */
function named(servers: readonly string[]): string {
	return servers.map((name) => plain(name)).join(', ');
}
