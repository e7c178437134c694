// Installs what is needed before anything runs. Plain JavaScript for Node 20 without dependencies, because the bootstrap uses it
// on a fresh clone. Installations follow lock files and run in parallel.
import { spawn } from 'node:child_process';
import {
	accessSync,
	constants,
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');
/** The Node that the project pins: the npm package `node`. */
export const projectNode = path.join(
	ROOT,
	'node_modules/node/bin',
	process.platform === 'win32' ? 'node.exe' : 'node',
);
const LEASH = path.join(ROOT, 'scripts/leash.mjs');
const REDRAW_MS = 250;
const REPORT_MS = 10_000;

/** How much of npm's last output to show if an installation fails. */
const LINES_OF_NPM = 30;

function readPackages(lockFile) {
	try {
		return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
	} catch {
		return undefined;
	}
}

/** The packages that a lock file requires on every platform, by installation path. */
function requiredPackages(lockFile) {
	return Object.entries(readPackages(lockFile) ?? {}).filter(
		([place, { optional, devOptional }]) => place !== '' && !optional && !devOptional,
	);
}

/** True if the folder contains every package, in the same version, that its lock file requires on every platform. */
export function isInstalled(folder) {
	const wanted = requiredPackages(path.join(folder, 'package-lock.json'));
	// npm writes this file last, so an unfinished installation has none. Contents are compared instead of times, because a
	// checkout or a copy changes times.
	const present = readPackages(path.join(folder, 'node_modules/.package-lock.json'));
	return present !== undefined && wanted.every(([place, { version }]) => present[place]?.version === version);
}

/** The share of a lock file's packages that `folder` contains, 0 to 1. */
function installedShare(folder, lockFile) {
	const wanted = requiredPackages(lockFile);
	if (wanted.length === 0) return 0;
	return (
		wanted.filter(([place]) => existsSync(path.join(folder, place, 'package.json'))).length / wanted.length
	);
}

/** How to run npm: as npm runs this script, else from next to Node, because npm's Windows command is a shell script. */
function npmCommand() {
	const beside = path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
	const file = process.env.npm_execpath ?? (process.platform === 'win32' ? beside : undefined);
	return file ? [process.execPath, file] : ['npm'];
}

/** Runs npm on a leash, so that it ends with this process. Rejects with the end of its output. */
function npm(folder, command, ...args) {
	const child = spawn(
		process.execPath,
		[LEASH, ...npmCommand(), command, '--no-audit', '--no-fund', ...args],
		{
			cwd: folder,
			stdio: ['pipe', 'pipe', 'pipe'],
			detached: true,
			windowsHide: true,
		},
	);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk) => {
			output += chunk;
		});
	}
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => {
			if (code === 0) return resolve();
			const said = output.trim().split('\n').slice(-LINES_OF_NPM).join('\n');
			reject(new Error(`npm ${command} in ${folder} ended with code ${code}:\n${said}`));
		});
	});
}

/** Copies our package.json and lock file into a folder and installs them, without install scripts. */
async function installCopy(source, folder) {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		copyFileSync(path.join(source, file), path.join(folder, file));
	}
	await npm(folder, 'ci', '--ignore-scripts');
}

/** The project's own packages. */
export const dependencies = {
	label: 'packages of the project',
	isThere: () => isInstalled(ROOT) && existsSync(projectNode),
	share: () => installedShare(ROOT, path.join(ROOT, 'package-lock.json')),
	async install() {
		await npm(ROOT, 'ci');
		if (this.isThere()) return;
		throw new Error(
			'npm is configured not to run install scripts, but one of them installs Node 24. Try: npm rebuild node --ignore-scripts=false',
		);
	},
};

const EXAMPLE = path.join(ROOT, 'examples/workspace');

/** The MCP servers of the sample workspace. None needs its install scripts, so none runs them. */
export const exampleServers = {
	label: 'servers of the sample',
	isThere: () => isInstalled(EXAMPLE),
	share: () => installedShare(EXAMPLE, path.join(EXAMPLE, 'package-lock.json')),
	install: () => npm(EXAMPLE, 'ci', '--ignore-scripts'),
};

const HOST = path.join(ROOT, '.vscode-test/host');
const HOST_SOURCE = path.join(import.meta.dirname, 'vscode');
const HOST_VSCODE = path.join(HOST, 'node_modules/code-server/lib/vscode');
const HOST_EXTENSIONS = path.join(HOST_VSCODE, 'extensions');
/** Written last. A folder without it is an unfinished installation. */
const HOST_MARKER = path.join(HOST, 'installed.txt');

/** Our replacements for native modules, by package. */
const REPLACED = { 'spdlog.js': '@vscode/spdlog', 'nativeWatchdog.js': '@vscode/native-watchdog' };

