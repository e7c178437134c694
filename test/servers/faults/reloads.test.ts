import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isNightly } from '../../effort.ts';
import { canCountProcesses, markedProcesses } from './census.ts';
import type { Reloaded } from './reloadHost.ts';

const reloads = isNightly ? 12 : 7;
/** The first reloads load and compile code. */
const warmUp = 4;
/** Code that is compiled later, and garbage that remains. The tools of one window take as much. */
const mostGrowthBytes = 2_000_000;

test.runIf(canCountProcesses)(
	'a window that is reloaded again and again leaves no process behind, and does not grow',
	async () => {
		const mark = randomUUID();
		const script = fileURLToPath(new URL('reloadHost.ts', import.meta.url));
		const host = spawn(process.execPath, ['--expose-gc', script, `${reloads}`, mark], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const lines = (await text(host.stdout)).trim().split('\n');
		const seen = lines.map((line) => JSON.parse(line) as Reloaded);

		expect(seen.map(({ answered }) => answered)).toEqual(Array.from({ length: reloads }, () => 3));
		const later = seen.slice(warmUp);
		const first = later[0] as Reloaded;
		const last = later.at(-1) as Reloaded;
		expect(last.heapBytes - first.heapBytes).toBeLessThan(mostGrowthBytes);
		expect(last.resources).toBeLessThanOrEqual(first.resources);
		expect(markedProcesses(`RELOADS=${mark}`)).toEqual([]);
	},
);
