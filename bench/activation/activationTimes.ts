/** What VS Code's extension host measured of one activation, in whole milliseconds. */
export interface ActivationTimes {
	/** Loading the module and all that it imports statically. */
	readonly loadMs: number;
	/** The call of `activate()`, until it returns its promise: what it does before it first awaits. */
	readonly callMs: number;
	/** From then until the promise resolves. */
	readonly finishMs: number;
}

/**
 * Reads an extension's row of the table `Extension | Eager | Load Code | Call Activate | Finish Activate | …` in the page of the
 * command «Developer: Startup Performance»; `undefined` while the page or the row is not there.
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
