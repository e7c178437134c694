// Runs a command that must not outlive us: `node leash.mjs COMMAND [ARGS…]`, started detached with a pipe as its standard input.
// The pipe closes when we close it, crash or are killed. Then the whole process group gets TERM, and KILL if anything is left. A
// handler in our own process could not do that after a SIGKILL.
import { spawn, spawnSync } from 'node:child_process';

const GRACE_MS = 3_000;

const [command, ...args] = process.argv.slice(2);
const isWindows = process.platform === 'win32';
const options = { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true };
// On Windows, the commands of packages are scripts, which need a shell.
const child =
	isWindows && !command.endsWith('.exe')
		? spawn([command, ...args].map((word) => `"${word}"`).join(' '), { ...options, shell: true })
		: spawn(command, args, options);
let released = false;

/** Signals every process of our group. We ignore TERM ourselves, and stay until the end. */
function signalGroup(signal) {
	// Windows has no process groups. A process knows its children while it runs.
	if (isWindows) return spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
	try {
		process.kill(-process.pid, signal);
	} catch {
		// No process is left.
	}
}

function release() {
	if (released) return;
	released = true;
	signalGroup('SIGTERM');
	setTimeout(() => signalGroup('SIGKILL'), GRACE_MS);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.stdin.resume();
process.stdin.on('close', release);
process.stdin.on('error', release);
child.on('error', (error) => {
	console.error(`${command}: ${error.message}`);
	process.exit(127);
});
child.on('exit', (code, signal) => {
	if (released) signalGroup('SIGKILL');
	signalGroup('SIGTERM');
	process.exitCode = code ?? 1;
	if (signal) console.error(`${command} ended by ${signal}`);
	process.exit();
});
