/** One observation of the judge. Those with the status `INFO` record messages. */
export interface Check {
	readonly id: string;
	readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
	readonly description: string;
	readonly errorMessage?: string;
	/** `untestable`: the server has no tool that the check needs. */
	readonly details?: { readonly untestable?: boolean };
}

/** The judge's verdict on one scenario. */
export interface Verdict {
	readonly scenario: string;
	/** Numbers of checks. */
	readonly passed: number;
	readonly failed: number;
	readonly isPassed: boolean;
	/** Why it did not pass, one line each. */
	readonly faults: readonly string[];
}

/** What our client says at its end if all went well. The judge does not report in which way it ended. */
export const endedWell = 'ended well';

/**
 * Whether a scenario is passed: our client ended well, no check failed or warned, and at least one passed. A client that
 * dies before its first request leaves no check at all, which the judge itself takes for a pass in some scenarios.
 *
 * @param clientFault why our client ended badly
 */
export function verdictOf(scenario: string, checks: readonly Check[], clientFault?: string): Verdict {
	const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
	const failed = checks.filter(
		({ status, details }) => (status === 'FAILURE' || status === 'WARNING') && !details?.untestable,
	);
	const faults = [
		...failed.map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`),
		...(passed === 0 ? ['no check was passed'] : []),
		...(clientFault === undefined ? [] : [`our client failed: ${clientFault}`]),
	];
	return { scenario, passed, failed: failed.length, isPassed: faults.length === 0, faults };
}
