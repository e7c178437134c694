import { defaultPolicy } from '../../discovery/catalog/policy.ts';
import { defaultLimits, type McpLimits } from '../../mcp/limits.ts';

/** A limit that the user can set: its unit is in its name. */
interface LimitSetting {
	readonly default: number;
	readonly minimum: number;
	readonly maximum: number;
}

const second = 1000;
const hour = 3600 * second;
const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** Below `mcpDiscovery.limits`. The editor's own limit of tools a request is 128. */
export const limitSettings = {
	connectSeconds: { default: defaultLimits.connectMs / second, minimum: 1, maximum: 600 },
	firstListSeconds: { default: defaultLimits.firstListMs / second, minimum: 0, maximum: 60 },
	listSeconds: { default: defaultLimits.listPageMs / second, minimum: 1, maximum: 300 },
	listPages: { default: defaultLimits.listPages, minimum: 1, maximum: 1_000 },
	toolsPerServer: { default: defaultLimits.toolsPerServer, minimum: 1, maximum: 100_000 },
	sleepingListHours: { default: defaultLimits.sleepingListMs / hour, minimum: 0, maximum: 720 },
	callIdleSeconds: { default: defaultLimits.callIdleMs / second, minimum: 1, maximum: 3_600 },
	callSeconds: { default: defaultLimits.callTotalMs / second, minimum: 1, maximum: 86_400 },
	messageMegabytes: { default: defaultLimits.messageBytes / megabyte, minimum: 1, maximum: 256 },
	logKilobytes: { default: defaultLimits.logBytes / kilobyte, minimum: 16, maximum: 16_384 },
	restarts: { default: defaultLimits.restartDelaysMs.length, minimum: 0, maximum: 10 },
	healthySeconds: { default: defaultLimits.healthyMs / second, minimum: 1, maximum: 3_600 },
	closeGraceSeconds: { default: defaultLimits.closeGraceMs / second, minimum: 0, maximum: 30 },
	closeTermSeconds: { default: defaultLimits.closeTermMs / second, minimum: 0.1, maximum: 30 },
	toolsPerRequest: { default: defaultPolicy.maxRequestTools, minimum: 8, maximum: 128 },
} as const satisfies Record<string, LimitSetting>;

/** What the user's settings make of the limits. */
export interface UserLimits {
	readonly mcp: McpLimits;
	/** Tools of a request that loading may fill it to. */
	readonly toolsPerRequest: number;
}

/** The limits by the settings; what is no number counts as not set, what is out of range as the nearest that is in it. */
export function userLimits(get: (name: string) => unknown): UserLimits {
	const value = (name: keyof typeof limitSettings): number => {
		const { default: otherwise, minimum, maximum } = limitSettings[name];
		const set = get(name);
		if (typeof set !== 'number' || !Number.isFinite(set)) return otherwise;
		return Math.min(maximum, Math.max(minimum, set));
	};
	const whole = (name: keyof typeof limitSettings) => Math.round(value(name));
	return {
		mcp: {
			...defaultLimits,
			connectMs: value('connectSeconds') * second,
			firstListMs: value('firstListSeconds') * second,
			listPageMs: value('listSeconds') * second,
			listPages: whole('listPages'),
			toolsPerServer: whole('toolsPerServer'),
			sleepingListMs: value('sleepingListHours') * hour,
			callIdleMs: value('callIdleSeconds') * second,
			callTotalMs: value('callSeconds') * second,
			messageBytes: value('messageMegabytes') * megabyte,
			logBytes: value('logKilobytes') * kilobyte,
			restartDelaysMs: restartDelays(whole('restarts')),
			healthyMs: value('healthySeconds') * second,
			closeGraceMs: value('closeGraceSeconds') * second,
			closeTermMs: value('closeTermSeconds') * second,
		},
		toolsPerRequest: whole('toolsPerRequest'),
	};
}

/** Delays before restarts in milliseconds, each twice as long as the one before, as the defaults are. */
function restartDelays(count: number): number[] {
	const [first = second] = defaultLimits.restartDelaysMs;
	return Array.from({ length: count }, (_, i) => first * 2 ** i);
}
