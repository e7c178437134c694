// `npm start`: packages the extension and opens it in a real VS Code, in its own profile, on a copy of the sample workspace. Ends
// on Ctrl+C or TERM, or when its terminal closes or npm dies. Leaves no process, profile or copy behind.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { run } from './childProcess.ts';
import { ensureVscodeHost, folderUrl, installExtension, startCodeServer } from './codeServer.ts';
import { ensure, exampleServers, findDesktopCode } from './install/install.mjs';
import { ensurePackage } from './packageExtension.ts';
import { createProfile, deleteProfile, type Profile } from './profile.ts';
import { VSIX } from './projectPaths.ts';
import { copyWorkspace, deleteWorkspaceCopy } from './workspaceCopy.ts';

const USAGE = `npm start -- [--workspace FOLDER] [--port N] [--browser] [--[no-]trust]
  --workspace FOLDER  opens this folder instead of a copy of examples/workspace
  --port N            TCP port on 127.0.0.1; default: a free one
  --browser           runs VS Code in the browser even if desktop VS Code is installed
  --[no-]trust        whether VS Code asks if you trust the folder. Default: not for the sample`;

function parseOptions() {
	return parseArgs({
		allowNegative: true,
		options: {
			workspace: { type: 'string' },
			port: { type: 'string', default: '0' },
			browser: { type: 'boolean', default: false },
			trust: { type: 'boolean' },
			help: { type: 'boolean', default: false },
		},
	}).values;
}

type Options = ReturnType<typeof parseOptions>;

/** Resolves when a signal or npm's end asks us to stop. Further requests do not interrupt the cleanup. */
function stopRequested(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
		process.once('disconnect', resolve);
	});
}

/** Resolves when the window is closed. */
async function openOnDesktop(code: string, profile: Profile, folder: string): Promise<void> {
	const folders = [`--user-data-dir=${profile.userData}`, `--extensions-dir=${profile.extensions}`];
	await run(code, [...folders, '--install-extension', VSIX, '--force'], { output: 'pipe' });
	await run(code, [...folders, '--new-window', '--wait', folder]);
}

async function openInBrowser(
	profile: Profile,
	folder: string,
	options: Options,
	stop: Promise<void>,
): Promise<void> {
	await installExtension(profile, VSIX);
	const server = await startCodeServer({ profile, port: Number(options.port) });
	try {
		console.log(`\n  VS Code with the extension:  ${folderUrl(server, folder)}\n`);
		console.log('  Approve the servers in the Discovery view, then ask @discovery. Press Ctrl+C to stop.\n');
		await Promise.race([
			stop,
			server.exited.then(() => {
				throw new Error('VS Code ended unexpectedly');
			}),
		]);
		console.log('Stopping …');
	} finally {
		await server.stop();
	}
}

/** Prepares what the bootstrap has not (if this file runs by itself), and packages the extension. */
async function prepare(needsHost: boolean): Promise<void> {
	await ensure(exampleServers);
	if (needsHost) await ensureVscodeHost();
	await ensurePackage();
}

async function start(options: Options): Promise<void> {
	const stop = stopRequested();
	const code = options.browser ? undefined : findDesktopCode();
	const prepared = prepare(code === undefined).then(() => true);
	if (!(await Promise.race([prepared, stop]))) return;
	await using cleanup = new AsyncDisposableStack();
	const profile = createProfile({
		'security.workspace.trust.enabled': options.trust ?? options.workspace !== undefined,
		// Servers start only in a trusted folder, so VS Code asks at once instead of showing a banner.
		'security.workspace.trust.startupPrompt': 'once',
		// By default, notifications cover the chat's input.
		'workbench.notifications.position': 'top-right',
	});
	cleanup.defer(() => deleteProfile(profile));
	const sample = options.workspace === undefined ? await copyWorkspace() : undefined;
	if (sample) cleanup.defer(() => deleteWorkspaceCopy(sample));
	const folder = path.resolve(options.workspace ?? sample ?? '.');
	const opened = code ? openOnDesktop(code, profile, folder) : openInBrowser(profile, folder, options, stop);
	await Promise.race([opened, ...(code ? [stop] : [])]);
}

try {
	const options = parseOptions();
	if (options.help) console.log(USAGE);
	else await start(options);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
// Ends leashed processes that are still running, such as an interrupted installation.
process.exit();
