import * as vscode from 'vscode';
import { emptyConfig } from '../../config/config.ts';
import type { Configuration } from '../core/configuration.ts';
import type { KeyStore } from '../core/keyStore.ts';
import type { ModelLists } from '../core/modelLists.ts';
import type { ModelProvider } from '../core/modelProvider.ts';
import { ConfiguredModels, type ModelServices } from './configuredModels.ts';

interface ModelSources extends ModelServices {
	readonly models: ModelProvider;
	readonly modelLists: ModelLists;
	readonly keys: KeyStore;
	readonly configFile: Configuration;
}

/**
 * Offers the models of the configuration and of its clients, if the workspace is trusted. Stale lists are refreshed when the window gets
 * the focus and when VS Code asks for models, all lists when a file of the configuration is saved.
 */
export function registerModels(services: ModelSources): vscode.Disposable {
	const { models, modelLists, configFile, keys } = services;
	const configured = new ConfiguredModels(services);
	const config = () => configFile.inForce?.config ?? emptyConfig;
	const offer = () => {
		if (configFile.state.kind === 'loading') return;
		const { models: definitions, clientsWithoutModels } = config();
		models.offer(configured.update(definitions, clientsWithoutModels));
	};
	const apply = async () => {
		if (configFile.state.kind === 'loading') return;
		// Stored lists first: VS Code preselects one of the first models that it gets.
		await modelLists.follow(config());
		offer();
	};
	return vscode.Disposable.from(
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
		modelLists.onDidChange(offer),
		keys.onDidChange((address) => modelLists.keyChanged(address)),
		models.onDidAsk(() => modelLists.refreshStale()),
		vscode.workspace.onDidSaveTextDocument(({ uri }) => {
			if (configFile.fileAt(uri)) modelLists.fileSaved();
		}),
		vscode.window.onDidChangeWindowState(({ focused }) => {
			if (focused) modelLists.refreshStale();
		}),
	);
}
