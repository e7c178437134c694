import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { AcceptedDefinitions } from '../../mcp/accepted/acceptedDefinitions.ts';
import {
	definitionHash,
	definitionText,
	type QuarantinedTool,
	readableDefinition,
} from '../../mcp/accepted/definition.ts';
import type { ActionNode, CommandArguments, RunAction } from '../actions/action.ts';
import { ids } from '../ui/ids.ts';
import { fileBaseName, labelText } from '../ui/labelText.ts';
import { notify, say, warn } from '../ui/messages.ts';
import { closeDiffs, ReadingDocuments } from '../ui/readingEditor.ts';
import {
	acceptDetail,
	acceptQuestion,
	differenceTitle,
	misleadingWarning,
	quarantineMessage,
} from './quarantineLabels.ts';

/** Tools that have changed since the user accepted them: lists them, shows their changes, and accepts these. */
export class QuarantinedTools implements vscode.Disposable {
	readonly #accepted: AcceptedDefinitions;
	/** Both sides of open diff editors. */
	readonly #documents = new ReadingDocuments<QuarantinedTool>(
		ids.definitionScheme,
		() =>
			`// ${l10n.t('Changes can be shown until the window is closed. Run “Discovery: Review Changed Tools…” again.')}`,
	);

	constructor(accepted: AcceptedDefinitions) {
		this.#accepted = accepted;
	}

	get onDidChange(): AcceptedDefinitions['onDidChange'] {
		return this.#accepted.onDidChange;
	}

	/** The quarantined tools, by server. */
	get byServer(): ReadonlyMap<string, readonly QuarantinedTool[]> {
		return this.#accepted.quarantined;
	}

	get({ server, name }: Pick<CatalogTool, 'server' | 'name'>): QuarantinedTool | undefined {
		return this.byServer.get(server)?.find(({ tool }) => tool.name === name);
	}

	/** The tool that a diff editor shows, as the editor shows it. */
	shownIn(uri: unknown): QuarantinedTool | undefined {
		return uri instanceof vscode.Uri ? this.#documents.get(uri)?.source : undefined;
	}

	/** Opens a diff editor for one tool, or one with several tools of a server. */
	async show(tools: readonly QuarantinedTool[]): Promise<void> {
		const pairs = tools.map((changedTool) => ({ tool: changedTool.tool, ...this.#sides(changedTool) }));
		const [first] = pairs;
		if (pairs.length === 1 && first) {
			const title = differenceTitle(first.tool.name);
			await vscode.commands.executeCommand('vscode.diff', first.accepted, first.now, title);
		} else if (first) {
			const title = l10n.t('Changed tools of “{0}”', labelText(first.tool.server));
			const resources = pairs.map(({ accepted, now }) => [now, accepted, now]);
			await vscode.commands.executeCommand('vscode.changes', title, resources);
		}
	}

	/** Closes the diff editors of changes that were accepted, here or in another window. */
	closeAccepted(): Promise<void> {
		return closeDiffs((uri) => {
			const shownTool = this.shownIn(uri);
			return shownTool !== undefined && !this.get(shownTool.tool);
		});
	}

	/** Accepts the given definitions; returns the tools that have changed again since, and stay in quarantine. */
	accept(tools: readonly QuarantinedTool[]): readonly QuarantinedTool[] {
		for (const [server, ofServer] of Map.groupBy(tools, ({ tool }) => tool.server)) {
			this.#accepted.accept(server, ofServer);
		}
		return tools.filter(({ tool }) => this.#accepted.isQuarantined(tool.server, tool.name));
	}

	dispose(): void {
		this.#documents.dispose();
	}

	#sides(quarantined: QuarantinedTool): { readonly accepted: vscode.Uri; readonly now: vscode.Uri } {
		const { tool, accepted } = quarantined;
		const acceptedText = accepted === undefined ? unknownText(quarantined) : readableDefinition(accepted);
		// Lines wrap in this language: nothing that a description has gained may be outside of the window.
		const name = `${fileBaseName(tool.name)}.mcp-tool.jsonc`;
		const add = (text: string) => this.#documents.add(name, { text, source: quarantined });
		const warning = misleadingWarning(tool);
		const now = `${warning === '' ? '' : `// ${warning}\n`}${readableDefinition(definitionText(tool))}`;
		return { accepted: add(acceptedText), now: add(now) };
	}
}

function unknownText({ why }: QuarantinedTool): string {
	return `// ${unknownSentence(why)}\n`;
}

function unknownSentence(why: QuarantinedTool['why']): string {
	switch (why) {
		case 'changed':
			return l10n.t('The definition that you accepted was too large to store.');
		case 'unknown':
			return l10n.t('The definition that you accepted is no longer known.');
		case 'unread':
			return l10n.t('The definition that you accepted cannot be read now. Discovery’s log says why.');
	}
}

/** Until a file that cannot be read is reported, in milliseconds: a virus scanner holds it for a moment only. */
const unreadMs = 5000;

/** Notifies once about each change of a tool: nothing else says why search no longer finds it. Closes what shows accepted changes. */
export function registerQuarantineNotices(quarantined: QuarantinedTools, run: RunAction): vscode.Disposable {
	const notified = new Set<string>();
	let late: NodeJS.Timeout | undefined;
	const notifyAll = (isLate: boolean) => {
		for (const [server, ofServer] of quarantined.byServer) {
			const tools = ofServer.filter(({ why }) => (why === 'unread') === isLate);
			const fresh = tools
				.map(({ tool, why }) => JSON.stringify([server, why, definitionHash(tool)]))
				.filter((change) => !notified.has(change));
			for (const change of fresh) notified.add(change);
			if (fresh.length > 0) void notifyOf(server, tools, run);
		}
	};
	const listener = quarantined.onDidChange(() => {
		notifyAll(false);
		clearTimeout(late);
		late = setTimeout(notifyAll, unreadMs, true);
		void quarantined.closeAccepted();
	});
	return {
		dispose: () => {
			clearTimeout(late);
			listener.dispose();
		},
	};
}

async function notifyOf(server: string, tools: readonly QuarantinedTool[], run: RunAction): Promise<void> {
	const review = l10n.t('Review…');
	const answer = await warn(quarantineMessage(server, tools), review);
	if (answer === review) await run('reviewChanges', { server });
}

/** Shows the changes of a tool, or of all changed tools of a server. */
export async function reviewChanges(
	quarantined: QuarantinedTools,
	node: ActionNode | undefined,
): Promise<void> {
	if (node?.kind === 'server') return reviewServer(node.status.name, quarantined);
	const tool = node?.kind === 'tool' ? quarantined.get(node.tool) : undefined;
	if (tool) await quarantined.show([tool]);
}

/** Accepts the changes of tools; in a diff editor, of the tool that it shows. */
export async function acceptChange(
	quarantined: QuarantinedTools,
	nodes: readonly ActionNode[],
	[uri]: CommandArguments,
): Promise<void> {
	const shownTool = quarantined.shownIn(uri);
	const tools = nodes.flatMap((node) => (node.kind === 'tool' ? (quarantined.get(node.tool) ?? []) : []));
	const accepted = shownTool ? [shownTool] : tools;
	if (accepted.length > 0) accept(quarantined, accepted);
}

async function reviewServer(server: string, quarantined: QuarantinedTools): Promise<void> {
	const tools = quarantined.byServer.get(server) ?? [];
	// From a notification about changes that were accepted meanwhile, which VS Code still shows.
	if (tools.length === 0) return say(l10n.t('no change of {0} needs review.', labelText(server)));
	// A diff editor has a button that accepts its tool.
	if (tools.length === 1) return quarantined.show(tools);
	const [accepting, showing] = [l10n.t('Accept'), l10n.t('Show Changes')];
	const options = { modal: true, detail: acceptDetail(tools) };
	const question = acceptQuestion(server, tools);
	const answer = await vscode.window.showWarningMessage(question, options, accepting, showing);
	if (answer === accepting) accept(quarantined, tools);
	if (answer !== showing) return;
	await quarantined.show(tools);
	if ((await notify(question, accepting)) === accepting) accept(quarantined, tools);
}

/** Accepts what was shown: a tool that has changed again in the meantime stays in quarantine. */
function accept(quarantined: QuarantinedTools, tools: readonly QuarantinedTool[]): void {
	const [changedAgain] = quarantined.accept(tools);
	if (changedAgain) {
		const name = labelText(changedAgain.tool.name);
		throw new Error(l10n.t('{0} has changed again. Review the new change.', name));
	}
	say(tools.length === 1 ? l10n.t('change accepted.') : l10n.t('{0} changes accepted.', tools.length));
}
