import { type FaultGroup, type FaultRow, faultGroups } from './fault.ts';
import { FaultGround } from './faultGround.ts';
import { faults } from './faults.ts';

/** The results of every fault over every transport. */
export interface FaultFigures {
	readonly tried: number;
	readonly survived: number;
	/** The longest time in which the pool's process did not answer another process. */
	readonly stallMaxMs: number;
	/** Largest growth of the pool's process. */
	readonly memoryMaxBytes: number;
	/** Processes that outlived their pool or its host. */
	readonly orphans: number;
	readonly rows: readonly FaultRow[];
}

/** Trials mostly wait, so two groups run at once. */
const groupsAtOnce = 2;

/** Tries the whole table, each group in its own process: two minutes. */
export async function runFaults(): Promise<FaultFigures> {
	const waiting = [...faultGroups];
	const rowsOf = new Map<FaultGroup, readonly FaultRow[]>();
	const work = async () => {
		for (let group = waiting.shift(); group; group = waiting.shift())
			rowsOf.set(group, await runGroup(group));
	};
	await Promise.all(Array.from({ length: groupsAtOnce }, work));
	const rows = faultGroups.flatMap((group) => rowsOf.get(group) ?? []);
	return {
		tried: rows.length,
		survived: rows.filter(({ problems }) => problems.length === 0).length,
		stallMaxMs: Math.max(...rows.map(({ stallMs }) => stallMs)),
		memoryMaxBytes: Math.max(...rows.map(({ memoryBytes }) => memoryBytes)),
		orphans: rows.reduce((sum, row) => sum + row.orphans.length, 0),
		rows,
	};
}

async function runGroup(group: FaultGroup): Promise<readonly FaultRow[]> {
	const ground = new FaultGround();
	const rows: FaultRow[] = [];
	try {
		for (const fault of faults[group])
			for (const transport of fault.transports)
				rows.push(await tryQuietly(() => ground.try(group, fault, transport)));
		return rows;
	} finally {
		await ground.dispose();
	}
}

/** Above these, a fault is tried again: its own costs recur each time, those of other work on the machine do not. */
const suspicious = { stallMs: 100, memoryBytes: 80_000_000 };
const mostTries = 3;

/** Tries a fault several times if it seems expensive. The smallest figures count, and every problem. */
async function tryQuietly(once: () => Promise<FaultRow>): Promise<FaultRow> {
	let row = await once();
	for (let tries = 1; tries < mostTries; tries += 1) {
		if (row.stallMs <= suspicious.stallMs && row.memoryBytes <= suspicious.memoryBytes) break;
		const again = await once();
		row = {
			...again,
			stallMs: Math.min(row.stallMs, again.stallMs),
			memoryBytes: Math.min(row.memoryBytes, again.memoryBytes),
			orphans: [...row.orphans, ...again.orphans],
			problems: [...row.problems, ...again.problems],
		};
	}
	return row;
}
