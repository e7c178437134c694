/** A call that a scenario waits for. */
export interface ScenarioCall {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** Scenarios of the judge that apply to us, and what is called in each once its server is listed. */
export const playedScenarios: ReadonlyMap<string, readonly ScenarioCall[]> = new Map([
	['initialize', []],
	['tools_call', [{ tool: 'add_numbers', args: { a: 5, b: 3 } }]],
	['sse-retry', [{ tool: 'test_reconnection', args: {} }]],
]);

/** Scenarios that do not apply, by name or, with `*` at the end, by its beginning, and why. */
const leftOutScenarios: ReadonlyMap<string, string> = new Map([
	[
		'elicitation-sep1034-client-defaults',
		'The handshake offers no elicitation: a server cannot ask the user questions.',
	],
	[
		'auth/*',
		'No OAuth: a server that wants credentials is sent the headers of the configuration, or an error names "headers".',
	],
]);

/** Why a scenario is not played; absent for one that is played, and for one that nobody has decided about. */
export function reasonToLeaveOut(scenario: string): string | undefined {
	for (const [name, reason] of leftOutScenarios) {
		const applies = name.endsWith('*') ? scenario.startsWith(name.slice(0, -1)) : scenario === name;
		if (applies) return reason;
	}
	return undefined;
}
