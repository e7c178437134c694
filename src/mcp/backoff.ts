import type { McpLimits } from './limits.ts';

/**
 * How long to wait before the next start, or `undefined` when it is time to give up.
 *
 * @param failures failures in a row, 1 after the first
 * @param random from 0 to 1, spreads the wait by ± `restartJitter`
 * @param askedMs what the server itself asks us to wait at least; it may ask for `longestRetryAfterMs`
 */
export function restartDelayMs(
	failures: number,
	random: number,
	limits: Pick<McpLimits, 'restartDelaysMs' | 'restartJitter' | 'longestRetryAfterMs'>,
	askedMs = 0,
): number | undefined {
	const delay = limits.restartDelaysMs[failures - 1];
	if (delay === undefined) return undefined;
	const ours = Math.round(delay * (1 + limits.restartJitter * (2 * random - 1)));
	return Math.max(ours, Math.min(askedMs, limits.longestRetryAfterMs));
}
