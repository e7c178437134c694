import { numberIn } from '../../common/retryAfter.ts';

/** Larger numbers are times since 1970, in seconds or milliseconds, and not durations. */
const epochSeconds = 1e9;
const epochMs = 1e12;

/**
 * When a used-up limit will be reset, in milliseconds from now, according to its header: `x-ratelimit-reset-tokens: 6m0s` (OpenAI's guide
 * “Rate limits”), `anthropic-ratelimit-tokens-reset` with a date (Anthropic's page “Rate limits”), `x-ratelimit-reset` with a time
 * (OpenRouter, GitHub). A limit with something remaining is not the one that was reached.
 */
export function resetOf(headers: Headers, nowMs: number): number | undefined {
	const waits = [...headers].flatMap(([name, written]) => {
		if (!/ratelimit(?:-.*)?-reset/.test(name)) return [];
		const remaining = numberIn(headers.get(name.replace('reset', 'remaining')));
		const wait = remaining !== undefined && remaining > 0 ? undefined : spanIn(written, nowMs);
		return wait === undefined ? [] : [wait];
	});
	return waits.length === 0 ? undefined : Math.max(0, ...waits);
}

/**
 * How long words ask us to wait, in milliseconds: “Please try again in 2m1.5s”, “retry after 26 seconds”, and Google's `"retryDelay": "34s"`
 * (https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto).
 */
export function waitNamedIn(words: string): number | undefined {
	const [, written = ''] =
		/(?:try again|retry(?:Delay)?|wait)\b[^.\d]{0,20}?((?:\d+(?:\.\d+)?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b ?)+|(?:\d+(?:\.\d+)?(?:ms|[smh]))+)/i.exec(
			words,
		) ?? [];
	const units = (unit: string) => (/^m(?:illi)?s/.test(unit) ? 'ms' : unit.charAt(0));
	return durationIn(
		written
			.toLowerCase()
			.replace(/\s/g, '')
			.replace(/[a-z]+/g, units),
	);
}

function spanIn(written: string, nowMs: number): number | undefined {
	const number = numberIn(written);
	if (number === undefined) {
		const date = /^\d{4}-/.test(written) ? Date.parse(written) : Number.NaN;
		return Number.isNaN(date) ? durationIn(written) : date - nowMs;
	}
	if (number >= epochMs) return number - nowMs;
	return number >= epochSeconds ? number * 1000 - nowMs : number * 1000;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `1s`, `6m0s`, `34.07s`, `120ms`. */
function durationIn(written: string): number | undefined {
	if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(written)) return undefined;
	const parts = [...written.matchAll(/([\d.]+)(ms|[smhd])/g)];
	return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (unitMs[unit] ?? 0), 0);
}
