import * as vscode from 'vscode';
import { type ConfigFeatureParts, isConfigFile } from './configFeatureParts.ts';

/** Loads what helps in the configuration file (lenses, fixes, completion, hover) when the file is first opened in an editor. */
export function registerConfigEditors(parts: ConfigFeatureParts): vscode.Disposable {
	const subscriptions: vscode.Disposable[] = [];
	let state: 'waiting' | 'loaded' | 'disposed' = 'waiting';
	const open = async (document: vscode.TextDocument) => {
		if (state !== 'waiting' || !isConfigFile(document, parts)) return;
		state = 'loaded';
		const { registerConfigFeatures } = await import('./configFeatures.ts');
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
