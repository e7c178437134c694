import type * as vscode from 'vscode';
import type { SuggestionSource } from '../../discovery/habits/suggestion.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import type { KeyStore } from '../keys/keyStore.ts';
import type { SecretVariables } from '../keys/secretVariables.ts';
import type { ModelLists } from '../models/modelLists.ts';
import type { ConfigFile } from './configFile.ts';

/** What the features of the configuration file are made of. */
export interface ConfigFeatureParts {
	readonly hub: DiscoveryHub;
	readonly pool: ServerPool;
	readonly configFile: ConfigFile;
	readonly keys: KeyStore;
	readonly modelLists: ModelLists;
	readonly secrets: SecretVariables;
	/** A stored key or secret has changed. */
	readonly onDidChangeSecrets: vscode.Event<unknown>;
	readonly suggestions: SuggestionSource;
}

/** Whether a document is the configuration file of one of the folders. */
export function isConfigFile(
	{ uri }: vscode.TextDocument,
	{ configFile }: Pick<ConfigFeatureParts, 'configFile'>,
): boolean {
	return configFile.uris.some((known) => known.toString() === uri.toString());
}
