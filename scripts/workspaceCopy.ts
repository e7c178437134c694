import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Copies a workspace into a temporary folder that tests may change; its node_modules are linked, not copied. */
export function copyWorkspace(workspace: string): string {
	// One level down, so that the folder keeps its name, which VS Code shows.
	const folder = path.join(mkdtempSync(path.join(tmpdir(), 'workspace-')), path.basename(workspace));
	const modules = path.join(workspace, 'node_modules');
	cpSync(workspace, folder, { recursive: true, filter: (source) => source !== modules });
	if (existsSync(modules)) symlinkSync(modules, path.join(folder, 'node_modules'), 'dir');
	return folder;
}

/** Deletes what {@link copyWorkspace} made. */
export function deleteWorkspaceCopy(folder: string): void {
	rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
