import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { ProgramStart } from '../../gateway/agents.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { GatewayTools } from '../../gateway/gatewayTools.ts';
import { registerWindow } from '../../gateway/windows.ts';
import type { Log } from '../ui/log.ts';
import { offerToEditorAgents } from './editorAgents.ts';
import { isGatewayOn } from './gatewaySetting.ts';

interface WindowParts {
	readonly tools: GatewayTools;
	readonly sessions: Pick<ChatSessions, 'onDidChange'>;
	readonly secretStorage: vscode.SecretStorage;
	readonly workspaceState: vscode.Memento;
	/** Folders of the extension: its data for all windows, and its code. */
	readonly globalStorage: vscode.Uri;
	readonly extensionUri: vscode.Uri;
	readonly version: string;
	readonly log: Log;
}

const portKey = 'gateway.port';
const tokenKey = 'gateway.token';

interface OpenGateway {
	readonly gateway: Gateway;
	/** The file through which agents find this window. */
	readonly note: string;
	/** To VS Code's own agents. Absent: no folder is open. */
	readonly offer: vscode.Disposable | undefined;
}

/** The part of this window in the gateway: it answers while the setting is on and the workspace is trusted. */
export class WindowGateway implements vscode.Disposable {
	readonly #parts: WindowParts;
	#open: Promise<OpenGateway | undefined> = Promise.resolve(undefined);

	constructor(parts: WindowParts) {
		this.#parts = parts;
	}

	/** Opens or closes the gateway according to its setting and to workspace trust. Rejects if no port can be used. */
	async apply(): Promise<void> {
		const isOn = isGatewayOn() && vscode.workspace.isTrusted;
		const previous = this.#open;
		this.#open = previous.then(
			async (open) => {
				if (isOn) return open ?? (await this.#start());
				if (open) await this.#close(open);
				return undefined;
			},
			() => undefined,
		);
		await this.#open;
	}

	/** How an agent starts the program that connects to this window. Its path survives updates of the extension. */
	get programStart(): ProgramStart {
		return {
			command: process.execPath,
			args: [this.#programFile, this.#notes],
			env: process.versions.electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
		};
	}

	dispose(): void {
		void this.#open.then(
			(open) => open && this.#close(open),
			() => undefined,
		);
	}

	get #folder(): string {
		return path.join(this.#parts.globalStorage.fsPath, 'gateway');
	}

	get #programFile(): string {
		return path.join(this.#folder, 'connect.mjs');
	}

	get #notes(): string {
		return path.join(this.#folder, 'windows');
	}

	async #start(): Promise<OpenGateway> {
		const { tools, version, workspaceState, extensionUri, log, sessions } = this.#parts;
		// Loads MCP's SDK, too, which most windows never need.
		const { Gateway } = await import('../../gateway/gateway.ts');
		const port = workspaceState.get<number>(portKey, 0);
		const token = await this.#token();
		await mkdir(this.#folder, { recursive: true, mode: 0o700 });
		await copyFile(vscode.Uri.joinPath(extensionUri, 'dist', 'gateway.js').fsPath, this.#programFile);
		const gateway = await Gateway.open({ tools, version, token, editor: vscode.env.appName }, port);
		await workspaceState.update(portKey, gateway.port);
		const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
		const note = await registerWindow(this.#notes, { folders, port: gateway.port, token, pid: process.pid });
		const [folder] = folders;
		const parts = { start: this.programStart, tools, onDidChange: sessions.onDidChange };
		const offer = folder === undefined ? undefined : offerToEditorAgents({ ...parts, folder });
		log.info(`other agents can connect on port ${gateway.port}`);
		return { gateway, note, offer };
	}

	async #close({ gateway, note, offer }: OpenGateway): Promise<void> {
		offer?.dispose();
		gateway.dispose();
		await rm(note, { force: true });
	}

	/** Each workspace has its own, so that a program that knows it reaches no other workspace. */
	async #token(): Promise<string> {
		const { secretStorage, workspaceState } = this.#parts;
		const key = `${tokenKey}.${workspaceState.get<string>(tokenKey) ?? (await this.#newId())}`;
		const storedToken = await secretStorage.get(key);
		if (storedToken !== undefined) return storedToken;
		const token = randomBytes(32).toString('base64url');
		await secretStorage.store(key, token);
		return token;
	}

	async #newId(): Promise<string> {
		const id = randomBytes(8).toString('hex');
		await this.#parts.workspaceState.update(tokenKey, id);
		return id;
	}
}
