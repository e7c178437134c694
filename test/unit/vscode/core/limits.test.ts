import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../../src/mcp/limits.ts';
import { limitSettings, userLimits } from '../../../../src/vscode/core/limits.ts';

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
const properties: Readonly<Record<string, Record<string, unknown>>> = contributes.configuration.properties;

describe('the limits in the settings', () => {
	test('have their default values if nothing is set', () => {
		expect(userLimits(() => undefined)).toEqual(defaultLimits);
	});

	test('are converted to milliseconds', () => {
		const set: Record<string, number> = {
			startSeconds: 2.5,
			callSeconds: 120,
		};
		expect(userLimits((name) => set[name])).toMatchObject({
			connectMs: 2_500,
			callIdleMs: 120_000,
			callTotalMs: 1_200_000,
		});
	});

	test.each(['16', null, Number.NaN, Number.POSITIVE_INFINITY, {}])('treat %j as not set', (value) => {
		expect(userLimits(() => value)).toEqual(defaultLimits);
	});

	test('are clamped to their minimum and maximum', () => {
		expect(userLimits(() => -5).connectMs).toBe(1_000);
		expect(userLimits(() => 1e9).connectMs).toBe(600_000);
	});

	test.each(Object.entries(limitSettings))('%s has the same bounds in package.json', (name, limit) => {
		expect(properties[`mcpDiscovery.limits.${name}`]).toMatchObject({ ...limit, scope: 'application' });
	});

	test('match the settings in package.json, with none missing or extra', () => {
		const offered = Object.keys(properties).filter((key) => key.startsWith('mcpDiscovery.limits.'));
		expect(offered).toHaveLength(Object.keys(limitSettings).length);
	});
});
