import { describe, expect, test } from 'vitest';
import { playOf } from '../../conformance/scenarios.ts';
import { type Check, verdictOf } from '../../conformance/verdict.ts';

function check(status: Check['status']): Check {
	return { id: `check-${status}`, status, description: 'says something' };
}

describe('a scenario', () => {
	test('is passed if a check passed, none failed, and the client ended well', () => {
		const checks = [check('INFO'), check('SUCCESS'), check('SKIPPED'), check('SUCCESS')];
		expect(verdictOf('initialize', checks, 0)).toEqual({
			scenario: 'initialize',
			passed: 2,
			failed: 0,
			isPassed: true,
			faults: [],
		});
	});

	test.each([
		['no check was passed: the client may have died at once', [], 0, 'no check was passed'],
		['there were observations only', [check('INFO')], 0, 'no check was passed'],
		['a check failed', [check('SUCCESS'), check('FAILURE')], 0, 'check-FAILURE: says something'],
		['a check warned', [check('SUCCESS'), check('WARNING')], 0, 'check-WARNING: says something'],
		['the client ended badly', [check('SUCCESS')], 1, 'the judge ended with code 1'],
	])('is failed if %s', (_why, checks, exitCode, fault) => {
		expect(verdictOf('initialize', checks, exitCode)).toMatchObject({ isPassed: false, faults: [fault] });
	});
});

test('what is done in a scenario is known, or nobody has decided', () => {
	expect(playOf('tools_call')).toBeDefined();
	expect(playOf('auth/iss-wrong-issuer')).toMatchObject({ mayFail: true });
	expect(playOf('auth/scope-step-up')).not.toHaveProperty('mayFail');
	expect(playOf('a-scenario-of-tomorrow')).toBeUndefined();
});
