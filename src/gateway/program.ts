/**
 * The program that coding agents start: it connects their standard input and output with the window that has their folder open.
 *
 * Arguments: the folder in which windows are noted, and optionally the folder to look for; the current one without it.
 */
import { createInterface } from 'node:readline';
import { exactJson } from '../common/exactJson.ts';
import { isRecord } from '../common/json.ts';
import { WindowLink } from './windowLink.ts';
import { openWindows, windowOf } from './windows.ts';

const [, , noted = '', folder = process.cwd()] = process.argv;

const link = new WindowLink({
	folder,
	findWindow: async () => windowOf(await openWindows(noted), folder),
	send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
});

// The client has gone.
process.stdout.on('error', () => process.exit());

for await (const line of createInterface({ input: process.stdin })) {
	const message = exactJson(line);
	if (isRecord(message)) void link.take(message);
}
process.exit();
