import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { assertNever } from '../../common/assertNever.ts';
import { code, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Unsearched, UnsearchedServer } from '../../discovery/catalog/searchMiss.ts';
import { ListingWait } from '../../mcp/listing/listingWait.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Services } from '../../services.ts';
import { signalOf } from '../ui/cancellation.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { failedName, stateNames } from '../ui/looks.ts';
import { commandButton } from '../ui/messages.ts';

type ReadinessServices = Pick<Services, 'configFile' | 'trust'>;

/** Whether a message can be answered. Where it cannot, says what is missing, with a button that helps. */
export function isReady(services: ReadinessServices, stream: vscode.ChatResponseStream): boolean {
	const { state } = services.configFile;
	if (!vscode.workspace.isTrusted) {
		stream.markdown(l10n.t('This workspace is not trusted, so no MCP server is started.'));
		stream.button({ command: 'workbench.trust.manage', title: l10n.t('Manage Workspace Trust') });
		return false;
	}
	switch (state.kind) {
		case 'ok': {
			const usable = usableServers(services);
			if (usable === 'some') return true;
			const forbidden = services.trust.mcpAccess.forbidden(services.configFile);
			// Buttons come last: VS Code folds what stands before one as a step that is done.
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
						: l10n.t('Every server of the configuration is disabled.'),
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
			stream.markdown(l10n.t('The configuration names no server that can be started.'));
			stream.button(commandButton(commands.addServer));
			stream.button(commandButton(commands.openConfig));
			return false;
		}
		case 'loading':
			stream.markdown(l10n.t('The configuration is still being read. Ask again in a moment.'));
			return false;
		case 'none':
			if (!vscode.workspace.workspaceFolders?.length) {
				sayNoFolder(stream);
				return false;
			}
			stream.markdown(
				l10n.t(
					'This workspace has no {0} yet, so there are no MCP servers to find tools on.',
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
					'The configuration cannot be read, so no MCP server is started. Its faults are marked in the file.',
				),
			);
			stream.button(commandButton(commands.openConfig));
			return false;
	}
}

/** Leads to the settings that forbid servers, where they are the user's own. */
function accessSettings(): vscode.Command {
	return {
		command: 'workbench.action.openSettings',
		title: l10n.t('Open Settings'),
		arguments: ['chat.mcp.access'],
	};
}

/** Whether there are servers that a message can use, in a configuration that is in force; else what most stands in the way. */
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
 * Lets a message wait that only lacks the user's approval of servers, so that it need not be sent again. It goes on once no server waits any
 * more, or the review is closed with one approved. True if the message can be answered; false if the user has stopped it, or has closed the
 * review without approving anything.
 */
export async function waitForApproval(
	services: ReadinessServices,
	stream: vscode.ChatResponseStream,
	token: vscode.CancellationToken,
): Promise<boolean> {
	if (usableServers(services) !== 'unapproved') return false;
	stream.progress(l10n.t('Waiting for your approval. Your message is answered after that.'));
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
	stream.markdown(`\n\n${l10n.t('You approved no server, so this message was not answered.')}`);
	return false;
}

function isReviewOpen(): boolean {
	return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isReview));
}

function isReview({ input }: vscode.Tab): boolean {
	return input instanceof vscode.TabInputWebview && input.viewType.endsWith(ids.reviewPage);
}

/** Says what the Servers view says in a window without a folder, with the same buttons. */
function sayNoFolder(stream: vscode.ChatResponseStream): void {
	stream.markdown(
		l10n.t(
			'Open a folder to connect MCP servers, or create your own configuration, which applies in all workspaces.',
		),
	);
	// A command of the editor's own, which no extension can look up.
	stream.button({ command: 'vscode.openFolder', title: l10n.t('Open Folder') });
	stream.button(commandButton(commands.openConfig));
}

/** Names of servers that wait for the user. */
export function waitingServers({
	configFile,
	trust: { approvals },
}: Pick<ReadinessServices, 'configFile' | 'trust'>): readonly string[] {
	return approvals.pending(configFile.state).map(({ name }) => name);
}

/** Says under an answer which servers wait for the user: it was given without them. */
export function sayWaiting(servers: readonly string[], stream: vscode.ChatResponseStream): void {
	if (servers.length === 0) return;
	stream.markdown(`\n\n${l10n.t('Needs approval, so not started: {0}', named(servers))}`);
	offerReview(stream);
}

