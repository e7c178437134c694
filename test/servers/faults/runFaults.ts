import { type FaultRow, faultGroups } from './fault.ts';
import { FaultGround } from './faultGround.ts';
import { faults } from './faults.ts';

/** What came of trying every fault over every transport it has. */
export interface FaultFigures {
	readonly tried: number;
	readonly survived: number;
	/** Longest time in which the pool's process did not answer another process. */
	readonly stallMaxMs: number;
	/** Largest growth of the pool's process. */
	readonly memoryMaxBytes: number;
	/** Processes that outlived their pool or its process. */
	readonly orphans: number;
	readonly rows: readonly FaultRow[];
}

/** Tries all of the table, one after the other: about a minute. */
export async function runFaults(onRow: (row: FaultRow) => void = () => {}): Promise<FaultFigures> {
	const ground = new FaultGround();
	const rows: FaultRow[] = [];
	try {
		for (const group of faultGroups)
			for (const fault of faults[group])
				for (const transport of fault.transports) {
					const row = await ground.try(group, fault, transport);
					rows.push(row);
					onRow(row);
				}
	} finally {
		await ground.dispose();
	}
	return {
		tried: rows.length,
		survived: rows.filter(({ problems }) => problems.length === 0).length,
		stallMaxMs: Math.max(...rows.map(({ stallMs }) => stallMs)),
		memoryMaxBytes: Math.max(...rows.map(({ memoryBytes }) => memoryBytes)),
		orphans: rows.reduce((sum, row) => sum + row.orphans.length, 0),
		rows,
	};
}
