import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { run } from './childProcess.ts';
import type { Profile } from './profile.ts';

/** The desktop VS Code of this machine: `code` on the PATH, and a display to show it on; else undefined. */
export function findDesktopCode(env: NodeJS.ProcessEnv = process.env): string | undefined {
	const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
	if (!hasDisplay) return undefined;
	const name = process.platform === 'win32' ? 'code.cmd' : 'code';
	return (env.PATH ?? '')
		.split(path.delimiter)
		.map((folder) => path.join(folder, name))
		.find(isExecutable);
}

/** Opens a folder in desktop VS Code under a profile with the extension; resolves when the window is closed. */
export async function openInDesktopCode(
	code: string,
	profile: Profile,
	vsix: string,
	folder: string,
): Promise<void> {
	const folders = [`--user-data-dir=${profile.userData}`, `--extensions-dir=${profile.extensions}`];
	await run(code, [...folders, '--install-extension', vsix, '--force'], { output: 'pipe' });
	await run(code, [...folders, '--new-window', '--wait', folder]);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
