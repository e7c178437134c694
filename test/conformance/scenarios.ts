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
	/** The server does what a client must not go along with: that it gives up is what is judged. */
	readonly mayFail?: true;
	/** The configuration names a document about the client, in the place of a registration. */
	readonly hasMetadataUrl?: true;
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

/** Scenarios of signing in whose authorization server is not to be trusted, or asks for more without end. */
const untrustworthy = [
	'resource-mismatch',
	'scope-retry-limit',
	'iss-supported-missing',
	'iss-wrong-issuer',
	'iss-unexpected',
	'iss-normalized',
	'metadata-issuer-mismatch',
];

/** What is done in a scenario; absent for one that nobody has decided about. */
export function playOf(scenario: string): Play | undefined {
	const [, signIn] = /^auth\/(.*)/.exec(scenario) ?? [];
	if (signIn === undefined) return plays.get(scenario);
	return {
		calls: 'listed',
		...(untrustworthy.includes(signIn) ? { mayFail: true } : {}),
		...(signIn === 'basic-cimd' ? { hasMetadataUrl: true } : {}),
	};
}
