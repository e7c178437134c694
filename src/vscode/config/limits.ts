import { defaultLimits, type McpLimits } from '../../mcp/limits.ts';

/** A limit that the user can set. Its unit is in its name. */
interface LimitSetting {
	readonly default: number;
	readonly minimum: number;
	readonly maximum: number;
}

const second = 1000;
const megabyte = 1024 * 1024;

/** Below `mcpDiscovery.limits`. */
export const limitSettings = {
	startSeconds: { default: defaultLimits.connectMs / second, minimum: 1, maximum: 600 },
	callSeconds: { default: defaultLimits.callIdleMs / second, minimum: 1, maximum: 8_640 },
	messageMegabytes: { default: defaultLimits.messageBytes / megabyte, minimum: 1, maximum: 256 },
	restarts: { default: defaultLimits.restartDelaysMs.length, minimum: 0, maximum: 10 },
} as const satisfies Record<string, LimitSetting>;

/** The limits from the settings. A value that is not a number counts as not set; one out of range is clamped. */
export function userLimits(get: (name: string) => unknown): McpLimits {
	const value = (name: keyof typeof limitSettings): number => {
		const { default: otherwise, minimum, maximum } = limitSettings[name];
		const set = get(name);
		if (typeof set !== 'number' || !Number.isFinite(set)) return otherwise;
		return Math.min(maximum, Math.max(minimum, set));
	};
	const callIdleMs = value('callSeconds') * second;
	return {
		...defaultLimits,
		connectMs: value('startSeconds') * second,
		callIdleMs,
		// A call that reports progress may take ten times as long.
		callTotalMs: (callIdleMs / defaultLimits.callIdleMs) * defaultLimits.callTotalMs,
		messageBytes: value('messageMegabytes') * megabyte,
		restartDelaysMs: restartDelays(Math.round(value('restarts'))),
	};
}

/** Delays before restarts in milliseconds; each is twice as long as the one before. */
function restartDelays(count: number): number[] {
	const [first = second] = defaultLimits.restartDelaysMs;
	return Array.from({ length: count }, (_, i) => first * 2 ** i);
}
