import type { Fault } from '../fault.ts';

const local = ['stdio'] as const;

const starts = { start: 'ready' } as const;

/**
 * Modes whose host is killed every day too: one for each way to resist. The pool and its reaper end processes with the same code
 * (`processGroup.ts`), so the other modes only differ in what the pool's end shows already.
 */
const endedByReaper: ReadonlySet<string> = new Set(['detached-child', 're-forks', 'multiplies']);

const stubborn: readonly Fault[] = [
	{ name: 'is deaf, and has a deaf child', mode: ['stubborn'], transports: local, expected: starts },
	{
		name: 'is deaf behind a shell',
		onlyNightly: true,
		mode: ['stubborn'],
		shells: 1,
		transports: local,
		expected: starts,
	},
	{
		name: 'is deaf behind three shells, as behind npx',
		mode: ['stubborn'],
		shells: 3,
		transports: local,
		expected: starts,
	},
	{
		name: 'has a deaf child in a session of its own',
		mode: ['detached-child', 'deaf'],
		transports: local,
		expected: starts,
	},
	{
		name: 'has a child that starts another and ends at once, and so on',
		mode: ['re-forks', '2000'],
		transports: local,
		lookOnMs: 1_000,
		expected: starts,
	},
	{ name: 'has thirty deaf children', mode: ['multiplies', '30'], transports: local, expected: starts },
	{
		name: 'hangs in the handshake, deaf',
		mode: ['hangs', 'initialize'],
		shells: 2,
		transports: local,
		limits: { connectMs: 4_000 },
		expected: { start: 'never-answered' },
	},
	{
		name: 'is frozen in mid-call',
		mode: ['freezes'],
		transports: local,
		limits: { callIdleMs: 1_500 },
		expected: { ...starts, fault: { reason: 'call-idle' }, after: { reason: 'call-idle' } },
	},
	{
		name: 'is frozen as soon as it begins',
		onlyNightly: true,
		mode: ['freezes', 'begin'],
		transports: local,
		limits: { connectMs: 2_000 },
		expected: { start: 'never-answered' },
	},
	{
		name: 'is frozen in the handshake, behind a shell',
		onlyNightly: true,
		mode: ['freezes', 'initialize'],
		shells: 2,
		transports: local,
		limits: { connectMs: 4_000 },
		expected: { start: 'never-answered' },
	},
	{
		name: 'is frozen while it lists',
		mode: ['freezes', 'tools/list'],
		transports: local,
		limits: { listPageMs: 1_500 },
		expected: { start: 'list-timeout' },
	},
	{ name: 'has frozen children', mode: ['freezes-children'], transports: local, expected: starts },
];

export const processFaults: readonly Fault[] = [
	...stubborn,
	...stubborn.map(
		({ onlyNightly, ...fault }): Fault => ({
			...fault,
			name: `${fault.name}, and the host is killed`,
			...((onlyNightly || !endedByReaper.has(fault.mode[0])) && { onlyNightly: true }),
			end: 'killed',
		}),
	),
	...stubborn.slice(0, 4).map(
		({ onlyNightly: _, ...fault }, i): Fault => ({
			...fault,
			name: `${fault.name}, and the reaper is killed, and then the host`,
			...(i > 0 && { onlyNightly: true }),
			end: 'killed after its reaper',
		}),
	),
];
