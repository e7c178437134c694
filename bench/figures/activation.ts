import { ensureVscodeHost } from '../../scripts/vscodeHost.ts';
import { timeActivations } from '../activation/window.ts';
import type { Benchmark } from '../benchmark.ts';
import { packagedExtension } from '../packaged.ts';
import { quantity } from '../report.ts';
import { median } from '../timing.ts';

const WINDOWS = 3;

/** How long activation holds the extension host up, as VS Code's own «Startup Performance» has it. */
export const activation: Benchmark = {
	name: 'activation',
	title: 'Activation in VS Code (ms)',
	async measure() {
		const absence = await absenceOfHost();
		if (absence !== undefined) return { kind: 'left out', reason: absence };
		await packagedExtension();
		const times = await timeActivations(WINDOWS);
		const rows = [
			{ label: 'load the code', name: 'activate.load.ms', values: times.map(({ loadMs }) => loadMs) },
			{ label: 'activate() until it awaits', name: 'activate.ms', values: times.map(({ callMs }) => callMs) },
			{
				label: 'until it is done',
				name: 'activate.finish.ms',
				values: times.map(({ finishMs }) => finishMs),
			},
		];
		return {
			kind: 'measured',
			figures: Object.fromEntries(rows.map(({ name, values }) => [name, median(values)])),
			tables: [
				{
					columns: ['', 'median', ...times.map((_, i) => `window ${i + 1}`)],
					rows: rows.map(({ label, values }) => [label, ...[median(values), ...values].map(quantity)]),
				},
			],
			notes: ['Production build in new windows; the editor measures in whole milliseconds.'],
		};
	},
};

/** Why there is no VS Code to measure in, if there is none and none can be installed. */
async function absenceOfHost(): Promise<string | undefined> {
	try {
		await ensureVscodeHost();
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
