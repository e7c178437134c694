// The entry of `npm start` and `npm test`: `node scripts/bootstrap.mjs FILE [ARGS…]`. It runs on a fresh clone, so it is plain
// JavaScript for Node 20 without dependencies. It installs missing or stale dependencies, then runs the TypeScript file with the
// Node version that the project pins.
import { spawn } from 'node:child_process';
import path from 'node:path';
import {
	dependencies,
	ensure,
	exampleServers,
	findDesktopCode,
	projectNode,
	vscodeHost,
} from './install/install.mjs';
import { onStarterGone } from './starter.mjs';

const root = path.dirname(import.meta.dirname);
const [file, ...args] = process.argv.slice(2);

/**
 * What `npm start`, or a run of all tests, needs besides the packages. Installing all at once takes half the time. Single stages install
 * what they need.
 */
function neededToo() {
	const isAllTests = file === 'scripts/test.ts' && args.length === 0;
	if (!isAllTests && file !== 'scripts/start.ts') return [];
	const isOnDesktop = isAllTests
		? process.platform === 'win32'
		: !args.includes('--browser') && findDesktopCode() !== undefined;
	return isOnDesktop || process.env.VSCODE_HOST ? [exampleServers] : [exampleServers, vscodeHost];
}

let child;
onStarterGone(() => {
	// The leash ends an installation when this process ends.
	if (!child) process.exit(1);
	// On Windows, a signal would leave the task no time to clean up.
	else if (process.platform !== 'win32') child.kill('SIGTERM');
	else if (child.connected) child.disconnect();
});

try {
	await ensure(dependencies, ...neededToo());
} catch (error) {
	console.error(error.message);
	process.exit(1);
}

const bin = path.join(root, 'node_modules/.bin');
child = spawn(projectNode, [path.join(root, file), ...args], {
	cwd: root,
	// If this process is killed, the closed channel tells the task.
	stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
	env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
});
// The task cleans up on these signals, and this process waits for it. In a terminal, the task gets Ctrl+C twice, which is
// harmless.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
