import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { EXAMPLE_WORKSPACE } from '../../../scripts/projectPaths.ts';
import { Workbench } from '../workbench.ts';
import { workbenchTest } from '../workbenchTest.ts';

export const MODULES = path.join(EXAMPLE_WORKSPACE, 'node_modules');

/** A key that must not be found in any file. */
export const SECRET = 'acme-9f8e7d6c5b4a3928';

/** A server that proves by a file that it was started. */
export const proof = (file: string) => ({ command: 'touch', args: [file] });

/** Writes the configuration of a folder. */
export function write(folder: string, servers: unknown): void {
	writeFileSync(path.join(folder, 'casual_mcp_config.json'), JSON.stringify({ servers }));
}

/** A cloned repository. In it, npx finds the packages of the sample. */
const repository = mkdtempSync(path.join(tmpdir(), 'discovery-folder-'));
symlinkSync(MODULES, path.join(repository, 'node_modules'), 'junction');
write(repository, { proof: proof('started'), other: proof('other') });

const settings = {
	'security.workspace.trust.startupPrompt': 'never',
	'chat.mcp.deniedServers': [{ serverName: 'denied' }],
};

/** `test` with the window of all parts of `folder.test.ts`. */
export const test = workbenchTest(() =>
	Workbench.open({ workspace: repository, workspaceTrust: true, settings }),
);
afterAll(() => rmSync(repository, { recursive: true, force: true }));
