import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { contextKeys } from '../ui/ids.ts';

/** Sets the context key for the welcome view: whether other programs have servers to import. Only while there is no configuration. */
export function registerImportable({
	configFile,
	storage: { globalStorage },
}: Pick<Services, 'configFile' | 'storage'>): vscode.Disposable {
	const look = async () => {
		if (configFile.state.kind !== 'none' || !vscode.workspace.isTrusted) return;
		const { findForeignFiles, importPlaces } = await import('./foreignFiles.ts');
		const files = await findForeignFiles(importPlaces(globalStorage));
		const isImportable = files.some(({ servers }) => servers.length > 0);
		await vscode.commands.executeCommand('setContext', contextKeys.importable, isImportable);
	};
	return vscode.Disposable.from(
		configFile.onDidChange(look),
		vscode.workspace.onDidGrantWorkspaceTrust(look),
	);
}
