import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/config.ts';
import { unknownToolProblems } from '../../config/unknownTools.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { ids } from '../ids.ts';
import { Pacer } from '../pacer.ts';
import type { ConfigFeatureParts } from './configFeatureParts.ts';
import { isConfigFile } from './configFeatureParts.ts';
import { toDiagnostic } from './diagnostics.ts';

/** Servers list their tools one after the other when they start, and people type: marks follow this long after. */
const remarkEveryMs = 300;

/** Tools that a configuration names and their servers do not have; of servers whose tools are known. */
export function toolProblems(text: string, { catalog }: DiscoveryHub): readonly ConfigProblem[] {
	const names = Map.groupBy(catalog.tools, ({ server }) => server);
	return unknownToolProblems(text, (server) => names.get(server)?.map(({ name }) => name) ?? []);
}

/** Marks such tools in open configuration files, and takes the marks away when a server turns out to have them. */
export function registerToolMarks(parts: Pick<ConfigFeatureParts, 'hub' | 'configFile'>): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection(`${ids.diagnostics} tools`);
	const pacer = new Pacer(() => {
		for (const document of vscode.workspace.textDocuments) {
			if (!isConfigFile(document, parts)) continue;
			collection.set(document.uri, toolProblems(document.getText(), parts.hub).map(toDiagnostic));
		}
	}, remarkEveryMs);
	pacer.request();
	return vscode.Disposable.from(
		collection,
		pacer,
		parts.hub.onDidChange(() => pacer.request()),
		parts.configFile.onDidChange(() => pacer.request()),
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (isConfigFile(document, parts)) pacer.request();
		}),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
	);
}
