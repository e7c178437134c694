/** `cross-spawn` has the signature of Node's own spawn and ships no types. */
declare module 'cross-spawn' {
	import type { spawn } from 'node:child_process';

	const crossSpawn: typeof spawn;
	export = crossSpawn;
}
