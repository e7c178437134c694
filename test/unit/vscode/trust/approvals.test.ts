import { describe, expect, test } from 'vitest';
import type { StdioLaunch } from '../../../../src/config/launch.ts';
import { Approvals } from '../../../../src/vscode/trust/approvals.ts';

/** The editor's storage: what is written is read as JSON by the next window. */
function storage(text = '{}') {
	const values = new Map<string, unknown>(Object.entries(JSON.parse(text)));
	return {
		keys: () => [...values.keys()],
		get: <T>(key: string, otherwise?: T) => (values.get(key) ?? otherwise) as T,
		update: async (key: string, value: unknown) => void values.set(key, value),
		text: () => JSON.stringify(Object.fromEntries(values)),
	};
}

const launch: StdioLaunch = { kind: 'stdio', command: 'node', args: ['a.js'], env: {}, cwd: '/work' };

describe('approvals of servers', () => {
	test('hold for the launch that was approved, and in the next window', async () => {
		const memento = storage();
		await new Approvals(memento).approve(new Map([['files', launch]]), false);
		const next = new Approvals(storage(memento.text()));
		expect(next.isApproved('files', launch)).toBe(true);
		expect(next.isApproved('other', launch)).toBe(false);
	});

	test('do not hold for a changed launch, which is shown beside the approved one', async () => {
		const approvals = new Approvals(storage());
		await approvals.approve(new Map([['files', launch]]), false);
		expect(approvals.standing('files', { ...launch, args: ['b.js'] })).toEqual({
			kind: 'changed',
			before: [
				{ about: 'runs', text: 'node a.js' },
				{ about: 'in', text: '/work' },
			],
		});
	});

	test('make nobody believe that a tool only reads, unless that was said, and end with a new approval', async () => {
		const approvals = new Approvals(storage());
		const both = new Map([['files', launch]]);
		await approvals.approve(both, false);
		expect(approvals.trustsHints('files')).toBe(false);
		await approvals.setTrustsHints('files', true);
		expect(approvals.trustsHints('files')).toBe(true);
		await approvals.approve(both, false);
		expect(approvals.trustsHints('files')).toBe(false);
	});

	test('are withdrawn, and that is told', async () => {
		const approvals = new Approvals(storage());
		await approvals.approve(new Map([['files', launch]]), true);
		let told = 0;
		approvals.onDidChange(() => told++);
		await approvals.withdraw('files');
		expect([approvals.standing('files', launch).kind, approvals.trustsHints('files'), told]).toEqual([
			'new',
			false,
			1,
		]);
	});

	test('of servers with names of object members are theirs alone', async () => {
		const memento = storage();
		await new Approvals(memento).approve(new Map([['__proto__', launch]]), true);
		const next = new Approvals(storage(memento.text()));
		expect(next.isApproved('__proto__', launch)).toBe(true);
		expect(next.trustsHints('constructor')).toBe(false);
	});

	test('know what the last review has shown, in the next window too, whatever a server is called', async () => {
		const memento = storage();
		await new Approvals(memento).setReviewed(
			new Map([
				['files', 'h1'],
				['__proto__', 'h2'],
			]),
		);
		const next = new Approvals(storage(memento.text()));
		expect(next.isReviewed('files', 'h1')).toBe(true);
		expect(next.isReviewed('files', 'h2')).toBe(false);
		expect(next.isReviewed('__proto__', 'h2')).toBe(true);
		expect(next.isReviewed('constructor', 'h1')).toBe(false);
	});

	test.each(['nothing', [1, null, { server: 'files' }], { files: true }])(
		'cannot be read from %j',
		(value) => {
			const approvals = new Approvals(storage(JSON.stringify({ approvals: value })));
			expect(approvals.isApproved('files', launch)).toBe(false);
		},
	);
});
