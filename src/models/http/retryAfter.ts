const named =
	/(?:try again|retry(?:Delay)?|wait)\b[^.\d]{0,20}?((?:\d+(?:\.\d+)?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z]) ?)+)/i;
const unitMs: Readonly<Record<string, number>> = { milli: 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * How long words ask us to wait, in milliseconds: “Please try again in 2m1.5s”, “retry after 26 seconds”, and Google's `"retryDelay": "34s"`
 * (https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto).
 */
export function waitNamedIn(words: string): number | undefined {
	const parts = [...(named.exec(words)?.[1] ?? '').matchAll(/([\d.]+)\s?(milli|ms|[smh])/gi)];
	if (parts.length === 0) return undefined;
	return parts.reduce(
		(sum, [, number, unit = '']) => sum + Number(number) * (unitMs[unit.toLowerCase()] ?? 0),
		0,
	);
}
