import { run } from './childProcess.ts';
import type { Profile } from './profile.ts';

/** Opens a folder in desktop VS Code, in a profile with the extension. Resolves when the window is closed. */
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
