import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { limitSettings, userLimits } from '../../../../src/vscode/config/limits.ts';

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
const properties: Readonly<Record<string, Record<string, unknown>>> = contributes.configuration.properties;

describe('the limits as settings', () => {
	test('are without any set the usual ones', () => {
		expect(userLimits(() => undefined)).toEqual(defaultLimits);
	});

	test('take what is set, in milliseconds and bytes', () => {
		const set: Record<string, number> = {
			startSeconds: 2.5,
			callSeconds: 120,
			messageMegabytes: 32,
			restarts: 2,
		};
		expect(userLimits((name) => set[name])).toMatchObject({
			connectMs: 2_500,
			callIdleMs: 120_000,
			callTotalMs: 1_200_000,
			messageBytes: 32 * 1024 * 1024,
			restartDelaysMs: [1_000, 2_000],
		});
	});

	test.each(['16', null, Number.NaN, Number.POSITIVE_INFINITY, {}])('take %j for not set', (value) => {
		expect(userLimits(() => value)).toEqual(defaultLimits);
	});

	test('stay within their bounds', () => {
		expect(userLimits(() => -5).connectMs).toBe(1_000);
		expect(userLimits(() => 1e9).messageBytes).toBe(256 * 1024 * 1024);
	});

	test.each(Object.entries(limitSettings))(
		'%s is offered by the editor with the same bounds',
		(name, limit) => {
			expect(properties[`mcpDiscovery.limits.${name}`]).toMatchObject({ ...limit, scope: 'application' });
		},
	);

	test('are all that the editor offers', () => {
		const offered = Object.keys(properties).filter((key) => key.startsWith('mcpDiscovery.limits.'));
		expect(offered).toHaveLength(Object.keys(limitSettings).length);
	});
});
