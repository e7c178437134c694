import * as l10n from '@vscode/l10n';
import type { ToolResultFormat } from '../../discovery/catalog/tool.ts';
import { type Config, emptyConfig, type LogLevel } from '../config.ts';
import type { ProblemReport } from '../file/problemReport.ts';
import type { VariableScope } from '../secrets/variables.ts';

/** Tool lists are never fetched more often than this. */
const minTtlSeconds = 1;

type Variables = VariableScope['env'];

/** Reads the settings that are environment variables. A faulty one is reported and has its default. */
export function readEnvironment(
	env: Variables,
	report: ProblemReport,
): Pick<Config, 'toolCacheTtlSeconds' | 'toolResultFormat' | 'logLevel'> {
	const logLevel = readChoice('LOG_LEVEL', logLevels, undefined, env, report);
	return {
		toolCacheTtlSeconds: readToolCacheTtl(env, report),
		toolResultFormat: readChoice('TOOL_RESULT_FORMAT', resultFormats, 'result', env, report) ?? 'result',
		...(logLevel !== undefined && { logLevel }),
	};
}

const resultFormats: Readonly<Record<string, ToolResultFormat>> = {
	result: 'result',
	function_result: 'function_result',
	function_args_result: 'function_args_result',
};

/** Names of levels, including Python's. */
const logLevels: Readonly<Record<string, LogLevel>> = {
	trace: 'trace',
	debug: 'debug',
	info: 'info',
	warning: 'warn',
	warn: 'warn',
	error: 'error',
	critical: 'error',
};

function readChoice<T extends string>(
	name: string,
	choices: Readonly<Record<string, T>>,
	fallback: T | undefined,
	env: Variables,
	report: ProblemReport,
): T | undefined {
	const written = env[name]?.trim().toLowerCase();
	if (!written) return fallback;
	if (Object.hasOwn(choices, written)) return choices[written];
	const valid = Object.keys(choices).join(', ');
	report.warning(
		[],
		fallback === undefined
			? l10n.t('The environment variable {0} must be one of {1}; it is ignored.', name, valid)
			: l10n.t('The environment variable {0} must be one of {1}; {2} is used.', name, valid, fallback),
	);
	return fallback;
}

function readToolCacheTtl(env: Variables, report: ProblemReport): number {
	const written = env.MCP_TOOL_CACHE_TTL?.trim();
	if (!written) return emptyConfig.toolCacheTtlSeconds;
	const seconds = Number(written);
	const isNumber = Number.isFinite(seconds);
	if (isNumber && (seconds <= 0 || seconds >= minTtlSeconds)) return seconds;
	const used = isNumber ? minTtlSeconds : emptyConfig.toolCacheTtlSeconds;
	report.warning(
		[],
		isNumber
			? l10n.t('The environment variable MCP_TOOL_CACHE_TTL is less than a second; {0} is used.', used)
			: l10n.t('The environment variable MCP_TOOL_CACHE_TTL is not a number of seconds; {0} is used.', used),
	);
	return used;
}
