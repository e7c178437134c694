import * as vscode from 'vscode';
import { emptyConfig } from '../../config/config.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { ConfiguredModels, ConfiguredModelsParts } from './configuredModels.ts';
import type { ModelLists } from './modelLists.ts';
import type { ModelProvider } from './modelProvider.ts';

/** What decides which models there are. */
export interface FollowedParts extends ConfiguredModelsParts {
	readonly models: ModelProvider;
	readonly lists: ModelLists;
	readonly configFile: ConfigFile;
	readonly onDidChangeSecrets: vscode.Event<unknown>;
}

/**
 * What the file says, and what its clients have, becomes models of VS Code; none in an untrusted workspace, so that nothing leaves the machine. Lists
 * that have grown old are asked for when the user comes back to the window and when the editor wants to know the models.
 */
export function followModels(parts: FollowedParts): vscode.Disposable {
	const { models, lists, configFile } = parts;
	let configured: Promise<ConfiguredModels> | undefined;
	const config = () => {
		const { state } = configFile;
		return vscode.workspace.isTrusted && state.kind === 'ok' ? state.config : emptyConfig;
	};
	const offer = async () => {
		// Who has no models of their own needs nothing that makes them.
		if (config().clients.size > 0) configured ??= made(parts);
		const making = await configured;
		const { models: definitions, clients, clientsWithoutModels } = config();
		// The file has changed meanwhile, and who tells of that offers what it says now.
		if (configFile.state.kind === 'loading' || (!making && clients.size > 0)) return;
		models.offer(making?.update(definitions, clientsWithoutModels) ?? []);
	};
	const apply = async () => {
		if (configFile.state.kind === 'loading') return;
		// What is kept on disk is offered at once: what the editor sees first it preselects.
		await lists.follow(config());
		await offer();
	};
	return vscode.Disposable.from(
		lists,
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
		lists.onDidChange(offer),
		parts.onDidChangeSecrets(() => lists.keysChanged()),
		models.onDidAsk(() => lists.askWhereOld()),
		vscode.window.onDidChangeWindowState(({ focused }) => {
			if (focused) lists.askWhereOld();
		}),
	);
}

async function made(parts: ConfiguredModelsParts): Promise<ConfiguredModels> {
	const { ConfiguredModels } = await import('./configuredModels.ts');
	return new ConfiguredModels(parts);
}
