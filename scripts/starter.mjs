// Finds the process that started a script of package.json: npm, not npm's shell. Plain JavaScript for Node 20 without
// dependencies, because the bootstrap uses it on a fresh clone.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Likely values of npm's `script-shell`. Most shells replace themselves by their only command; dash and cmd do not. */
const SHELL = /^-?(ash|bash|busybox|cmd|dash|ksh|powershell|pwsh|sh|zsh)(\.exe)?$/i;

const CHECK_MS = 500;

/** Calls back repeatedly once the process that started this script is gone. The timer does not keep this process alive. */
export function onStarterGone(callback) {
	// A shell between npm and us does not end with npm and forwards no signals, so we poll.
	const starter = starterOf(process.ppid);
	setInterval(async () => {
		if (!isRunning(await starter)) callback();
	}, CHECK_MS).unref();
}

/** Resolves to the id of the process that started the script whose parent is `parent`. */
async function starterOf(parent) {
	if (process.env.npm_lifecycle_event === undefined) return parent;
	try {
		const { name, startedBy } = await look(parent);
		return SHELL.test(path.basename(name)) && startedBy > 0 ? startedBy : parent;
	} catch {
		return parent;
	}
}

/** A process's program and parent. */
async function look(id) {
	if (process.platform === 'linux') {
		// Read at once, because the grandparent changes as soon as npm is gone. Not with `ps`, which small images lack. The name
		// is in parentheses and may contain some.
		const [, name, startedBy] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
		return { name, startedBy: Number(startedBy) };
	}
	const query = `$p = Get-CimInstance Win32_Process -Filter 'ProcessId=${id}'; "$($p.ParentProcessId) $($p.Name)"`;
	const { stdout } =
		process.platform === 'win32'
			? await run('powershell', ['-NoProfile', '-Command', query])
			: await run('ps', ['-o', 'ppid=,comm=', '-p', String(id)]);
	const [, startedBy, name] = /(\d+)\s+(.*\S)/.exec(stdout) ?? [];
	return { name, startedBy: Number(startedBy) };
}

/** Whether a process exists, ours or not. */
function isRunning(id) {
	try {
		process.kill(id, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
