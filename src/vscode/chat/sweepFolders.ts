import { chatFolderLimits, ResultFolder } from '../../chat/resultFiles/resultFolder.ts';
import type { Disposable } from '../../discovery/event.ts';

/** How often a window that stays open looks for what nobody has used for long. */
const sweepEveryMs = 60 * 60 * 1000;

/**
 * Removes what is too old from the folders of large results and of chats, of earlier windows too: now, and as long as the window is open.
 */
export function sweepFolders(folders: { readonly results: string; readonly chats: string }): Disposable {
	const swept = [new ResultFolder(folders.results), new ResultFolder(folders.chats, chatFolderLimits)];
	// What cannot be removed now may be so later; nobody waits for it.
	const sweep = () => {
		for (const one of swept) void one.sweep().catch(() => undefined);
	};
	sweep();
	const timer = setInterval(sweep, sweepEveryMs).unref();
	return { dispose: () => clearInterval(timer) };
}
