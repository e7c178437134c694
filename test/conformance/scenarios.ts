/** A call that a scenario expects. */
export interface ScenarioCall {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** What our client does in a scenario after it has listed its server. */
export interface Play {
	/** `context`: the calls that the judge provides with the scenario. `listed`: every tool, without arguments. */
	readonly calls: readonly ScenarioCall[] | 'context' | 'listed';
	/** Whether our client also lists and reads what the server has besides tools. */
	readonly reads?: true;
	/** The server does something that a client must refuse, so our client may fail. */
	readonly mayFail?: true;
	/** The configuration names a metadata document of the client instead of a registration. */
	readonly hasMetadataUrl?: true;
}

/** The revisions for which the judge has a fixed list of scenarios. Each scenario runs as the revision defines it. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/**
 * Scenarios for servers that apply to what other agents connect to. The others need tools, resources or prompts that the judge names, or features that
 * we do not offer, such as a log.
 */
export const gatewayScenarios: Readonly<Record<Revision, readonly string[]>> = {
	'2025-11-25': [
		'server-initialize',
		'server-session-lifecycle',
		'server-sse-multiple-streams',
		'ping',
		'tools-list',
		'dns-rebinding-protection',
	],
	'2026-07-28': [
		'server-stateless',
		'server-sse-multiple-streams',
		'tools-list',
		'http-header-validation',
		'input-required-result-unsupported-methods',
		'dns-rebinding-protection',
	],
};

const add = [{ tool: 'add_numbers', args: { a: 5, b: 3 } }];

/** Scenarios of the judge, and what our client does in each. */
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

/** Scenarios of signing in whose authorization server cannot be trusted, or asks for more scopes without end. */
const untrustworthy = [
	'resource-mismatch',
	'scope-retry-limit',
	'iss-supported-missing',
	'iss-wrong-issuer',
	'iss-unexpected',
	'iss-normalized',
	'metadata-issuer-mismatch',
];

/** What our client does in a scenario; absent for a scenario that is not in the tables. */
export function playOf(scenario: string): Play | undefined {
	const [, signIn] = /^auth\/(.*)/.exec(scenario) ?? [];
	if (signIn === undefined) return plays.get(scenario);
	return {
		calls: 'listed',
		...(untrustworthy.includes(signIn) ? { mayFail: true } : {}),
		...(signIn === 'basic-cimd' ? { hasMetadataUrl: true } : {}),
	};
}
