import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { synonymLineFault } from '../../../../src/config/settings/discoverySettings.ts';
import { finish } from '../../../../src/discovery/search/ranker.ts';
import { stem } from '../../../../src/discovery/search/words/analyzer.ts';
import everyday from '../../../../src/discovery/search/words/synonyms/everyday.json' with { type: 'json' };
import general from '../../../../src/discovery/search/words/synonyms/general.json' with { type: 'json' };
import languages from '../../../../src/discovery/search/words/synonyms/languages.json' with { type: 'json' };
import work from '../../../../src/discovery/search/words/synonyms/work.json' with { type: 'json' };
import { readThesaurus } from '../../../../src/discovery/search/words/thesaurus.ts';
import { runs } from '../../../effort.ts';
import { load, problemsOf } from '../fixtures.ts';

const place = 'tool_discovery.synonyms';
const form =
	'write words with one meaning, such as "jira ticket, issue", or, for one direction, "prod, live => production"';

/** A file with these lines: the first is line 2. */
function file(lines: readonly unknown[], more = ''): string {
	const list = lines.map((line) => JSON.stringify(line)).join(',\n');
	return `{ "tool_discovery": { ${more} "synonyms": [\n${list}] } }`;
}

const faultyLines: readonly unknown[] = [
	'',
	' , ,',
	'!?, …',
	'issue',
	'issue,',
	'issue, Issue',
	'prod => prod',
	'=> production',
	'prod, live =>',
	'=>',
	'a => b => c',
	'prod, live -> production',
	'prod, live → production',
	5,
	null,
	['jira ticket', 'issue'],
	{ prod: 'production' },
];

describe('a malformed synonym line', () => {
	test.each(faultyLines.map((line) => [line]))(
		'such as %j gives an error with its place, and the valid lines are used',
		(line) => {
			const text = file(['jira ticket, issue', line, 'prod, live => production'], '"max_search_results": 9,');
			expect(problemsOf(text)).toMatchSnapshot();
			const { config } = load(text);
			expect(config?.policy.synonyms).toEqual(['jira ticket, issue', 'prod, live => production']);
			expect(config?.policy.maxSearchResults).toBe(9);
		},
	);

	test('is one with more than 1000 characters', () => {
		const longest = `a, ${'b'.repeat(997)}`;
		expect(problemsOf(file([longest]))).toEqual([]);
		expect(problemsOf(file([longest, `${longest}c`]))).toEqual([
			`error 3:1 ${place}[1]: has 1001 characters, at most 1000 are read; split it into several lines`,
		]);
	});

	test('does not hide errors in later lines', () => {
		expect(problemsOf(file(['a', 'b', 'c, d', 'e']))).toEqual(
			[2, 3, 5].map(
				(row) => `error ${row}:1 ${place}[${row - 2}]: contains only one word, so it adds nothing; ${form}`,
			),
		);
	});
});

describe('the list of synonyms', () => {
	test.each([
		['"jira ticket, issue"', 35],
		['{ "prod": "production" }', 23],
		['null', 35],
		['5', 35],
	])('is empty when it is not a list: %s', (value, column) => {
		const text = `{ "tool_discovery": { "synonyms": ${value}, "enabled": true } }`;
		expect(problemsOf(text)).toEqual([
			`error 1:${column} ${place}: expected a list of lines, such as ["jira ticket, issue"]`,
		]);
		expect(load(text).config?.policy).toMatchObject({ enabled: true, synonyms: [] });
	});

	test('has at most 2000 lines, and the rest gives an error', () => {
		const lines = Array.from({ length: 2003 }, (_, n) => `word${n}, other${n}`);
		expect(problemsOf(file(lines.slice(0, 2000)))).toEqual([]);
		expect(problemsOf(file(lines))).toEqual([
			`error 2002:1 ${place}[2000]: only the first 2000 lines count; left out from here on: 3`,
		]);
		expect(load(file(lines)).config?.policy.synonyms).toEqual(lines.slice(0, 2000));
	});

	test.each(['okapi', 'name-parts'])(
		'gives a warning when it has no effect because of the ranking %s',
		(ranking) => {
			expect(problemsOf(file(['a, b'], `"ranking": "${ranking}",`))).toEqual([
				`warning 1:${38 + ranking.length} ${place}: has no effect with "ranking": "${ranking}"; only "default" knows synonyms`,
			]);
			expect(problemsOf(file([], `"ranking": "${ranking}",`))).toEqual([]);
		},
	);
});

describe('the configuration and the engine agree on synonym lines', () => {
	test('all built-in lines are valid', () => {
		const lines = [everyday, general, languages, work].flatMap((list) => Object.values(list).flat());
		const refused = lines.filter((line) => synonymLineFault(line) !== undefined);
		expect(lines.length).toBeGreaterThan(1000);
		expect(refused).toEqual([]);
	});

	test('a line is rejected exactly when the engine learns nothing from it', () => {
		const entries = ['prod', 'Prod', 'live', 'jira ticket', 'éclair', '创建', '', ' ', '!'];
		const side = fc.array(fc.constantFrom(...entries), { maxLength: 4 }).map((some) => some.join(', '));
		const line = fc.array(side, { minLength: 1, maxLength: 3 }).map((sides) => sides.join(' => '));
		fc.assert(
			fc.property(line, (text) => {
				expect(synonymLineFault(text) === undefined, text).toBe(teaches(text));
			}),
			{ numRuns: runs(100) },
		);
	});
});

/** Whether the engine knows a synonym from any entry after reading a line. */
function teaches(line: string): boolean {
	const thesaurus = finish(readThesaurus([{ line }]));
	const words = ['prod', 'live', 'eclair', '创建'];
	return (
		words.some((word) => thesaurus.of(stem(word)).size > 0) || !!thesaurus.phraseAt(['jira', 'ticket'], 0)
	);
}
