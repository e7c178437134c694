/**
 * How long a server asks us to wait, in milliseconds: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or OpenAI's `retry-after-ms`.
 * `nowMs`: the time, in milliseconds since 1970. `undefined`: it does not say.
 */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
	const exact = numberIn(headers.get('retry-after-ms'));
	if (exact !== undefined) return Math.max(0, exact);
	const written = headers.get('retry-after');
	const seconds = numberIn(written);
	if (seconds !== undefined) return Math.max(0, seconds * 1000);
	const date = Date.parse(written ?? '');
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** A number in a header; `undefined` if the text is not one. */
function numberIn(written: string | null): number | undefined {
	const number = Number(written ?? '');
	return written?.trim() && Number.isFinite(number) ? number : undefined;
}
