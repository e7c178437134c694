import * as vscode from 'vscode';
import { subjectAt } from '../../config/assist/subjects.ts';
import { serverNodes } from '../servers/serverNodes.ts';
import { tooltipOf } from '../servers/treeRows.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';

/** Says of a server's or tool's name in the configuration file what the tree says of it. */
export class Hovers implements vscode.HoverProvider {
	readonly #parts: Pick<ConfigFeatureParts, 'hub' | 'pool' | 'configFile' | 'suggestions'>;

	constructor(parts: Pick<ConfigFeatureParts, 'hub' | 'pool' | 'configFile' | 'suggestions'>) {
		this.#parts = parts;
	}

	provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
		const subject = subjectAt(document.getText(), document.offsetAt(position));
		const { hub, pool, configFile, suggestions } = this.#parts;
		if (!subject || configFile.state.kind !== 'ok' || !vscode.workspace.isTrusted) return undefined;
		const servers = serverNodes(
			hub,
			pool.servers(),
			configFile.state.config.launches,
			suggestions.suggestions(),
		);
		const server = servers.find(({ status }) => status.name === subject.server);
		const node =
			subject.kind === 'server' ? server : server?.tools.find(({ tool }) => tool.name === subject.tool);
		if (!node) return undefined;
		const { start, end } = subject.stretch;
		const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
		return new vscode.Hover(new vscode.MarkdownString(tooltipOf(node)), range);
	}
}
