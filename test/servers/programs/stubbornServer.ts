/**
 * A server that will not go: deaf to the end of its stdin and to SIGTERM, and with a child of the same kind. Writes
 * the ids of both, one a line, into the file given.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { tool } from './messages.ts';
import { serve } from './scriptedServer.ts';

const pids = String(process.argv[2]);
const deaf = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
const child = spawn(process.execPath, ['-e', deaf], { stdio: 'ignore' });
appendFileSync(pids, `${process.pid}\n${child.pid}\n`);

process.on('SIGTERM', () => {});
process.exit = (() => {}) as typeof process.exit;
setInterval(() => {}, 1000);

serve({ 'tools/list': () => ({ tools: [tool('stay')] }) });
