import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { release, run, spawnLeashed } from './childProcess.ts';
import { ensure, vscodeHost } from './install/install.mjs';
import type { Profile } from './profile.ts';
import { PROJECT_NODE } from './projectPaths.ts';

const LISTENING = /HTTP server listening on (http:\/\/[\d.:]+)/;
const START_LIMIT_MS = 60_000;

/** How to start a code-server. */
export interface CodeServerOptions {
	readonly profile: Profile;
	/** TCP port on 127.0.0.1; by default, a free one. */
	readonly port?: number;
	/** The folder of VS Code's own extensions. Default: all that come with it. */
	readonly builtIn?: string;
	/** False turns workspace trust off, like `--disable-workspace-trust`. */
	readonly workspaceTrust?: boolean;
	/** Added to our own environment; `undefined` removes a variable. */
	readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A running code-server: its address (without a final slash), a promise for its exit, and a way to stop it. */
export interface CodeServer {
	readonly url: string;
	readonly exited: Promise<unknown>;
	stop(): Promise<void>;
}

/**
 * Finds code-server, which is VS Code in a browser, or installs it once. Returns its program for the project's Node. `VSCODE_HOST` names a
 * folder that already has it. Throws with npm's output.
 */
export async function ensureVscodeHost(): Promise<string> {
	const given = process.env.VSCODE_HOST;
	const codeServer = path.join(given ?? vscodeHost.folder, 'node_modules/code-server');
	if (given && !existsSync(codeServer))
		throw new Error(`VSCODE_HOST is ${given}, but there is no ${codeServer}`);
	if (!given) await ensure(vscodeHost);
	return codeServer;
}

/** Starts code-server for one profile. Resolves once it listens. It never outlives this process. */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
	const { profile, port = 0, builtIn, workspaceTrust = true, env } = options;
	const codeServer = await ensureVscodeHost();
	const child = spawnLeashed(
		PROJECT_NODE,
		[
			codeServer,
			'--auth=none',
			`--bind-addr=127.0.0.1:${port}`,
			'--disable-telemetry',
			'--disable-update-check',
			'--disable-getting-started-override',
			...(workspaceTrust ? [] : ['--disable-workspace-trust']),
			...(builtIn ? [`--builtin-extensions-dir=${builtIn}`] : []),
			...profileArguments(profile),
		],
		// In a terminal of VS Code, these variables would make code-server open its folder there instead of starting.
		{
			output: 'pipe',
			env: { VSCODE_IPC_HOOK_CLI: undefined, ELECTRON_RUN_AS_NODE: undefined, ...env },
		},
	);
	const exited = once(child, 'exit');
	try {
		return { url: await listening(child), exited, stop: () => release(child) };
	} catch (error) {
		await release(child);
		throw error;
	}
}

/** Installs a packaged extension into a profile, as a user would. */
export async function installExtension(profile: Profile, vsix: string): Promise<void> {
	const codeServer = await ensureVscodeHost();
	await run(
		PROJECT_NODE,
		[codeServer, ...profileArguments(profile), '--install-extension', vsix, '--force'],
		{
			output: 'pipe',
		},
	);
}

/** The address that opens a folder in the workbench. */
export function folderUrl({ url }: Pick<CodeServer, 'url'>, folder: string): string {
	return `${url}/?folder=${encodeURIComponent(path.resolve(folder)).replaceAll('%2F', '/')}`;
}

function profileArguments(profile: Profile): readonly string[] {
	return [
		`--user-data-dir=${profile.userData}`,
		`--extensions-dir=${profile.extensions}`,
		`--config=${path.join(profile.root, 'config.yaml')}`,
	];
}

/** Waits for the line with the address. Fails with the server's output if the server ends or stays silent. */
function listening(child: ChildProcess): Promise<string> {
	const said: string[] = [];
	return new Promise((resolve, reject) => {
		const fail = (what: string): void => reject(new Error(`code-server ${what}:\n${said.join('\n')}`));
		const limit = setTimeout(() => fail(`did not listen within ${START_LIMIT_MS / 1_000} s`), START_LIMIT_MS);
		child.once('exit', (code) => {
			clearTimeout(limit);
			fail(`ended with code ${code}`);
		});
		for (const stream of [child.stdout, child.stderr]) {
			if (!stream) continue;
			createInterface(stream).on('line', (line) => {
				const url = LISTENING.exec(line)?.[1];
				if (url) {
					clearTimeout(limit);
					resolve(url);
				}
				// Truncated. The stream is read to its end, or the server would block on a full pipe.
				if (said.push(line) > 50) said.shift();
			});
		}
	});
}
