// What `npm start` and `npm test` call: `node scripts/bootstrap.mjs FILE [ARGS…]`. It has to run on a fresh clone, so
// it is plain JavaScript for Node 20 without dependencies: it installs them where they are missing or stale, then
// hands over to the TypeScript file on the Node that the project is pinned to, which runs it as it is.
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

/** What `npm start` needs beside the packages: installed with them, that takes half the time. Tests install what their stages need. */
function neededToo() {
	if (file !== 'scripts/start.ts') return [];
	const desktop = !args.includes('--browser') && findDesktopCode() !== undefined;
	return desktop || process.env.VSCODE_HOST ? [exampleServers] : [exampleServers, vscodeHost];
}

let child;
onStarterGone(() => {
	// What is being installed is leashed to us.
	if (!child) process.exit(1);
	// On Windows a signal would leave the task no time to clean up.
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
	// The channel tells the task that we are gone, even if we were killed.
	stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
	env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
});
// The task cleans up on these, and we stay until it has. A terminal sends Ctrl-C to it as well; twice does no harm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
