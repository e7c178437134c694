import { expect, test } from 'vitest';
import type { Config } from '../../../../src/config/config.ts';
import { load } from '../fixtures.ts';

type Settings = Partial<Pick<Config, 'toolCacheTtlSeconds' | 'toolResultFormat' | 'logLevel'>>;

const formats = 'must be one of result, function_result, function_args_result; result is used.';
const levels = 'must be one of trace, debug, info, warning, warn, error, critical; it is ignored.';

test.each<[name: string, value: string, settings: Settings, warning?: string]>([
	['MCP_TOOL_CACHE_TTL', '0', { toolCacheTtlSeconds: 0 }],
	['MCP_TOOL_CACHE_TTL', '-1', { toolCacheTtlSeconds: -1 }],
	['MCP_TOOL_CACHE_TTL', '120', { toolCacheTtlSeconds: 120 }],
	['MCP_TOOL_CACHE_TTL', '', { toolCacheTtlSeconds: 30 }],
	['MCP_TOOL_CACHE_TTL', 'soon', { toolCacheTtlSeconds: 30 }, 'is not a number of seconds; 30 is used.'],
	['MCP_TOOL_CACHE_TTL', '0.01', { toolCacheTtlSeconds: 1 }, 'is less than a second; 1 is used.'],
	['TOOL_RESULT_FORMAT', '', { toolResultFormat: 'result' }],
	['TOOL_RESULT_FORMAT', 'result', { toolResultFormat: 'result' }],
	['TOOL_RESULT_FORMAT', 'function_result', { toolResultFormat: 'function_result' }],
	['TOOL_RESULT_FORMAT', ' Function_Args_Result ', { toolResultFormat: 'function_args_result' }],
	['TOOL_RESULT_FORMAT', 'json', { toolResultFormat: 'result' }, formats],
	['TOOL_RESULT_FORMAT', 'constructor', { toolResultFormat: 'result' }, formats],
	['TOOL_RESULT_FORMAT', '__proto__', { toolResultFormat: 'result' }, formats],
	['LOG_LEVEL', 'DEBUG', { logLevel: 'debug' }],
	['LOG_LEVEL', 'INFO', { logLevel: 'info' }],
	['LOG_LEVEL', 'WARNING', { logLevel: 'warn' }],
	['LOG_LEVEL', 'ERROR', { logLevel: 'error' }],
	['LOG_LEVEL', 'CRITICAL', { logLevel: 'error' }],
	['LOG_LEVEL', 'trace', { logLevel: 'trace' }],
	['LOG_LEVEL', 'warn', { logLevel: 'warn' }],
	['LOG_LEVEL', 'loud', {}, levels],
	['LOG_LEVEL', '', {}],
])('the environment variable %s with the value %j gives %j', (name, value, settings, warning) => {
	const { config, problems } = load('{}', { [name]: value });
	const { toolCacheTtlSeconds = 30, toolResultFormat = 'result', logLevel } = settings;
	expect(config).toMatchObject({ toolCacheTtlSeconds, toolResultFormat });
	// Without one, the editor decides.
	expect(config?.logLevel).toBe(logLevel);
	expect(problems.map(({ severity, message }) => `${severity} ${message}`)).toEqual(
		warning === undefined ? [] : [`warning The environment variable ${name} ${warning}`],
	);
});
