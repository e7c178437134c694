import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Mode, type Modes, noAnswer } from '../exchange.ts';
import { text, tool } from '../messages.ts';

const deafProgram = `for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {}); setInterval(() => {}, 1000);`;

/** What the trial counts its processes by, for those that are started without it in their environment. */
const trialMark = `FAULT_TRIAL=${process.env.FAULT_TRIAL}`;

function goDeaf(): void {
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
	setInterval(() => {}, 1000);
}

function freeze(): typeof noAnswer {
	process.kill(process.pid, 'SIGSTOP');
	return noAnswer;
}

/** Processes that will not go. */
export const processModes: Modes = {
	/** Deaf to the end of its stdin and to signals, with a child of the same kind; notes the ids of both in the file given, if one is. */
	stubborn: ([pids]): Mode => ({
		stays: true,
		begin: () => {
			goDeaf();
			const child = spawn(process.execPath, ['-e', deafProgram], { stdio: 'ignore' });
			if (pids !== undefined) appendFileSync(pids, `${process.pid}\n${child.pid}\n`);
		},
	}),
	/** Its child leads a group and a session of its own, as a browser does that a server starts. */
	'detached-child': ([deaf]): Mode => ({
		begin: () => {
			spawn(process.execPath, ['-e', deaf ? deafProgram : 'setInterval(() => {}, 1000)'], {
				stdio: 'ignore',
				detached: true,
			}).unref();
		},
	}),
	/** Its deaf child has a session of its own and nothing in its environment; it comes with the server, with the call, or when stdin ends, and the server may go before it. */
	leaves: ([when, how]): Mode => {
		const leave = () => {
			const [command, ...args] =
				how === 'setsid' ? ['env', '-i', 'setsid', process.execPath] : [process.execPath];
			spawn(command ?? '', [...args, '-e', deafProgram, trialMark], {
				stdio: 'ignore',
				detached: how !== 'setsid',
				env: how === 'setsid' ? process.env : {},
			}).unref();
		};
		return {
			stays: true,
			begin: () => {
				goDeaf();
				if (when === 'start') leave();
				if (when === 'end') process.stdin.once('end', leave);
			},
			fault: async () => {
				if (when === 'call') leave();
				if (how !== 'orphan') return text('left');
				// Long enough to have been seen with its child; who goes sooner than that is not found out.
				await delay(1_500);
				return process.exit(1);
			},
		};
	},
	/** Child after child in sessions of their own, each of which starts the next one and stays for a while. */
	'forks-on': (): Mode => ({
		begin: () => {
			const script =
				'trap "" TERM; sleep 0.2; setsid env -i PATH="$PATH" /bin/sh -c "$0" "$0" "$1" & sleep 5';
			spawn('/bin/sh', ['-c', script, script, trialMark], {
				stdio: 'ignore',
				detached: true,
				env: { PATH: process.env.PATH },
			});
		},
	}),
	/** Child after child in sessions of their own, each of which starts the next one and ends at once; none after so many. */
	're-forks': ([count]): Mode => ({
		begin: () => {
			const script =
				'trap "" TERM; [ "$1" -gt 0 ] || exit; sleep 0.02; setsid /bin/sh -c "$0" "$0" "$(($1 - 1))" "$2" &';
			spawn('/bin/sh', ['-c', script, script, count ?? '0', trialMark], { stdio: 'ignore', detached: true });
		},
	}),
	/** Its child holds its stdout and stderr open. */
	'child-holds-pipes': (): Mode => ({
		begin: () => {
			spawn(process.execPath, ['-e', deafProgram], { stdio: ['ignore', 'inherit', 'inherit'] });
		},
		fault: () => process.exit(1),
	}),
	/** Stops itself, as a debugger would: it neither answers nor hears. At once, at a request of some method, or in the call of `fault`. */
	freezes: ([when = 'fault']): Mode => ({
		...(when === 'begin' && { begin: freeze }),
		...(when === 'fault' && { fault: freeze }),
		...(when.includes('/') || when === 'initialize' ? { handlers: { [when]: freeze } } : {}),
	}),
	/** Its children are stopped, one of them in a session of its own. */
	'freezes-children': (): Mode => ({
		begin: () => {
			for (const detached of [false, true]) {
				const child = spawn(process.execPath, ['-e', deafProgram], { stdio: 'ignore', detached });
				child.once('spawn', () => child.kill('SIGSTOP'));
				child.unref();
			}
		},
	}),
	/** Becomes ready and dies a moment later, every time. */
	flaps: (): Mode => ({
		handlers: {
			'tools/list': () => {
				setTimeout(() => process.exit(1), 20);
				return { tools: [tool('work'), tool('fault')] };
			},
		},
	}),
	/** Starts child after child, each of which stays. */
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
