import { describe, expect, test } from 'vitest';
import type { LaunchFact } from '../../../../src/mcp/approval/launchFacts.ts';
import { inQuestions, launchText, shownAtOnce } from '../../../../src/vscode/trust/launchText.ts';

const facts: readonly LaunchFact[] = [
	{ about: 'runs', text: 'node new.js' },
	{ about: 'in', text: '/work' },
];

describe('the text of a server that waits for approval', () => {
	test('says what it runs, and where only if that is not the usual folder', () => {
		const pending = { name: 'files', facts, standing: { kind: 'new' } } as const;
		expect(launchText(pending, '/work')).toBe('files\n    runs: node new.js');
		expect(launchText(pending, '/')).toBe('files\n    runs: node new.js\n    in: /work');
	});

	test('shows the ends of a long command, and all that comes after it', () => {
		const long: readonly LaunchFact[] = [
			{ about: 'runs', text: `node ${'x'.repeat(3_000)} end` },
			{ about: 'in', text: '/elsewhere' },
			{ about: 'sets', text: 'LD_PRELOAD=./evil.so' },
		];
		const text = launchText(
			{ name: 'files', facts: long, standing: { kind: 'new' } },
			'/work',
			shownAtOnce.ofFact,
		);
		expect(text.length).toBeLessThan(shownAtOnce.characters);
		expect(text).toContain('(2759 more characters)');
		expect(text).toContain(' end\n    in: /elsewhere\n    sets: LD_PRELOAD=./evil.so');
	});

	test('quotes a name that could be read as a fact', () => {
		const pending = { name: 'files    runs: ls', facts, standing: { kind: 'new' } } as const;
		expect(launchText(pending, '/work').split('\n')[0]).toBe('"files    runs: ls"');
	});

	test('shows beside each other what has changed since it was approved', () => {
		const before: readonly LaunchFact[] = [
			{ about: 'runs', text: 'node old.js' },
			{ about: 'in', text: '/work' },
			{ about: 'sets', text: 'MODE' },
		];
		const pending = { name: 'files', facts, standing: { kind: 'changed', before } } as const;
		expect(launchText(pending, '/work').split('\n    ')).toEqual([
			'files (changed since you approved it)',
			'− runs: node old.js',
			'+ runs: node new.js',
			'− sets: MODE',
		]);
	});
});

describe('the questions that many servers are asked for in', () => {
	const servers = (lengths: readonly number[]) => lengths.map((length) => ({ text: 'x'.repeat(length) }));
	const sizes = (lengths: readonly number[]) =>
		inQuestions(servers(lengths)).map((question) => question.map(({ text }) => text.length));

	test('are one while there is room', () => {
		expect(sizes([100, 200, 300])).toEqual([[100, 200, 300]]);
	});

	test('have no more servers than can be read', () => {
		expect(inQuestions(servers(Array(20).fill(10))).map(({ length }) => length)).toEqual([8, 8, 4]);
	});

	test('give one that fills a question its own, in the order of the configuration', () => {
		const long = shownAtOnce.characters + 1;
		expect(sizes([10, long, 20, 30])).toEqual([[10], [long], [20, 30]]);
	});
});
