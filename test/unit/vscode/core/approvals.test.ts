import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { emptyConfig } from '../../../../src/config/config.ts';
import type { StdioLaunch } from '../../../../src/config/servers/launch.ts';
import { ApprovalNews, approvalMessage } from '../../../../src/vscode/core/approvalNews.ts';
import { Approvals } from '../../../../src/vscode/core/approvals.ts';
import type { TrustFile } from '../../../../src/vscode/core/trustState.ts';
import { newTrustPath, trustFile } from './trustFiles.ts';

const launch: StdioLaunch = { kind: 'stdio', command: 'node', args: ['a.js'], env: {}, cwd: '/work' };

describe('approvals of servers', () => {
	test('apply to the approved launch configuration, also in the next window', async () => {
		const path = newTrustPath();
		await new Approvals(await trustFile(path)).approve(new Map([['files', launch]]), false);
		const next = new Approvals(await trustFile(path));
		expect(next.isApproved('files', launch)).toBe(true);
		expect(next.isApproved('other', launch)).toBe(false);
	});

	test('do not apply to a changed launch configuration, and show what was approved before', async () => {
		const approvals = new Approvals(await trustFile());
		await approvals.approve(new Map([['files', launch]]), false);
		expect(approvals.approval('files', { ...launch, args: ['b.js'] })).toEqual({
			kind: 'changed',
			before: [
				{ about: 'runs', text: 'node a.js' },
				{ about: 'in', text: '/work' },
			],
		});
	});

	test('stay with a server that is only written differently, as with a key that has moved to secret storage', async () => {
		const approvals = new Approvals(await trustFile());
		const withKey = { ...launch, env: { KEY: 'abc' } };
		const moved: StdioLaunch = {
			...withKey,
			written: { ...launch, env: { KEY: `\${env:KEY}` } },
			reads: { KEY: { value: 'abc', isStored: true } },
		};
		await approvals.approve(new Map([['files', withKey]]), true);
		expect(approvals.isApproved('files', moved)).toBe(false);
		const decided = approvals.launchOf('files') ?? '';
		const other = { ...moved, args: ['b.js'] };
		approvals.keep(new Map([['files', withKey]]), new Map([['files', other]]));
		expect(approvals.isApproved('files', other)).toBe(false);
		approvals.keep(
			new Map([['files', withKey]]),
			new Map([
				['files', moved],
				['new', launch],
			]),
		);
		expect(approvals.isApproved('files', moved) && approvals.trustsHints('files')).toBe(true);
		expect(approvals.isApproved('new', launch)).toBe(false);
		// What was decided about its tools, by the hash of the launch, still holds.
		expect([approvals.launchOf('files'), approvals.hashOf(moved, 'files')]).toEqual([decided, decided]);
		expect(approvals.hasLaunch('files', decided)).toBe(true);
		expect(approvals.launches).toContainEqual(['files', decided]);
		await approvals.approve(new Map([['files', moved]]), true);
		expect(approvals.launchOf('files')).toBe(decided);
		// A launch that was not approved does not become so.
		approvals.keep(
			new Map([['files', other]]),
			new Map([['files', { ...other, written: undefined } as never]]),
		);
		expect(approvals.isApproved('files', other)).toBe(false);
		await approvals.approve(new Map([['files', other]]), true);
		expect(approvals.launchOf('files')).not.toBe(decided);
	});

	test('leave with their server, and come back whole if that is undone', async () => {
		const approvals = new Approvals(await trustFile());
		await approvals.approve(new Map([['files', launch]]), true);
		const back = await approvals.removing('files').take();
		expect(approvals.launches).toEqual([]);
		await back.take();
		expect(approvals.isApproved('files', launch) && approvals.trustsHints('files')).toBe(true);
		const none = await approvals.removing('other').take();
		await none.take();
		expect(approvals.isApproved('other', launch)).toBe(false);
	});

	test('trust read-only annotations only if the user chooses that, and only until the next approval', async () => {
		const approvals = new Approvals(await trustFile());
		const both = new Map([['files', launch]]);
		await approvals.approve(both, false);
		expect(approvals.trustsHints('files')).toBe(false);
		await approvals.setTrustsHints('files', true);
		expect(approvals.trustsHints('files')).toBe(true);
		await approvals.approve(both, false);
		expect(approvals.trustsHints('files')).toBe(false);
	});

	test('are not requested for a disabled server', async () => {
		const servers = new Map(['files', 'off'].map((name) => [name, { name, launch }]));
		const approvals = new Approvals(await trustFile(), {
			switches: { isServerDisabled: (server) => server === 'off' },
		});
		const state = { kind: 'ok', config: emptyConfig, servers } as never;
		expect(approvals.pending(state).map(({ name }) => name)).toEqual(['files']);
	});

	test('can be revoked, which fires an event', async () => {
		const approvals = new Approvals(await trustFile());
		await approvals.approve(new Map([['files', launch]]), true);
		let told = 0;
		approvals.onDidChange(() => told++);
		await approvals.revoke('files');
		expect([approvals.approval('files', launch).kind, approvals.trustsHints('files'), told]).toEqual([
			'new',
			false,
			1,
		]);
	});

	test('work for servers that are named like object members', async () => {
		const path = newTrustPath();
		await new Approvals(await trustFile(path)).approve(new Map([['__proto__', launch]]), true);
		const next = new Approvals(await trustFile(path));
		expect(next.isApproved('__proto__', launch)).toBe(true);
		expect(next.trustsHints('constructor')).toBe(false);
	});

	test('remember what the last review showed, even for servers that are named like object members', async () => {
		const path = newTrustPath();
		await new Approvals(await trustFile(path)).setReviewed(
			new Map([
				['files', 'h1'],
				['__proto__', 'h2'],
			]),
		);
		const next = new Approvals(await trustFile(path));
		expect(next.isReviewed('files', 'h1')).toBe(true);
		expect(next.isReviewed('files', 'h2')).toBe(false);
		expect(next.isReviewed('__proto__', 'h2')).toBe(true);
		expect(next.isReviewed('constructor', 'h1')).toBe(false);
	});
});

