import { defaultLimits, type McpLimits } from '../../mcp/limits.ts';
import { settings } from '../ui/ids.ts';

export const limitsSection = `${settings.section}.${settings.limits}`;

/** A limit that the user can set. Its unit is in its name. */
interface LimitSetting {
	readonly default: number;
	readonly minimum: number;
	readonly maximum: number;
}

const second = 1000;

/** Below {@link limitsSection}. */
export const limitSettings = {
	startSeconds: { default: defaultLimits.connectMs / second, minimum: 1, maximum: 600 },
	callSeconds: { default: defaultLimits.callIdleMs / second, minimum: 1, maximum: 8_640 },
} as const satisfies Record<string, LimitSetting>;

/** The limits from the settings. A value that is not a number counts as not set; one out of range is clamped. */
export function userLimits(get: (name: string) => unknown): McpLimits {
	const value = (name: keyof typeof limitSettings): number => {
		const { default: otherwise, minimum, maximum } = limitSettings[name];
		const setting = get(name);
		if (typeof setting !== 'number' || !Number.isFinite(setting)) return otherwise;
		return Math.min(maximum, Math.max(minimum, setting));
	};
	const callIdleMs = value('callSeconds') * second;
	return {
		...defaultLimits,
		connectMs: value('startSeconds') * second,
		callIdleMs,
		// A call that reports progress may take ten times as long.
		callTotalMs: (callIdleMs / defaultLimits.callIdleMs) * defaultLimits.callTotalMs,
	};
}
