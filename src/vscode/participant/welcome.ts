import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { errorCode } from '../../common/errorCode.ts';
import type { Services } from '../../services.ts';
import { commands, ids, settings } from '../ui/ids.ts';
import type { ResultMetadata } from './history.ts';

interface WelcomeServices {
	readonly configFile: Pick<Services['configFile'], 'state' | 'onDidChange'>;
	readonly log: Pick<Services['log'], 'warn'>;
	/** A folder that all windows share. */
	readonly storage: string;
}

/** Once per installation, in the first trusted window with a folder, shows the Discovery view, the walkthrough, and a greeting in the chat. */
export class Welcome implements vscode.Disposable {
	readonly #services: WelcomeServices;
	readonly #subscriptions: vscode.Disposable;
	#greeting: Promise<boolean> | undefined;
	/** Somebody was greeted, in this window or another. */
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

	/** Greets if that is due; resolves to whether it did. Callers share one greeting, and need no notification about what the greeting leads to. */
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
			// The chat may be turned off or the storage read-only, which must not disturb anybody.
			this.#services.log.warn(`The greeting could not be shown: ${error}`);
			return false;
		}
	}
}

/** Only one window can create this file. With VS Code's own storage, two windows that open at once would both greet. */
async function isFirst(storage: string): Promise<boolean> {
	await mkdir(storage, { recursive: true });
	try {
		await writeFile(path.join(storage, 'greeted'), '', { flag: 'wx' });
		return true;
	} catch (error) {
		if (errorCode(error) === 'EEXIST') return false;
		throw error;
	}
}

/** The chat comes last, so that it has the focus. Resolves to whether it greeted. */
async function show(): Promise<boolean> {
	// The chat accepts no message before a provider was asked for models.
	await vscode.lm.selectChatModels({ vendor: ids.vendor });
	await vscode.commands.executeCommand(`workbench.view.extension.${ids.viewContainer}`);
	await vscode.commands.executeCommand(commands.openWalkthrough);
	// In a new chat, so that an open one is undisturbed.
	await vscode.commands.executeCommand('workbench.action.chat.newChat');
	const result = await vscode.commands.executeCommand<vscode.ChatResult | undefined>(
		'workbench.action.chat.open',
		{ query: '@discovery ', blockOnResponse: true },
	);
	const metadata: ResultMetadata | undefined = result?.metadata;
	return metadata?.outcome === 'greeted';
}
