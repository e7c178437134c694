import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { locked } from '../../../src/common/fileLock.ts';

/**
 * Adds 1 to a number in a file, again and again, in a way that loses additions where two processes do it at once. A process whose number
 * is a turn in which it dies dies there with the lock in its hand.
 */
const [folder = '', turns = '0', dies = ''] = process.argv.slice(2);
const counter = join(folder, 'counter');

for (let turn = 0; turn < Number(turns); turn++) {
	await locked(counter, async () => {
		if (String(turn) === dies) process.kill(process.pid, 'SIGKILL');
		const before = Number(readFileSync(counter, 'utf8'));
		await pass(Math.random() * 2);
		writeFileSync(counter, String(before + 1));
		appendFileSync(join(folder, 'log'), `${before + 1}\n`);
	});
}
