import { readdir, readFile } from 'node:fs/promises';

/**
 * A variable in the environment of every server that names it. What a server starts inherits it, and keeps it where it leaves
 * the server's process group for a session of its own, as browsers and daemons do.
 */
const variable = 'MCP_DISCOVERY_SERVER';

/** The variable for a server of this mark. */
export function markVariable(mark: string): Readonly<Record<string, string>> {
	return { [variable]: mark };
}

let lookingAround: Promise<ReadonlyMap<string, readonly number[]>> | undefined;

/** Ids of processes with this mark. None where the system does not tell what other processes were given: only Linux does. */
export async function markedProcesses(mark: string): Promise<readonly number[]> {
	// Servers that are ended at the same time share one look at all processes.
	lookingAround ??= processesByMark().finally(() => {
		lookingAround = undefined;
	});
	return (await lookingAround).get(mark) ?? [];
}

async function processesByMark(): Promise<ReadonlyMap<string, readonly number[]>> {
	const found = new Map<string, number[]>();
	const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : [];
	for (const name of names) {
		if (!/^\d+$/.test(name)) continue;
		// Gone meanwhile, or somebody else's.
		const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
		const start = `\0${environment}`.indexOf(`\0${variable}=`);
		if (start === -1) continue;
		const mark = environment.slice(start + variable.length + 1).split('\0', 1)[0] ?? '';
		found.set(mark, [...(found.get(mark) ?? []), Number(name)]);
	}
	return found;
}
