import type { McpLimits } from './limits.ts';

/**
 * How long to wait before the next start, or `undefined` when it is time to give up.
 *
 * @param failures failures in a row, 1 after the first
 * @param random from 0 to 1, spreads the wait by ± `restartJitter`
 */
export function restartDelayMs(
	failures: number,
	random: number,
	limits: Pick<McpLimits, 'restartDelaysMs' | 'restartJitter'>,
): number | undefined {
	const delay = limits.restartDelaysMs[failures - 1];
	return delay === undefined ? undefined : Math.round(delay * (1 + limits.restartJitter * (2 * random - 1)));
}
