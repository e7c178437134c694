import * as vscode from 'vscode';
import { emptyConfig } from '../../config/config.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { ConfiguredModels } from './configuredModels.ts';
import type { ModelProvider } from './modelProvider.ts';

/** What the file says becomes models of VS Code; none in an untrusted workspace, so that nothing leaves the machine. */
export function followModels(
	models: ModelProvider,
	configured: ConfiguredModels,
	configFile: ConfigFile,
): vscode.Disposable {
	const apply = () => {
		const { state } = configFile;
		if (state.kind === 'loading') return;
		const { models: definitions } =
			vscode.workspace.isTrusted && state.kind === 'ok' ? state.config : emptyConfig;
		models.offer(configured.update(definitions));
	};
	return vscode.Disposable.from(
		configFile.onDidChange(apply),
		vscode.workspace.onDidGrantWorkspaceTrust(apply),
	);
}
