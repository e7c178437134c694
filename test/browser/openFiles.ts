import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publishedServer } from '../servers/launches.ts';
import { Workbench } from './workbench.ts';

/** Opens a workbench on a folder with these files: their text by their path. */
export async function openFiles(files: Readonly<Record<string, string>>): Promise<Workbench> {
	const folder = mkdtempSync(path.join(tmpdir(), 'discovery-files-'));
	try {
		for (const [name, text] of Object.entries(files)) {
			const file = path.join(folder, name);
			mkdirSync(path.dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
		return await Workbench.open({ workspace: folder, approveServers: true });
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The text of a configuration with discovery on and one real server, `files`, whose tools are deferred. */
export function configText(more: object): string {
	const files = {
		command: process.execPath,
		// Servers are started in the folder.
		args: [publishedServer('filesystem'), '.'],
		defer_loading: true,
	};
	return JSON.stringify({ servers: { files }, tool_discovery: { enabled: true }, ...more }, null, '\t');
}
