import { describe, expect, test } from 'vitest';
import type { StdioLaunch } from '../../../../src/config/servers/launch.ts';
import {
	approvalHash,
	everyVariable,
	type LaunchFact,
	launchFacts,
} from '../../../../src/mcp/accepted/launchFacts.ts';
import type { PendingLaunch, Standing } from '../../../../src/vscode/trust/approvals.ts';
import { reviewGroups } from '../../../../src/vscode/trust/reviewGroups.ts';
import {
	launchLines,
	type ReviewedFile,
	type ReviewedServer,
	reviewRows,
} from '../../../../src/vscode/trust/reviewView.ts';

const facts: readonly LaunchFact[] = [
	{ about: 'runs', text: 'node new.js' },
	{ about: 'in', text: '/work' },
];

/** A server that runs a script, and waits. */
function waiting(name: string, script = 'a.js', standing: Standing = { kind: 'new' }): PendingLaunch {
	const launch: StdioLaunch = { kind: 'stdio', command: 'node', args: [script], env: {}, cwd: '/work' };
	return { name, launch, standing, facts: launchFacts(launch) };
}

/** The rows after the servers that wait are these. */
function rows(
	before: readonly ReviewedServer[],
	pending: readonly PendingLaunch[],
	{
		seen = [],
		approved = [],
		files = {},
	}: {
		readonly seen?: readonly string[];
		readonly approved?: readonly string[];
		readonly files?: Readonly<Record<string, ReviewedFile>>;
	} = {},
): ReviewedServer[] {
	return reviewRows(before, {
		pending,
		folder: '/work',
		isSeen: ({ name }) => seen.includes(name),
		isApproved: ({ name }) => approved.includes(name),
		fileOf: (name) => files[name],
	});
}

const marks = (all: readonly ReviewedServer[]) => all.map(({ name, mark }) => `${name} ${mark}`);

describe('the lines of a server that waits for approval', () => {
	test('say what it runs, and where only if that is not the usual folder', () => {
		const pending = { name: 'files', facts, standing: { kind: 'new' } } as const;
		expect(launchLines(pending, '/work')).toEqual([{ change: 'same', text: 'runs: node new.js' }]);
		expect(launchLines(pending, '/').map(({ text }) => text)).toEqual(['runs: node new.js', 'in: /work']);
	});

	test('say what it inherits of the environment', () => {
		const inheriting = (text: string) => {
			const inherits = [{ about: 'inherits', text }] as const;
			return launchLines({ name: 'files', facts: inherits, standing: { kind: 'new' } }, '/work')[0]?.text;
		};
		expect(inheriting('AWS_PROFILE')).toContain('AWS_PROFILE');
		expect(inheriting(everyVariable)).not.toContain(everyVariable);
	});

	test('tell all of a long command', () => {
		const long = [{ about: 'runs', text: `node ${'x'.repeat(100_000)} end` }] as const;
		const [line] = launchLines({ name: 'files', facts: long, standing: { kind: 'new' } }, '/work');
		expect(line?.text).toBe(`runs: ${long[0].text}`);
	});

	test('show beside each other what has changed since it was approved', () => {
		const before: readonly LaunchFact[] = [
			{ about: 'runs', text: 'node old.js' },
			{ about: 'in', text: '/work' },
			{ about: 'sets', text: 'MODE' },
		];
		const pending = { name: 'files', facts, standing: { kind: 'changed', before } } as const;
		expect(launchLines(pending, '/work')).toEqual([
			{ change: 'gone', text: 'runs: node old.js' },
			{ change: 'added', text: 'runs: node new.js' },
			{ change: 'gone', text: 'sets: MODE' },
		]);
	});
});

describe('the rows of the review', () => {
	test('are all servers that wait, however many, in the order of the configuration', () => {
		const names = Array.from({ length: 300 }, (_, i) => `server-${i}`);
		expect(
			rows(
				[],
				names.map((name) => waiting(name)),
			).map(({ name }) => name),
		).toEqual(names);
	});

	test('mark what no review has shown before, and what has changed since it was approved', () => {
		const changed = waiting('git', 'b.js', { kind: 'changed', before: facts });
		expect(marks(rows([], [waiting('old'), changed, waiting('files')], { seen: ['old'] }))).toEqual([
			'old seen',
			'git changed',
			'files new',
		]);
	});

	test('quote a name that could be read as a line', () => {
		expect(rows([], [waiting('files    runs: ls')])[0]?.shownName).toBe('"files    runs: ls"');
	});

	test('carry the hash of what they show: approval holds for that, and for nothing else', () => {
		const [before] = rows([], [waiting('files', 'a.js')]);
		const [after] = rows(before ? [before] : [], [waiting('files', 'b.js')]);
		expect(before?.hash).toBe(approvalHash(waiting('files', 'a.js').launch));
		expect(after?.hash).not.toBe(before?.hash);
		expect(after?.lines).toEqual([{ change: 'same', text: 'runs: node b.js' }]);
	});

	test('keep their places: one that is approved stays, one that appears comes last, one that is gone goes', () => {
		const before = rows([], [waiting('a'), waiting('b'), waiting('c')]);
		const after = rows(before, [waiting('first'), waiting('c')], { approved: ['b'] });
		expect(marks(after)).toEqual(['b approved', 'c new', 'first new']);
	});
});

describe('the groups of the review', () => {
	const file = (label: string): ReviewedFile => ({ label, path: 'casual_mcp_config.json' });

	test('are one a file, each server in that of its own, also one that appears later', () => {
		const files = { a: file('app'), b: file('web'), c: file('app') };
		const before = rows([], [waiting('a'), waiting('b')], { files });
		const groups = reviewGroups(rows(before, [waiting('a'), waiting('b'), waiting('c')], { files }));
		expect(groups.map((group) => [group.file?.label, group.servers.map(({ name }) => name)])).toEqual([
			['app', ['a', 'c']],
			['web', ['b']],
		]);
	});

	test('are told apart by their paths, where a folder is called as the file of the user', () => {
		const files = {
			a: file('User Configuration'),
			b: { label: 'User Configuration', path: '/home/me/x.json' },
		};
		expect(reviewGroups(rows([], [waiting('a'), waiting('b')], { files }))).toHaveLength(2);
	});

	test('have no heading where there is one file', () => {
		expect(reviewGroups(rows([], [waiting('a'), waiting('b')])).map(({ file }) => file)).toEqual([undefined]);
	});
});
