import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../common/atomicFile.ts';
import { recordOf } from '../common/json.ts';
import { isAlive } from '../common/processes.ts';

/** Where clients of the protocol connect to a window. */
export const mcpPath = '/mcp';
/** Which run of the program sends a request: the newer protocol has no sessions, and those of the older end with the window. */
export const sessionHeader = 'discovery-session';

/** A window of the editor that answers other agents, as described in a file that only the user can read. */
export interface GatewayWindow {
	/** Paths of its folders. */
	readonly folders: readonly string[];
	readonly port: number;
	readonly token: string;
	/** Of its extension host. */
	readonly pid: number;
}

/** Writes down a window in a folder that all windows share; resolves to the file. */
export async function registerWindow(folder: string, window: GatewayWindow): Promise<string> {
	const file = path.join(folder, `${window.pid}.json`);
	await writeAtomically(file, JSON.stringify(window));
	return file;
}

/** The windows that are there now. Files of windows that have ended are deleted. */
export async function openWindows(folder: string): Promise<readonly GatewayWindow[]> {
	const names = await readdir(folder).catch(() => []);
	const windows = await Promise.all(
		names
			.filter((name) => name.endsWith('.json'))
			.map(async (name) => {
				const file = path.join(folder, name);
				const window = windowIn(await readFile(file, 'utf8').catch(() => ''));
				if (window && !isAlive(window.pid)) await rm(file, { force: true });
				return window && isAlive(window.pid) ? [window] : [];
			}),
	);
	return windows.flat();
}

/** The window that has a folder open: the window whose folder contains it most closely. */
export function windowOf(windows: readonly GatewayWindow[], folder: string): GatewayWindow | undefined {
	const depth = ({ folders }: GatewayWindow) =>
		Math.max(-1, ...folders.filter((candidate) => contains(candidate, folder)).map(({ length }) => length));
	return windows.filter((window) => depth(window) >= 0).sort((a, b) => depth(b) - depth(a))[0];
}

function contains(outer: string, inner: string): boolean {
	const relativePath = path.relative(outer, inner);
	return (
		relativePath === '' ||
		(relativePath !== '..' && !relativePath.startsWith(`..${path.sep}`) && !path.isAbsolute(relativePath))
	);
}

function windowIn(text: string): GatewayWindow | undefined {
	try {
		const { folders, port, token, pid } = recordOf(JSON.parse(text));
		if (
			!Array.isArray(folders) ||
			typeof port !== 'number' ||
			typeof token !== 'string' ||
			typeof pid !== 'number'
		)
			return undefined;
		return { folders: folders.map(String), port, token, pid };
	} catch {
		return undefined;
	}
}
