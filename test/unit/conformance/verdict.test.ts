import { describe, expect, test } from 'vitest';
import { playOf } from '../../conformance/scenarios.ts';
import { type Check, verdictOf } from '../../conformance/verdict.ts';

function check(status: Check['status']): Check {
	return { id: `check-${status}`, status, description: 'says something' };
}

describe('a scenario', () => {
	test('is passed if a check passed, none failed, and the client ended well', () => {
		const checks = [check('INFO'), check('SUCCESS'), check('SKIPPED'), check('SUCCESS')];
		expect(verdictOf('initialize', checks)).toEqual({
			scenario: 'initialize',
			passed: 2,
			failed: 0,
			isPassed: true,
			faults: [],
		});
	});

	test('does not depend on checks that need a tool which the server does not have', () => {
		const checks = [check('SUCCESS'), { ...check('FAILURE'), details: { untestable: true } }];
		expect(verdictOf('server-stateless', checks)).toMatchObject({ isPassed: true, failed: 0 });
	});

	test.each([
		['no check was passed: the client may have died at once', [], undefined, 'no check was passed'],
		['there were observations only', [check('INFO')], undefined, 'no check was passed'],
		['a check failed', [check('SUCCESS'), check('FAILURE')], undefined, 'check-FAILURE: says something'],
		['a check warned', [check('SUCCESS'), check('WARNING')], undefined, 'check-WARNING: says something'],
		['the client ended badly', [check('SUCCESS')], 'why', 'our client failed: why'],
	])('is failed if %s', (_why, checks, clientFault, fault) => {
		expect(verdictOf('initialize', checks, clientFault)).toMatchObject({
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
