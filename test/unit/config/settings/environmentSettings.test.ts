import { describe, expect, test } from 'vitest';
import { load } from '../fixtures.ts';

function read(env: Record<string, string>) {
	const { config, problems } = load('{}', env);
	return { config, messages: problems.map(({ severity, message }) => `${severity} ${message}`) };
}

describe('the environment variable MCP_TOOL_CACHE_TTL', () => {
	test.each([
		['0', 0],
		['-1', -1],
		['120', 120],
		['', 30],
	])('set to %s gives the age of cached tools', (written, seconds) => {
		expect(read({ MCP_TOOL_CACHE_TTL: written })).toMatchObject({
			config: { toolCacheTtlSeconds: seconds },
			messages: [],
		});
	});

	test('gives a warning when it is not a number, and the default is used', () => {
		expect(read({ MCP_TOOL_CACHE_TTL: 'soon' })).toMatchObject({
			config: { toolCacheTtlSeconds: 30 },
			messages: [
				'warning The environment variable MCP_TOOL_CACHE_TTL is not a number of seconds; 30 is used.',
			],
		});
	});

	test('gives a warning when it is less than a second, and one second is used', () => {
		expect(read({ MCP_TOOL_CACHE_TTL: '0.01' })).toMatchObject({
			config: { toolCacheTtlSeconds: 1 },
			messages: ['warning The environment variable MCP_TOOL_CACHE_TTL is less than a second; 1 is used.'],
		});
	});
});

describe('the environment variable TOOL_RESULT_FORMAT', () => {
	test.each([
		['', 'result'],
		['result', 'result'],
		['function_result', 'function_result'],
		[' Function_Args_Result ', 'function_args_result'],
	])('set to %j gives the format of results', (written, format) => {
		expect(read({ TOOL_RESULT_FORMAT: written })).toMatchObject({
			config: { toolResultFormat: format },
			messages: [],
		});
	});

	test.each(['json', 'constructor', '__proto__'])(
		'set to %s gives a warning with the valid values',
		(written) => {
			expect(read({ TOOL_RESULT_FORMAT: written })).toMatchObject({
				config: { toolResultFormat: 'result' },
				messages: [
					'warning The environment variable TOOL_RESULT_FORMAT must be one of result, function_result, function_args_result; result is used.',
				],
			});
		},
	);
});

describe('the environment variable LOG_LEVEL', () => {
	test.each([
		['DEBUG', 'debug'],
		['INFO', 'info'],
		['WARNING', 'warn'],
		['ERROR', 'error'],
		['CRITICAL', 'error'],
		['trace', 'trace'],
		['warn', 'warn'],
	])('accepts %s', (written, level) => {
		expect(read({ LOG_LEVEL: written })).toMatchObject({ config: { logLevel: level }, messages: [] });
	});

	test('leaves the level to the editor when it is not set', () => {
		expect(read({}).config).not.toHaveProperty('logLevel');
	});

	test('gives a warning with the valid values when it is unknown', () => {
		const { config, messages } = read({ LOG_LEVEL: 'loud' });
		expect(config).not.toHaveProperty('logLevel');
		expect(messages).toEqual([
			'warning The environment variable LOG_LEVEL must be one of trace, debug, info, warning, warn, error, critical; it is ignored.',
		]);
	});
});