/** What the host was installed from. If it differs, the host is installed again. */
const hostContents = () =>
	['package-lock.json', ...Object.keys(REPLACED)]
		.map((file) => readFileSync(path.join(HOST_SOURCE, file), 'utf8'))
		.join('\n');

/**
 * VS Code in a browser. Its native modules are not built: the important ones (terminals, file watching, search) come prebuilt for
 * each platform, and our files replace two others.
 */
export const vscodeHost = {
	label: 'VS Code',
	folder: HOST,
	isThere: () => existsSync(HOST_MARKER) && readFileSync(HOST_MARKER, 'utf8') === hostContents(),
	share() {
		const itself = installedShare(HOST, path.join(HOST_SOURCE, 'package-lock.json'));
		const editor = installedShare(HOST_VSCODE, path.join(HOST_VSCODE, 'npm-shrinkwrap.json'));
		return (itself + editor) / 2;
	},
	async install() {
		await installCopy(HOST_SOURCE, HOST);
		// Not `npm ci`: the lock files of the package leave out what other platforms need.
		await Promise.all(
			[HOST_VSCODE, HOST_EXTENSIONS].map((folder) =>
				npm(folder, 'install', '--omit=dev', '--ignore-scripts'),
			),
		);
		linkScripts();
		for (const [file, name] of Object.entries(REPLACED)) {
			copyFileSync(path.join(HOST_SOURCE, file), path.join(HOST_VSCODE, 'node_modules', name, 'index.js'));
		}
		writeFileSync(HOST_MARKER, hostContents());
	},
};

/** The links to this platform's scripts, which code-server's own install script would create. */
function linkScripts() {
	const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
	const links = [
		['remote-cli/code-server', `code-${platform}.sh`],
		['helpers/browser.sh', `browser-${platform}.sh`],
	];
	for (const [link, target] of links) {
		const file = path.join(HOST_VSCODE, 'bin', link);
		rmSync(file, { force: true });
		symlinkSync(target, file);
	}
}

const CHROMIUM = path.join(ROOT, '.vscode-test/chromium');
const CHROMIUM_SOURCE = path.join(import.meta.dirname, 'chromium');

/** A packed Chromium with its libraries and a font, for Linux machines without a browser. */
export const chromiumPackage = {
	label: 'Chromium',
	folder: CHROMIUM,
	isThere: () => isInstalled(CHROMIUM),
	share: () => installedShare(CHROMIUM, path.join(CHROMIUM_SOURCE, 'package-lock.json')),
	install: () => installCopy(CHROMIUM_SOURCE, CHROMIUM),
};

/** Installs all that are missing in parallel, and shows progress. */
export async function ensure(...installations) {
	const missing = installations.filter((installation) => !installation.isThere());
	if (missing.length === 0) return;
	const progress = showProgress(missing);
	try {
		await Promise.all(
			missing.map(async (installation) => {
				await installation.install();
				progress.finished(installation);
			}),
		);
	} finally {
		progress.end();
	}
}

/** One line that is overwritten in a terminal; elsewhere, a line from time to time. */
function showProgress(installations) {
	const started = Date.now();
	const seconds = () => `${Math.round((Date.now() - started) / 1_000)} s`;
	const running = new Set(installations);
	const { isTTY } = process.stdout;
	const erase = () => isTTY && process.stdout.write('\r\x1b[K');
	const draw = () => {
		const parts = [...running].map((each) => {
			const percent = Math.floor(each.share() * 100);
			// npm still links programs and runs install scripts then.
			return `${each.label} ${percent < 100 ? `${percent} %` : 'finishing'}`;
		});
		if (parts.length === 0) return;
		const line = `  ${seconds()}: ${parts.join(', ')}`;
		if (isTTY) process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`);
		else console.log(line);
	};
	console.log(
		`Installing ${installations.map(({ label }) => label).join(', ')}. This happens once and takes one to five minutes.`,
	);
	const timer = setInterval(draw, isTTY ? REDRAW_MS : REPORT_MS);
	return {
		finished(installation) {
			running.delete(installation);
			erase();
			console.log(`  ${installation.label}: ${seconds()}`);
		},
		end() {
			clearInterval(timer);
			erase();
		},
	};
}

/** Desktop VS Code, if `code` is on the PATH and a display is available. */
export function findDesktopCode(env = process.env) {
	const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
	if (!hasDisplay) return undefined;
	const name = process.platform === 'win32' ? 'code.cmd' : 'code';
	return (env.PATH ?? '')
		.split(path.delimiter)
		.map((folder) => path.join(folder, name))
		.find(isExecutable);
}

function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
