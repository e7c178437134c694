import type { ToolState } from '../discoveryHub.ts';

/** What can be done with where a tool stands. */
export type Placing = 'pin' | 'defer' | 'load' | 'unload';

/**
 * What comes next when a tool's state is cycled: deferred, loaded in the last used chat, pinned, and deferred again; `undefined` where
 * nothing can be set. A tool of the editor cannot be pinned: it is loaded and unloaded.
 */
export function nextPlacing({
	state,
	unconfigured,
}: {
	readonly state: ToolState;
	readonly unconfigured?: true;
}): Placing | undefined {
	switch (state) {
		case 'deferred':
			return 'load';
		case 'activated':
			return unconfigured ? 'unload' : 'pin';
		case 'loaded':
			return unconfigured ? undefined : 'pin';
		case 'pinned':
			return 'defer';
		case 'outside':
		case 'held':
			return undefined;
	}
}
