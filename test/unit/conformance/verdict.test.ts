import { describe, expect, test } from 'vitest';
import { playOf } from '../../conformance/scenarios.ts';
import { type Check, endedWell, verdictOf } from '../../conformance/verdict.ts';

function check(status: Check['status']): Check {
	return { id: `check-${status}`, status, description: 'says something' };
}

describe('a scenario', () => {
	test('is passed if a check passed, none failed, and the client ended well', () => {
		const checks = [check('INFO'), check('SUCCESS'), check('SKIPPED'), check('SUCCESS')];
		expect(verdictOf('initialize', checks, endedWell, '')).toEqual({
			scenario: 'initialize',
			passed: 2,
			failed: 0,
			isPassed: true,
			faults: [],
		});
	});

	test.each([
		['no check was passed: the client may have died at once', [], endedWell, 'no check was passed'],
		['there were observations only', [check('INFO')], endedWell, 'no check was passed'],
		['a check failed', [check('SUCCESS'), check('FAILURE')], endedWell, 'check-FAILURE: says something'],
		['a check warned', [check('SUCCESS'), check('WARNING')], endedWell, 'check-WARNING: says something'],
		['the client ended badly', [check('SUCCESS')], '', 'our client failed: why'],
	])('is failed if %s', (_why, checks, stdout, fault) => {
		expect(verdictOf('initialize', checks, stdout, 'why')).toMatchObject({
			isPassed: false,
			faults: [fault],
		});
	});
});

test('what is done in a scenario is known, or nobody has decided', () => {
	expect(playOf('tools_call')).toBeDefined();
	expect(playOf('auth/iss-wrong-issuer')).toMatchObject({ mayFail: true });
	expect(playOf('auth/scope-step-up')).not.toHaveProperty('mayFail');
	expect(playOf('a-scenario-of-tomorrow')).toBeUndefined();
});
