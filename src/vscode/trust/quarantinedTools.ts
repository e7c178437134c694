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
import { commands, ids } from '../ui/ids.ts';
import { fileBaseName, labelText } from '../ui/labelText.ts';
import { warn } from '../ui/messages.ts';
import { ReadingDocuments } from '../ui/readingEditor.ts';
import { differenceTitle, nameLength, quarantineMessage } from './quarantineLabels.ts';

/** Tools that have changed since the user accepted them: which they are, how they differ, and accepting them as they are now. */
export class QuarantinedTools implements vscode.Disposable {
	readonly #accepted: AcceptedDefinitions;
	/** The two sides of open differences. */
	readonly #documents = new ReadingDocuments<QuarantinedTool>(
		ids.definitionScheme,
		() => `// ${l10n.t('Differences are kept until their window is closed.')}`,
	);

	constructor(accepted: AcceptedDefinitions) {
		this.#accepted = accepted;
	}

	/** Other tools are in quarantine than before. */
	get onDidChange(): AcceptedDefinitions['onDidChange'] {
		return this.#accepted.onDidChange;
	}

	/** The tools in quarantine, by the name of their server. */
	get byServer(): ReadonlyMap<string, readonly QuarantinedTool[]> {
		return this.#accepted.held;
	}

	/** A tool in quarantine. */
	of({ server, name }: Pick<CatalogTool, 'server' | 'name'>): QuarantinedTool | undefined {
		return this.byServer.get(server)?.find(({ tool }) => tool.name === name);
	}

	/** The tool whose difference a document shows, as it shows it, whatever the tool has become since. */
	shownIn(uri: unknown): QuarantinedTool | undefined {
		return uri instanceof vscode.Uri ? this.#documents.get(uri)?.source : undefined;
	}

	/** Opens the difference of one tool, or those of several tools of a server one below the other. */
	async show(tools: readonly QuarantinedTool[]): Promise<void> {
		const pairs = tools.map((one) => ({ tool: one.tool, ...this.#sides(one) }));
		const [first] = pairs;
		if (pairs.length === 1 && first) {
			const title = differenceTitle(first.tool.name);
			await vscode.commands.executeCommand('vscode.diff', first.accepted, first.now, title);
		} else if (first) {
			const title = l10n.t('Changed tools of “{0}”', labelText(first.tool.server, nameLength));
			const resources = pairs.map(({ accepted, now }) => [now, accepted, now]);
			await vscode.commands.executeCommand('vscode.changes', title, resources);
		}
	}

	/** Accepts tools as they are given; returns those that have changed once more since, and so stay in quarantine. */
	accept(tools: readonly QuarantinedTool[]): readonly QuarantinedTool[] {
		for (const [server, its] of Map.groupBy(tools, ({ tool }) => tool.server)) {
			this.#accepted.accept(server, its);
		}
		return tools.filter(({ tool }) => this.#accepted.isHeld(tool.server, tool.name));
	}

	dispose(): void {
		this.#documents.dispose();
	}

	#sides(quarantined: QuarantinedTool): { readonly accepted: vscode.Uri; readonly now: vscode.Uri } {
		const { tool, accepted } = quarantined;
		const before = accepted === undefined ? unknownText(quarantined) : readableDefinition(accepted);
		// A language of its own, in which lines wrap: what a description gained must not stand outside the window.
		const name = `${fileBaseName(tool.name)}.mcp-tool.jsonc`;
		const add = (text: string) => this.#documents.add(name, { text, source: quarantined });
		return { accepted: add(before), now: add(readableDefinition(definitionText(tool))) };
	}
}

function unknownText({ why }: QuarantinedTool): string {
	const sentence =
		why === 'changed'
			? l10n.t('The definition that you accepted was too large to be kept.')
			: l10n.t('What you had accepted is not known any more.');
	return `// ${sentence}\n`;
}

/** Tells the user of tools in quarantine, once for each change: nothing else says why a tool is not found any more. */
export function registerQuarantineNotices(quarantined: QuarantinedTools): vscode.Disposable {
	const told = new Set<string>();
	const tell = () => {
		for (const [server, tools] of quarantined.byServer) {
			const fresh = tools
				.map(({ tool }) => JSON.stringify([server, definitionHash(tool)]))
				.filter((change) => !told.has(change));
			for (const change of fresh) told.add(change);
			if (fresh.length > 0) void notifyOf(server, tools);
		}
	};
	const listener = quarantined.onDidChange(tell);
	return { dispose: () => listener.dispose() };
}

async function notifyOf(server: string, tools: readonly QuarantinedTool[]): Promise<void> {
	const review = l10n.t('Review');
	const answer = await warn(quarantineMessage(server, tools), review);
	if (answer === review) await vscode.commands.executeCommand(commands.reviewChanges, { server });
}
