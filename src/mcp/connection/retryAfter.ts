const secondMs = 1_000;
/** Nobody waits longer; a server that asks for it says no more than that it has had enough. */
const longestMs = 24 * 3_600_000;

/**
 * How long a server asks us to wait, from its header `Retry-After`: a number of seconds, or a date. `undefined`: it does not say,
 * or means more than a day.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
	const text = header?.trim() ?? '';
	const ms = /^\d+$/.test(text) ? Number(text) * secondMs : Math.max(0, Date.parse(text) - now);
	return ms <= longestMs ? ms : undefined;
}