/** Leads to the review of the servers that wait. */
function offerReview(stream: vscode.ChatResponseStream): void {
	stream.button(commandButton(commands.reviewServers));
}

/** Servers that one answer names of those that could not be searched, and buttons of one kind. */
const namedUnsearched = 10;
const mostButtons = 3;
/** Characters of a tool's name on a button. */
const nameOnButton = 60;
/** Characters that are shown of what a failed server said. */
const saidCharacters = 200;

/** Says under an answer what its last search could not look at and why, with a button for each reason. */
export function sayUnsearched({ servers, outside }: Unsearched, stream: vscode.ChatResponseStream): void {
	const named = servers
		.slice(0, namedUnsearched)
		.map((server) => `- ${code(server.name)}: ${whyUnsearched(server)}`);
	const rest = servers.length - named.length;
	const lines = [
		...(named.length > 0
			? [[l10n.t('Not searched, as their tools are not known:'), '', ...named].join('\n')]
			: []),
		...(rest > 0 ? [l10n.t('… and {0} more', rest)] : []),
		...(outside ? [outsideText(outside)] : []),
	];
	stream.markdown(`\n\n${lines.join('\n\n')}\n\n`);
	const reasons = Map.groupBy(servers, ({ why }) => why);
	for (const [why, its] of reasons) {
		const buttons = its.slice(0, mostButtons).flatMap(({ name }) => buttonFor(why, name) ?? []);
		// One button is for all of them.
		const isForAll = why === 'unapproved' || why === 'faulty';
		for (const button of isForAll ? buttons.slice(0, 1) : buttons) stream.button(button);
	}
	if (outside) stream.button(commandButton(commands.selectToolset));
}

/** Offers the review of changed tools that a search would have found. */
export function offerChanges(tools: Iterable<CatalogTool>, stream: vscode.ChatResponseStream): void {
	for (const { server, name, id } of tools)
		stream.button({
			command: commands.reviewChanges,
			title: l10n.t('Review Change of {0}', labelText(id, nameOnButton)),
			arguments: [{ server, tool: name }],
		});
}

/** Says under an answer whose search found nothing likely that search can be taught, where there is something to learn. */
export function sayTeachable(sessions: ChatSessions, stream: vscode.ChatResponseStream): void {
	if (sessions.untaught.length === 0) return;
	stream.markdown(
		`\n\n${l10n.t('Search finds more once a language model describes your tools in everyday words.')}\n\n`,
	);
	stream.button(commandButton(commands.teachSearch));
}

function outsideText({ toolset, servers }: NonNullable<Unsearched['outside']>): string {
	return servers === 1
		? l10n.t('The toolset {0} of this chat leaves out 1 server, which was not searched.', code(toolset))
		: l10n.t(
				'The toolset {0} of this chat leaves out {1} servers, which were not searched.',
				code(toolset),
				servers,
			);
}

function whyUnsearched({ why, said }: UnsearchedServer): string {
	switch (why) {
		case 'failed':
			return said === undefined ? stateNames().failed : failedName(plain(said, saidCharacters));
		case 'faulty':
			return failedName(l10n.t('its entry in the configuration has an error'));
		case 'forbidden':
			return l10n.t('Not allowed by your settings or your organization');
		default:
			return stateNames()[why];
	}
}

function buttonFor(why: UnsearchedServer['why'], name: string): vscode.Command | undefined {
	const onServer = (command: string, title: string): vscode.Command => ({
		command,
		title,
		arguments: [{ server: name }],
	});
	switch (why) {
		case 'starting':
		case 'forbidden':
			return undefined;
		case 'unapproved':
			return commandButton(commands.reviewServers);
		case 'signed-out':
			return onServer(commands.signIn, l10n.t('Sign In to {0}…', name));
		case 'failed':
			return onServer(commands.showServerLog, l10n.t('Show Log of {0}', name));
		case 'stopped':
			return onServer(commands.startServer, l10n.t('Start {0}', name));
		case 'faulty':
			return commandButton(commands.openConfig);
		default:
			return assertNever(why);
	}
}

/** Servers that are off because of faults of their entries. */
export function faultyServers({ configFile }: Pick<Services, 'configFile'>): readonly string[] {
	const { state } = configFile;
	if (state.kind !== 'ok') return [];
	return [...new Set(state.problems.flatMap(({ off }) => off ?? []))];
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
