import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandFailed, run } from './childProcess.ts';
import { PROJECT_NODE, PROJECT_ROOT } from './projectPaths.ts';

/** code-server 4.139.1 is VS Code 1.139.1: the same workbench and the same Node extension host. */
const CODE_SERVER = 'code-server@4.139.1';
/** What building code-server's native modules needs; .ci/run and the README name the same. */
const DEBIAN_PACKAGES = 'g++ make python3 pkg-config libkrb5-dev libsecret-1-dev';

/** A VS Code that runs in a browser: `node codeServer …` starts it. */
export interface VscodeHost {
	readonly node: string;
	readonly codeServer: string;
}

/**
 * Finds the VS Code host, or installs it once from npm (about two minutes and 1 GB, under `.vscode-test/host`;
 * `VSCODE_HOST` names a folder where it is already). Throws if it cannot be built, naming what is missing.
 */
export async function ensureVscodeHost(): Promise<VscodeHost> {
	const given = process.env.VSCODE_HOST;
	const folder = given ?? path.join(PROJECT_ROOT, '.vscode-test/host');
	const host = { node: PROJECT_NODE, codeServer: path.join(folder, 'node_modules/code-server') };
	if (given) {
		if (existsSync(host.codeServer)) return host;
		throw new Error(`VSCODE_HOST is ${given}, but there is no ${host.codeServer}`);
	}
	// Written last: a folder without it is an installation that was cut off.
	const marker = path.join(folder, 'installed.txt');
	if (existsSync(marker) && readFileSync(marker, 'utf8') === CODE_SERVER) return host;
	await installCodeServer(folder);
	writeFileSync(marker, CODE_SERVER);
	return host;
}

async function installCodeServer(folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, 'package.json'), '{ "name": "vscode-host", "private": true }\n');
	console.log(`Installing VS Code (${CODE_SERVER}) under ${folder}: once, about two minutes and 1 GB …`);
	const started = performance.now();
	// code-server installs only under the Node it was made for: ours, by being first on the PATH. It reads the version
	// from npm's user agent, and an npm that runs us has set that to its own.
	const env = {
		PATH: `${path.dirname(PROJECT_NODE)}${path.delimiter}${process.env.PATH}`,
		npm_config_user_agent: undefined,
	};
	const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts=false', CODE_SERVER];
	try {
		await run('npm', args, { cwd: folder, env, output: 'pipe' });
	} catch (error) {
		if (!(error instanceof CommandFailed)) throw error;
		const needs = `On Debian it needs: apt-get install ${DEBIAN_PACKAGES}`;
		throw new Error(`VS Code could not be installed. ${needs}\n${error.message}`, { cause: error });
	}
	console.log(`VS Code installed in ${Math.round((performance.now() - started) / 1_000)} s.`);
}
