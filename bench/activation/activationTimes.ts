/** Times of one activation in whole milliseconds, as VS Code's extension host measured them. */
export interface ActivationTimes {
	/** Loading the module and its static imports. */
	readonly loadMs: number;
	/** The synchronous part of `activate()`, until its first await. */
	readonly callMs: number;
	/** From then until the promise resolves. */
	readonly finishMs: number;
}

/**
 * Reads an extension's row of the table `Extension | Eager | Load Code | Call Activate | Finish Activate | …` in the page of the
 * command «Developer: Startup Performance». `undefined` until the page or the row exists.
 */
export function readActivationTimes(page: string, extensionId: string): ActivationTimes | undefined {
	const row = page
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.find((cells) => cells[1]?.toLowerCase() === extensionId.toLowerCase());
	const [loadMs, callMs, finishMs] = (row ?? []).slice(3, 6).map(Number);
	if (loadMs === undefined || callMs === undefined || finishMs === undefined) return undefined;
	return { loadMs, callMs, finishMs };
}
