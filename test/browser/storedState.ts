import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs in the page: the person seems to go to another window and come back. The editor then stores what it shows. Otherwise it stores once a
 * minute, and only while it is idle.
 */
export function lookAway(): void {
	const { hasFocus } = document;
	for (const look of [() => false, hasFocus]) {
		document.hasFocus = look;
		document.dispatchEvent(new Event('visibilitychange'));
	}
}

/** Runs in the page: everything that the editor has stored in the browser for the open folder, as one text. */
export async function stateInBrowser(): Promise<string> {
	const result = <T>(request: IDBRequest<T>) =>
		new Promise<T>((resolve, reject) => {
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
	const texts: unknown[] = [];
	for (const { name } of await indexedDB.databases()) {
		if (!name?.startsWith('vscode-web-state-db-')) continue;
		const database = await result(indexedDB.open(name));
		texts.push(...(await result(database.transaction('ItemTable').objectStore('ItemTable').getAll())));
		database.close();
	}
	return texts.join('\n');
}

/** All files below a folder. Starts over if a folder, such as one that serves as a lock, disappears meanwhile. */
export function filesBelow(root: string): readonly string[] {
	for (let attempt = 1; ; attempt++) {
		try {
			return readdirSync(root, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => path.join(entry.parentPath, entry.name));
		} catch (error) {
			if (attempt === 10) throw error;
		}
	}
}
