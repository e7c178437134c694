import { ensureVscodeHost } from '../../scripts/codeServer.ts';
import { VSIX } from '../../scripts/projectPaths.ts';
import type { ActivationTimes } from '../activation/activationTimes.ts';
import { timeWindows, type WindowTimes } from '../activation/windows.ts';
import type { Benchmark, Table } from '../benchmark.ts';
import { packagedExtension } from '../packaged.ts';
import { quantity, ratio } from '../report.ts';
import { median } from '../timing.ts';

const WINDOWS = 5;

/** The time that matters: until then, the extension host does nothing else. */
const heldUpMs = ({ loadMs, callMs }: ActivationTimes): number => loadMs + callMs;

/**
 * How long activation blocks the extension host, compared with the editor's git extension in the same window, and when the view
 * is ready.
 */
export const activation: Benchmark = {
	name: 'activation',
	title: 'Activation in VS Code (ms)',
	async measure() {
		const absence = await absenceOfHost();
		if (absence !== undefined) return { kind: 'left out', reason: absence };
		await packagedExtension();
		const windows = await timeWindows(WINDOWS, VSIX);
		const ours = windows.map((window) => window.ours);
		const git = windows.map((window) => window.git);
		return {
			kind: 'measured',
			figures: {
				'activate.load.ms': median(ours.map(({ loadMs }) => loadMs)),
				'activate.ms': median(ours.map(({ callMs }) => callMs)),
				'activate.finish.ms': median(ours.map(({ finishMs }) => finishMs)),
				'activate.git.ms': median(git.map(heldUpMs)),
				'activate.ofGit': median(ratios(windows)),
				'view.firstRows.ms': median(windows.map(({ firstRowsMs }) => firstRowsMs)),
				'view.plainRows.ms': median(windows.map(({ plainRowsMs }) => plainRowsMs)),
			},
			tables: [mediansTable(ours, git), windowsTable(windows)],
			notes: [
				'The packaged extension in new windows on the example workspace as a git repository; the editor measures whole milliseconds. First rows: from the click that shows the Servers view to its rows with the tools that are on disk; the plain view has rows that are made of nothing, and is what the editor takes.',
			],
		};
	},
};

function mediansTable(ours: readonly ActivationTimes[], git: readonly ActivationTimes[]): Table {
	const row = (label: string, times: readonly ActivationTimes[]): string[] => [
		label,
		...[
			({ loadMs }: ActivationTimes) => loadMs,
			({ callMs }: ActivationTimes) => callMs,
			heldUpMs,
			({ finishMs }: ActivationTimes) => finishMs,
		].map((part) => quantity(median(times.map(part)))),
	];
	return {
		title: 'Medians',
		columns: ['', 'load the code', 'activate()', 'both', 'until it is done'],
		rows: [row('this extension', ours), row('vscode.git', git)],
	};
}

function windowsTable(windows: readonly WindowTimes[]): Table {
	const row = (label: string, values: readonly number[], text: (value: number) => string): string[] => [
		label,
		...[median(values), ...values].map(text),
	];
	return {
		title: 'Windows',
		columns: ['', 'median', ...windows.map((_, i) => `${i + 1}`)],
		rows: [
			row(
				'this extension: load and activate()',
				windows.map(({ ours }) => heldUpMs(ours)),
				quantity,
			),
			row(
				'vscode.git: load and activate()',
				windows.map(({ git }) => heldUpMs(git)),
				quantity,
			),
			row('ratio', ratios(windows), (value) => ratio(value, 1)),
			row(
				'first rows of the Servers view',
				windows.map(({ firstRowsMs }) => firstRowsMs),
				quantity,
			),
			row(
				'first rows of a plain view',
				windows.map(({ plainRowsMs }) => plainRowsMs),
				quantity,
			),
		],
	};
}

function ratios(windows: readonly WindowTimes[]): number[] {
	return windows.map(({ ours, git }) => heldUpMs(ours) / heldUpMs(git));
}

/** Why there is no VS Code to measure in. */
async function absenceOfHost(): Promise<string | undefined> {
	try {
		await ensureVscodeHost();
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
