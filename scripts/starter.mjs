// Finds the process that started a script of package.json: npm, not the shell that it runs scripts in. Plain
// JavaScript for Node 20 without dependencies: the bootstrap uses it on a fresh clone.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Whatever `script-shell` of npm's configuration is likely to name. Most replace themselves with their only command; dash and cmd stay. */
const SHELL = /^-?(ash|bash|busybox|cmd|dash|ksh|powershell|pwsh|sh|zsh)(\.exe)?$/i;

const CHECK_MS = 500;

/** Calls back, again and again, once the process that started this script is gone. Watching keeps nothing alive. */
export function onStarterGone(callback) {
	// A shell between npm and us does not end with npm, and passes no signal on: so we look.
	const starter = starterOf(process.ppid);
	setInterval(async () => {
		if (!isRunning(await starter)) callback();
	}, CHECK_MS).unref();
}

/** The process that started the script whose parent is `parent`; resolves to its id. */
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
		// At once: the parent's parent is another one as soon as npm is gone. Not `ps`, which small images lack. The name is in parentheses and may hold some.
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

/** Whether a process is there, ours or not. */
function isRunning(id) {
	try {
		process.kill(id, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
