import type { ServerEntry } from '../salvage.ts';
import { variablesIn } from '../secrets/environmentNames.ts';
import { readsFolder, type VariableScope } from '../secrets/variables.ts';

/**
 * Whether a server of the user's own file uses the workspace folder. It is then approved in each workspace, because the folder may decide
 * which code runs: no list of programs could know what each of them does with a path, a variable or its working folder. Only data that a
 * known package gets does not count.
 */
export function usesFolder(entry: ServerEntry, scope: VariableScope): boolean {
	const { command = '', args = [], cwd = '', env, url = '', headers, oauth } = entry;
	const signIn = Object.values(oauth ?? {}).map(String);
	const texts = [command, cwd, ...(env?.values() ?? []), url, ...(headers?.values() ?? []), ...signIn];
	const code = args.slice(0, args.length - dataOf(entry).length);
	return (
		[...texts, ...code].some(readsFolder) ||
		variablesIn([...texts, ...args]).some((name) => isInFolder(name, scope))
	);
}

/** Reads and writes files in the folders that are its arguments, and takes no options: it runs nothing that is in them. */
const dataOnly = /^@modelcontextprotocol\/server-filesystem(?:@[\w.-]+)?$/;

/** The arguments that are proven to be data. `npx` passes everything after the package to it. */
function dataOf({ command, args = [] }: ServerEntry): readonly string[] {
	if (command !== 'npx') return [];
	const at = args.findIndex((text) => text !== '-y' && text !== '--yes');
	return dataOnly.test(args[at] ?? '') ? args.slice(at + 1) : [];
}

/** Whether a variable of the environment, such as `PWD`, stands for something in the workspace folder. */
function isInFolder(name: string, { env, workspaceFolder }: VariableScope): boolean {
	const value = Object.hasOwn(env, name) ? env[name] : undefined;
	if (workspaceFolder === undefined || value === undefined) return false;
	return comparedPath(value).includes(comparedPath(workspaceFolder));
}

function comparedPath(path: string): string {
	return path.replaceAll('\\', '/').toLowerCase();
}
