import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * The file that a bare name means in `PATH`, on Windows. Windows itself, `cmd` and cross-spawn look first in the folder that the process
 * starts in, which is the workspace: a repository could bring an `npx.cmd` along, and the user has approved another. A command with a
 * folder is what it says. Throws as `spawn` does where there is none.
 */
export function windowsProgram(
	command: string,
	env: Readonly<Record<string, string>>,
	exists: (file: string) => boolean = existsSync,
): string {
	if (/[\\/:]/.test(command)) return command;
	const extensions = (variable('PATHEXT', env) ?? usualExtensions).split(';').filter(Boolean);
	const names = [
		...(win32.extname(command) === '' ? [] : [command]),
		...extensions.map((extension) => command + extension.toLowerCase()),
	];
	const folders = (variable('PATH', env) ?? '').split(';').map((folder) => folder.replaceAll('"', ''));
	for (const folder of folders) {
		// A relative one would be within the folder that the process starts in.
		if (!win32.isAbsolute(folder)) continue;
		const file = names.map((name) => win32.join(folder, name)).find(exists);
		if (file !== undefined) return file;
	}
	throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
}

/** Windows writes the same name in several cases. */
function variable(name: string, env: Readonly<Record<string, string>>): string | undefined {
	return Object.entries(env).findLast(([key]) => key.toUpperCase() === name)?.[1];
}
