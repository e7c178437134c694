import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { ProposalSource } from '../../discovery/habits/rules.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { ModelLists } from '../models/modelLists.ts';
import type { KeyStore } from '../secrets/keyStore.ts';
import type { SecretVariables } from '../secrets/secretVariables.ts';
import type { ConfigFile } from './configFile.ts';

/** What the features of the configuration file are made of. */
export interface ConfigFeatureParts {
	readonly hub: ChatSessions;
	readonly pool: ServerPool;
	readonly configFile: ConfigFile;
	readonly keys: KeyStore;
	readonly modelLists: ModelLists;
	readonly secrets: SecretVariables;
	/** A stored key or secret has changed. */
	readonly onDidChangeSecrets: vscode.Event<unknown>;
	readonly suggestions: ProposalSource;
}

/** Whether a document is the configuration file of one of the folders. */
export function isConfigFile(
	{ uri }: vscode.TextDocument,
	{ configFile }: Pick<ConfigFeatureParts, 'configFile'>,
): boolean {
	return configFile.uris.some((known) => known.toString() === uri.toString());
}

/** Loads what helps in the configuration file (lenses, fixes, completion, hover) when the file is first opened in an editor. */
export function registerConfigEditors(parts: ConfigFeatureParts): vscode.Disposable {
	const subscriptions: vscode.Disposable[] = [];
	let state: 'waiting' | 'loaded' | 'disposed' = 'waiting';
	const open = async (document: vscode.TextDocument) => {
		if (state !== 'waiting' || !isConfigFile(document, parts)) return;
		state = 'loaded';
		const { registerConfigFeatures } = await import('./languageFeatures.ts');
		const features = registerConfigFeatures(parts);
		if (isDisposed()) features.dispose();
		else subscriptions.push(features);
	};
	const isDisposed = () => state === 'disposed';
	const openAll = () => vscode.workspace.textDocuments.map(open);
	// With another folder or setting, a file that was open before may have become the configuration.
	subscriptions.push(vscode.workspace.onDidOpenTextDocument(open), parts.configFile.onDidChange(openAll));
	openAll();
	return new vscode.Disposable(() => {
		state = 'disposed';
		vscode.Disposable.from(...subscriptions).dispose();
	});
}
