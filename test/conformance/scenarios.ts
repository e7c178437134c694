/** A call that a scenario waits for. */
export interface ScenarioCall {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** What our client does in a scenario once its server is listed. */
export interface Play {
	/** `context`: those that the judge gives along with the scenario. `listed`: every tool, with nothing. */
	readonly calls: readonly ScenarioCall[] | 'context' | 'listed';
	/** Whether what the server has beside tools is listed and read, too. */
	readonly reads?: true;
}

/** The revisions that the judge has a frozen list of scenarios for: each is played as the revision has it. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

const add = [{ tool: 'add_numbers', args: { a: 5, b: 3 } }];

/** Scenarios of the judge, and what is done in each. */
const plays: ReadonlyMap<string, Play> = new Map<string, Play>([
	['initialize', { calls: [] }],
	['tools_call', { calls: add }],
	['sse-retry', { calls: [{ tool: 'test_reconnection', args: {} }] }],
	['elicitation-sep1034-client-defaults', { calls: 'listed' }],
	['request-metadata', { calls: [] }],
	['sep-2322-client-request-state', { calls: 'listed' }],
	['http-standard-headers', { calls: 'listed', reads: true }],
	['http-custom-headers', { calls: 'context' }],
	['http-invalid-tool-headers', { calls: 'listed' }],
	['json-schema-ref-no-deref', { calls: [] }],
]);

/** Scenarios that do not apply, by name or, with `*` at the end, by its beginning, and why. */
const leftOutScenarios: ReadonlyMap<string, string> = new Map([
	['auth/*', 'Signing in is not played yet: the pool has to be given somebody who signs in.'],
]);

/** What is done in a scenario; absent for one that is not played. */
export function playOf(scenario: string): Play | undefined {
	return plays.get(scenario);
}

/** Why a scenario is not played; absent for one that is played, and for one that nobody has decided about. */
export function reasonToLeaveOut(scenario: string): string | undefined {
	for (const [name, reason] of leftOutScenarios) {
		const applies = name.endsWith('*') ? scenario.startsWith(name.slice(0, -1)) : scenario === name;
		if (applies) return reason;
	}
	return undefined;
}
