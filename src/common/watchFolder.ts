import { mkdirSync, watch } from 'node:fs';
import type { Disposable } from './event.ts';

/** Creates a folder if it is missing, and reports changes in it as soon as the file system does. Not every file system does. */
export function watchFolder(folder: string, onChange: () => void): Disposable {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const watcher = watch(folder, { persistent: false }, onChange);
		watcher.on('error', () => {});
		return { dispose: () => watcher.close() };
	} catch {
		// Callers also look at other times.
		return { dispose: () => {} };
	}
}
