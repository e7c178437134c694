import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { commands, ids, settings } from '../ui/ids.ts';
import type { ResultMetadata } from './history.ts';

/** What greeting takes. */
interface WelcomeServices {
	readonly configFile: Pick<Services['configFile'], 'state' | 'onDidChange'>;
	readonly log: Pick<Services['log'], 'warn'>;
	/** Folder that all windows of an installation share. */
	readonly storage: string;
}

/** Once per installation, in the first trusted window with a folder: shows the Discovery view, the walkthrough, and a chat that greets. */
export class Welcome implements vscode.Disposable {
	readonly #services: WelcomeServices;
	readonly #subscriptions: vscode.Disposable;
	#greeting: Promise<boolean> | undefined;
	/** This window need not ask again: somebody was greeted, here or in another window. */
	#isOver = false;

	constructor(services: WelcomeServices) {
		this.#services = services;
		const look = () => void this.greet();
		this.#subscriptions = vscode.Disposable.from(
			services.configFile.onDidChange(look),
			vscode.workspace.onDidGrantWorkspaceTrust(look),
		);
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}

	/**
	 * Greets, where that is due; resolves to whether it has. All who call it meanwhile wait for the same greeting: it leads to what the user
	 * must decide, so they need not show a notification about that.
	 */
	greet(): Promise<boolean> {
		if (this.#isOver || !this.#isDue()) return Promise.resolve(false);
		this.#greeting ??= this.#greetOnce().finally(() => {
			this.#isOver = true;
		});
		return this.#greeting;
	}

	#isDue(): boolean {
		return (
			this.#services.configFile.state.kind !== 'loading' &&
			vscode.workspace.isTrusted &&
			(vscode.workspace.workspaceFolders ?? []).length > 0 &&
			vscode.workspace.getConfiguration(settings.section).get(settings.welcome, true)
		);
	}

	async #greetOnce(): Promise<boolean> {
		try {
			return (await isFirst(this.#services.storage)) && (await show());
		} catch (error) {
			// The chat may be turned off, or the storage be read-only: that must not be in anybody's way.
			this.#services.log.warn(`The greeting could not be shown: ${error}`);
			return false;
		}
	}
}

/**
 * Whether nobody has asked before. A file tells, which only one can create: of two windows that open at once, each would find nothing
 * in the editor's own storage.
 */
async function isFirst(storage: string): Promise<boolean> {
	await mkdir(storage, { recursive: true });
	try {
		await writeFile(path.join(storage, 'greeted'), '', { flag: 'wx' });
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

/** Shows all there is to see at first; the chat comes last, so that it has the focus. Whether it has greeted. */
async function show(): Promise<boolean> {
	// Until a provider was asked for its models, the editor takes no message. Ours are there for everybody.
	await vscode.lm.selectChatModels({ vendor: ids.vendor });
	await vscode.commands.executeCommand(`workbench.view.extension.${ids.viewContainer}`);
	await vscode.commands.executeCommand(commands.openWalkthrough);
	// A chat of its own: one that the user has begun goes on undisturbed.
	await vscode.commands.executeCommand('workbench.action.chat.newChat');
	const result = await vscode.commands.executeCommand<vscode.ChatResult | undefined>(
		'workbench.action.chat.open',
		{ query: '@discovery ', blockOnResponse: true },
	);
	const metadata: ResultMetadata | undefined = result?.metadata;
	return metadata?.outcome === 'greeted';
}
