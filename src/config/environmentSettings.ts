import type { ToolResultFormat } from '../discovery/toolResult.ts';
import { type Config, emptyConfig, type LogLevel } from './config.ts';
import type { ProblemReport } from './problemReport.ts';
import type { VariableScope } from './variables.ts';

type Variables = VariableScope['env'];

/** Reads the settings that are environment variables. A faulty one is told, and its default holds. */
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

/** Names of levels, Python's among them. */
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
	const used = fallback === undefined ? 'it is ignored' : `${fallback} is used`;
	const valid = Object.keys(choices).join(', ');
	report.warning([], `The environment variable ${name} is none of ${valid}; ${used}.`);
	return fallback;
}

function readToolCacheTtl(env: Variables, report: ProblemReport): number {
	const written = env.MCP_TOOL_CACHE_TTL?.trim();
	if (!written) return emptyConfig.toolCacheTtlSeconds;
	const seconds = Number(written);
	if (Number.isFinite(seconds)) return seconds;
	report.warning(
		[],
		`The environment variable MCP_TOOL_CACHE_TTL is not a number of seconds; ${emptyConfig.toolCacheTtlSeconds} is used.`,
	);
	return emptyConfig.toolCacheTtlSeconds;
}
