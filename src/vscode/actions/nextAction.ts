import type { ToolState } from '../../chat/sessions.ts';

/** What can be done with where a tool stands. */
export type ToolAction = 'pin' | 'defer' | 'load' | 'unload';

/**
 * What comes next when a tool's state is cycled: deferred, loaded in the last used chat, pinned, and deferred again; `undefined` where
 * nothing can be set. A tool of the editor cannot be pinned: it is loaded and unloaded.
 */
export function nextAction({
	state,
	isOfEditor,
}: {
	readonly state: ToolState;
	readonly isOfEditor?: true;
}): ToolAction | undefined {
	switch (state) {
		case 'deferred':
			return 'load';
		case 'activated':
			return isOfEditor ? 'unload' : 'pin';
		case 'loaded':
			return isOfEditor ? undefined : 'pin';
		case 'pinned':
			return 'defer';
		case 'outside':
		case 'held':
		case 'disabled':
			return undefined;
	}
}