function server(name: string, command: string) {
	return { name, facts: [{ about: 'runs', text: command } as const] };
}

const names = (servers: readonly { readonly name: string }[]) => servers.map(({ name }) => name);

describe('a server that needs approval', () => {
	test('is announced once, and again if its command changes', () => {
		const news = new ApprovalNews();
		expect(names(news.take([server('a', 'one')]))).toEqual(['a']);
		expect(news.take([server('a', 'one')])).toEqual([]);
		expect(names(news.take([server('a', 'two'), server('b', 'one')]))).toEqual(['a', 'b']);
	});

	test('is announced again if it was approved in the meantime', () => {
		const news = new ApprovalNews();
		news.take([server('a', 'changed')]);
		news.take([]);
		expect(names(news.take([server('a', 'changed')]))).toEqual(['a']);
	});

	test('is not announced while an import already shows it, but is if it changes later', () => {
		const news = new ApprovalNews();
		const importing = news.expect(['imported', 'never written']);
		expect(names(news.take([server('imported', 'one'), server('other', 'one')]))).toEqual(['other']);
		importing[Symbol.dispose]();
		expect(news.take([server('imported', 'one'), server('other', 'one')])).toEqual([]);
		expect(
			names(news.take([server('imported', 'two'), server('never written', 'one'), server('other', 'one')])),
		).toEqual(['imported', 'never written']);
	});
});

test('the notification is the same for any number of new servers, and says if all have changed since they were approved', () => {
	const fresh = { approval: { kind: 'new' } } as const;
	const changed = { approval: { kind: 'changed', before: [] } } as const;
	expect(approvalMessage([fresh, changed, fresh])).toBe(approvalMessage([fresh]));
	expect(approvalMessage([changed, changed])).toMatch(/changed/i);
});

test('the message says that the stored approvals are damaged, until they are written again', async () => {
	const path = newTrustPath();
	await new Approvals(await trustFile(path)).approve(new Map([['files', launch]]), false);
	writeFileSync(path, '{');
	const approvals = new Approvals(await trustFile(path));
	expect(approvalMessage([{ approval: approvals.approval('files', launch) }], approvals.isDamaged)).toMatch(
		/damaged/,
	);
	await approvals.approve(new Map([['files', launch]]), false);
	expect(approvals.isDamaged).toBe(false);
});

describe("approvals of servers in the user's own file", () => {
	const users: StdioLaunch = { ...launch, ofUser: true };
	const inWorkspace = (workspace: TrustFile, all: TrustFile, inForce = users) =>
		new Approvals(workspace, { users: all, launchOf: () => inForce });

	test("apply in every workspace, unlike approvals of servers in a workspace's file", async () => {
		const all = await trustFile();
		await inWorkspace(await trustFile(), all).approve(new Map([['files', users]]), true);
		const other = inWorkspace(await trustFile(), all);
		expect(other.isApproved('files', users)).toBe(true);
		expect(other.trustsHints('files')).toBe(true);

		const here = await trustFile();
		await inWorkspace(here, all).approve(new Map([['notes', launch]]), false);
		expect(inWorkspace(here, all).isApproved('notes', launch)).toBe(true);
		expect(inWorkspace(await trustFile(), all).isApproved('notes', launch)).toBe(false);
	});

	test("do not apply to a workspace's server with the same name and command", async () => {
		const all = await trustFile();
		await inWorkspace(await trustFile(), all).approve(new Map([['files', users]]), true);
		const shadowed = inWorkspace(await trustFile(), all, launch);
		expect(shadowed.isApproved('files', launch)).toBe(false);
		expect(shadowed.trustsHints('files')).toBe(false);
		expect(shadowed.pending({ kind: 'loading' })).toEqual([]);
	});

	test('are shared between windows, and neither window overwrites those of the other', async () => {
		const path = newTrustPath();
		const files = [await trustFile(path), await trustFile(path)] as const;
		const one = inWorkspace(await trustFile(), files[0]);
		const two = inWorkspace(await trustFile(), files[1]);
		let told = 0;
		two.onDidChange(() => told++);
		await one.approve(new Map([['files', users]]), false);
		await files[1].load();
		expect(told).toBe(1);
		await two.approve(new Map([['notes', users]]), false);
		await files[0].load();
		expect(one.isApproved('notes', users) && one.isApproved('files', users)).toBe(true);
		await one.revoke('files');
		await files[1].load();
		expect(two.isApproved('files', users)).toBe(false);
		expect(two.launches.map(([name]) => name)).toEqual(['notes']);
	});
});
