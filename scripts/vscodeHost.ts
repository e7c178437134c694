import { existsSync } from 'node:fs';
import path from 'node:path';
import { ensure, vscodeHost } from './install/install.mjs';
import { PROJECT_NODE } from './projectPaths.ts';

/** VS Code in a browser; `node codeServer …` starts it. */
export interface VscodeHost {
	readonly node: string;
	readonly codeServer: string;
}

/** Finds the VS Code host, or installs it once. `VSCODE_HOST` names a folder that already has it. Throws with npm's output. */
export async function ensureVscodeHost(): Promise<VscodeHost> {
	const given = process.env.VSCODE_HOST;
	const codeServer = path.join(given ?? vscodeHost.folder, 'node_modules/code-server');
	if (given && !existsSync(codeServer))
		throw new Error(`VSCODE_HOST is ${given}, but there is no ${codeServer}`);
	if (!given) await ensure(vscodeHost);
	return { node: PROJECT_NODE, codeServer };
}
