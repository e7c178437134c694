import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { type Mode, type Modes, noAnswer } from '../exchange.ts';
import { text } from '../messages.ts';

const deafProgram = `for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {}); setInterval(() => {}, 1000);`;

function goDeaf(): void {
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
	setInterval(() => {}, 1000);
}

function freeze(): typeof noAnswer {
	process.kill(process.pid, 'SIGSTOP');
	return noAnswer;
}

/** Processes that resist their end. */
export const processModes: Modes = {
	/** Ignores the end of its stdin and signals, and has a child that does so too. Writes both ids to the file, if one is given. */
	stubborn: ([pids]): Mode => ({
		stays: true,
		begin: () => {
			goDeaf();
			const child = spawn(process.execPath, ['-e', deafProgram], { stdio: 'ignore' });
			if (pids !== undefined) appendFileSync(pids, `${process.pid}\n${child.pid}\n`);
		},
	}),
	/** Its child leads its own group and session, as a browser does that a server starts. */
	'detached-child': ([deaf]): Mode => ({
		begin: () => {
			spawn(process.execPath, ['-e', deaf ? deafProgram : 'setInterval(() => {}, 1000)'], {
				stdio: 'ignore',
				detached: true,
			}).unref();
		},
	}),
	/** Children in their own sessions, each of which starts the next one and ends at once; `count` in all. */
	're-forks': ([count]): Mode => ({
		begin: () => {
			const script =
				'trap "" TERM; [ "$1" -gt 0 ] || exit; sleep 0.02; setsid /bin/sh -c "$0" "$0" "$(($1 - 1))" &';
			spawn('/bin/sh', ['-c', script, script, count ?? '0'], { stdio: 'ignore', detached: true });
		},
	}),
	/** Its child keeps its stdout and stderr open. */
	'child-holds-pipes': (): Mode => ({
		begin: () => {
			spawn(process.execPath, ['-e', deafProgram], { stdio: ['ignore', 'inherit', 'inherit'] });
		},
		fault: () => process.exit(1),
	}),
	/** Stops itself as a debugger would: at once, at a request with the given method, or in the call of `fault`. */
	freezes: ([when = 'fault']): Mode => ({
		...(when === 'begin' && { begin: freeze }),
		...(when === 'fault' && { fault: freeze }),
		...(when.includes('/') || when === 'initialize' ? { handlers: { [when]: freeze } } : {}),
	}),
	/** Its children are stopped, one of them in its own session. */
	'freezes-children': (): Mode => ({
		begin: () => {
			for (const detached of [false, true]) {
				const child = spawn(process.execPath, ['-e', deafProgram], { stdio: 'ignore', detached });
				child.once('spawn', () => child.kill('SIGSTOP'));
				child.unref();
			}
		},
	}),
	/** Starts child after child, each of which keeps running. */
	multiplies: ([count]): Mode => ({
		begin: goDeaf,
		stays: true,
		fault: () => {
			for (let i = 0; i < Number(count); i += 1)
				spawn('/bin/sh', ['-c', 'trap "" TERM HUP INT; sleep 600; sleep 600'], { stdio: 'ignore' });
			return text('multiplied');
		},
	}),
};
