import * as vscode from 'vscode';
import type { Services } from '../../services.ts';

/** What the features of the configuration file are made of. */
export type EditorServices = Pick<
	Services,
	'hub' | 'pool' | 'configFile' | 'keys' | 'modelLists' | 'secrets' | 'habits'
>;

/** Loads what helps in the configuration file (lenses, fixes, completion, hover) when the file is first opened in an editor. */
export function registerConfigEditors(services: EditorServices): vscode.Disposable {
	const subscriptions: vscode.Disposable[] = [];
	let state: 'waiting' | 'loaded' | 'disposed' = 'waiting';
	const open = async (document: vscode.TextDocument) => {
		if (state !== 'waiting' || !services.configFile.isAt(document.uri)) return;
		state = 'loaded';
		const { registerConfigFeatures } = await import('./languageFeatures.ts');
		const features = registerConfigFeatures(services);
		if (isDisposed()) features.dispose();
		else subscriptions.push(features);
	};
	const isDisposed = () => state === 'disposed';
	const openAll = () => vscode.workspace.textDocuments.map(open);
	// With another folder or setting, a file that was open before may have become the configuration.
	subscriptions.push(vscode.workspace.onDidOpenTextDocument(open), services.configFile.onDidChange(openAll));
	openAll();
	return new vscode.Disposable(() => {
		state = 'disposed';
		vscode.Disposable.from(...subscriptions).dispose();
	});
}
