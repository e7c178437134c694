import { describe, expect, test } from 'vitest';
import { chooseStages, countTests, STAGES, type Stage, stagesToStart } from '../../../scripts/stages.ts';

const names = (stages: readonly Stage[]) => stages.map(({ name }) => name);
const stage = (name: string, cores: number, needs: readonly string[] = []): Stage => ({
	name,
	cores,
	needs,
	programs: [],
});

describe('given names of stages', () => {
	test('then those stages run, with the stages that they need', () => {
		expect(names(chooseStages(['lint']))).toEqual(['lint']);
		expect(names(chooseStages(['browser', 'types'])).sort()).toEqual(['browser', 'build', 'types']);
	});

	test('then no names select all stages', () => {
		expect(chooseStages([])).toBe(STAGES);
	});

	test('then an unknown name is an error that lists the known ones', () => {
		expect(() => chooseStages(['units'])).toThrow(names(STAGES).join(', '));
	});
});

describe('given two cores', () => {
	const build = stage('build', 1);
	const host = stage('host', 1, ['build']);
	const unit = stage('unit', 1);
	const browser = stage('browser', 2, ['build']);

	test('then stages start in parallel and in order, as long as cores are free', () => {
		expect(names(stagesToStart([build, unit, stage('third', 1)], [], 2))).toEqual(['build', 'unit']);
		expect(names(stagesToStart([unit], [build], 2))).toEqual(['unit']);
	});

	test('then a stage waits for the stages it needs, while others start before it', () => {
		expect(names(stagesToStart([host, unit], [build], 2))).toEqual(['unit']);
		expect(names(stagesToStart([build, host], [], 2))).toEqual(['build']);
	});

	test('then no stage starts before one that waits for cores', () => {
		expect(stagesToStart([browser, unit], [host], 2)).toEqual([]);
		expect(names(stagesToStart([browser, unit], [], 2))).toEqual(['browser']);
	});

	test('then a stage that needs more cores than there are runs alone', () => {
		expect(names(stagesToStart([stage('large', 4), unit], [], 2))).toEqual(['large']);
	});
});

describe('given the output of a stage', () => {
	test.each([
		['vitest', ' Test Files  2 passed (2)\n      Tests  31 passed | 2 skipped (33)\n', [31, 0]],
		['two runs of mocha', '  12 passing (3s)\n  1 pending\n\n  5 passing (1s)\n', [17, 0]],
		['our own programs', 'passed  initialize: 3 checks\n28 passed, 0 failed\n', [28, 0]],
		['a program that prints no totals', 'Checked 900 files.\n', [1, 0]],
	])('then the tests of %s are counted', (_, output, [passed, failed]) => {
		expect(countTests(output, true)).toEqual({ passed, failed });
	});

	test('then failed tests are counted, and a failed stage counts at least one', () => {
		expect(countTests('      Tests  3 failed | 31 passed (34)\n', false)).toEqual({ passed: 31, failed: 3 });
		expect(countTests('  4 passing (3s)\n  2 failing\n', false)).toEqual({ passed: 4, failed: 2 });
		expect(countTests('src/a.ts(1,1): error TS1005', false)).toEqual({ passed: 0, failed: 1 });
	});
});

test('every stage needs only earlier stages', () => {
	for (const [index, { needs = [] }] of STAGES.entries())
		for (const need of needs) expect(names(STAGES.slice(0, index))).toContain(need);
});
