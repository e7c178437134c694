import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * The file that a bare command means in `PATH`, on Windows. Windows, `cmd` and cross-spawn look in the process's folder first, which is the
 * workspace: a repository could bring an `npx.cmd` along that the user has not approved. A command with a path is used as it is. Throws
 * like `spawn` if there is no such file.
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
		// A relative folder would be inside the process's folder.
		if (!win32.isAbsolute(folder)) continue;
		const file = names.map((name) => win32.join(folder, name)).find(exists);
		if (file !== undefined) return file;
	}
	throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' });
}

/** Windows ignores the case of names. */
function variable(name: string, env: Readonly<Record<string, string>>): string | undefined {
	return Object.entries(env).findLast(([key]) => key.toUpperCase() === name)?.[1];
}
