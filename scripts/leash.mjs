// Runs a command that must not outlive us: `node leash.mjs COMMAND [ARGS…]`, started detached with a pipe as its
// standard input. When that pipe closes (we closed it, or we crashed or were killed) the whole process group
// goes: TERM first, KILL for what is left. A handler in our own process could not do that after a SIGKILL.
import { spawn, spawnSync } from 'node:child_process';

const GRACE_MS = 3_000;

const [command, ...args] = process.argv.slice(2);
const isWindows = process.platform === 'win32';
const options = { stdio: ['ignore', 'inherit', 'inherit'] };
// On Windows the commands of packages are scripts, which only a shell runs.
const child =
	isWindows && !command.endsWith('.exe')
		? spawn([command, ...args].map((word) => `"${word}"`).join(' '), { ...options, shell: true })
		: spawn(command, args, options);
let released = false;

/** Signals every process of our group; we ignore TERM ourselves and stay to see it through. */
function signalGroup(signal) {
	// Windows has no groups; a process knows its children, for as long as it runs.
	if (isWindows) return spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
	try {
		process.kill(-process.pid, signal);
	} catch {
		// Nobody is left.
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
	if (signal) console.error(`${command} was ended by ${signal}`);
	process.exit();
});
