import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { Lazy } from '../ui/lazy.ts';

/** What the features of the configuration file are made of. */
export type EditorServices = Pick<
	Services,
	'sessions' | 'pool' | 'configFile' | 'keys' | 'modelLists' | 'secrets' | 'habits' | 'approvals'
>;

/** Loads what helps in the configuration file (lenses, fixes, completion, hover) when the file is first opened in an editor. */
export function registerConfigEditors(services: EditorServices & Pick<Services, 'log'>): vscode.Disposable {
	const features = new Lazy(async () => {
		const { registerConfigFeatures } = await import('./languageFeatures.ts');
		return registerConfigFeatures(services);
	});
	const open = (document: vscode.TextDocument) => {
		if (!services.configFile.isAt(document.uri)) return;
		// It is tried again with the next file that is opened.
		features
			.get()
			.catch((error: unknown) =>
				services.log.error(`What helps in the configuration file could not be loaded: ${error}`),
			);
	};
	const openAll = () => vscode.workspace.textDocuments.forEach(open);
	openAll();
	return vscode.Disposable.from(
		features,
		vscode.workspace.onDidOpenTextDocument(open),
		// With another folder or setting, a file that was open before may have become the configuration.
		services.configFile.onDidChange(openAll),
	);
}
