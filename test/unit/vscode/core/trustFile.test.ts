import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { StdioLaunch } from '../../../../src/config/servers/launch.ts';
import { Approvals } from '../../../../src/vscode/core/approvals.ts';
import { Permissions } from '../../../../src/vscode/core/permissions.ts';
import { OWNERS_FILE } from '../../../fileModes.ts';
import { newTrustPath, trustFile } from './trustFiles.ts';

const launch: StdioLaunch = { kind: 'stdio', command: 'node', args: ['a.js'], env: {}, cwd: '/work' };
const launches = new Map([['files', launch]]);
const never = {
	decision: 'never',
	server: 'files',
	tool: 'wipe',
	definition: 'd',
	scope: { kind: 'workspace' },
	since: 1,
} as const;

/** The decisions of a window whose storage is that file; `told.changes` counts the events. */
async function windowOn(file: string) {
	const trust = await trustFile(file);
	const approvals = new Approvals(trust);
	const told = { changes: 0 };
	approvals.onDidChange(() => (told.changes += 1));
	return { trust, approvals, permissions: new Permissions(trust, approvals), told };
}

/** A file in which a server is approved and a tool of it never allowed. */
async function decidedFile(): Promise<string> {
	const file = newTrustPath();
	const { approvals, permissions } = await windowOn(file);
	await approvals.approve(launches, false);
	await permissions.keep(never);
	return file;
}

/** Nothing can be read there, until the result is called. */
function obstruct(file: string): () => void {
	renameSync(file, `${file}.aside`);
	mkdirSync(file);
	return () => {
		rmdirSync(file);
		renameSync(`${file}.aside`, file);
	};
}

describe('given two windows on one workspace', () => {
	test('an approval in one applies in the other, and revoking it in either revokes it in both', async () => {
		const file = newTrustPath();
		const [one, other] = [await windowOn(file), await windowOn(file)];
		await one.approvals.approve(launches, false);
		await vi.waitFor(() => expect(other.told.changes).toBe(1));
		expect(other.approvals.isApproved('files', launch)).toBe(true);

		await other.approvals.revoke('files');
		await vi.waitFor(() => expect(one.approvals.isApproved('files', launch)).toBe(false));
		// Approving, and hearing that it was revoked: what a window writes itself is told once.
		expect(one.told.changes).toBe(2);
	});

	test('a window that writes something else does not restore a revoked approval', async () => {
		const file = newTrustPath();
		const [one, other] = [await windowOn(file), await windowOn(file)];
		await one.approvals.approve(launches, false);
		await other.trust.load();
		await Promise.all([one.approvals.revoke('files'), other.approvals.setReviewed(new Map([['a', 'h']]))]);
		await Promise.all([
			one.approvals.approve(new Map([['mail', launch]]), false),
			other.approvals.setReviewed(new Map([['b', 'h']])),
		]);
		const next = await windowOn(file);
		expect(next.trust.value.approvals.map(({ server }) => server)).toEqual(['mail']);
		expect(next.approvals.isReviewed('b', 'h')).toBe(true);
	});

	test('as processes that decide at the same time, then no approval and no "never" is lost', async () => {
		const [file, users] = [newTrustPath(), newTrustPath()];
		const rounds = 40;
		const names = ['one', 'two', 'three'];
		const script = path.join(import.meta.dirname, 'decidingProcess.ts');
		const running = names.map((name) => {
			const child = spawn(process.execPath, [script, file, users, name, `${rounds}`], {
				stdio: ['pipe', 'pipe', 'inherit'],
			});
			return { child, exited: once(child, 'exit') };
		});
		await Promise.all(running.map(({ child }) => once(child.stdout, 'data')));
		for (const { child } of running) child.stdin.write('go\n');
		for (const { exited } of running) expect(await exited).toEqual([0, null]);

		const servers = names.flatMap((name) => Array.from({ length: rounds }, (_, i) => `${name}-${i}`));
		const [trust, all] = [await trustFile(file), await trustFile(users)];
		const approved = [...trust.value.approvals, ...all.value.approvals].map(({ server }) => server);
		expect(approved.toSorted()).toEqual(servers.toSorted());
		expect(trust.value.rules.map(({ server }) => server).toSorted()).toEqual(servers.toSorted());
	}, 120_000);
});

describe('given decisions of the user', () => {
	test('then they take effect at once, and only the owner can read their file', async () => {
		const file = newTrustPath();
		const { approvals } = await windowOn(file);
		const writing = approvals.approve(launches, false);
		expect(approvals.isApproved('files', launch)).toBe(true);
		await writing;
		expect(statSync(file).mode & 0o777).toBe(OWNERS_FILE);
		expect(readdirSync(path.dirname(file))).toEqual(['approvals.json']);
	});

	test('when the file cannot be read for a while, then nothing is forgotten', async () => {
		const file = await decidedFile();
		const free = obstruct(file);
		const one = await windowOn(file);
		expect([one.approvals.isKnown, one.permissions.isKnown]).toEqual([false, false]);
		await expect(one.approvals.approve(new Map([['mail', launch]]), false)).rejects.toThrow('cannot be read');
		expect(one.approvals.isApproved('mail', launch)).toBe(true);
		free();
		await vi.waitFor(() => expect(one.approvals.isApproved('files', launch)).toBe(true), 10_000);
		expect(one.permissions.rulesOf('files')).toMatchObject([{ decision: 'never' }]);
		// What could not be written is written, too.
		await vi.waitFor(async () => {
			const { trust } = await windowOn(file);
			expect(trust.value.approvals.map(({ server }) => server)).toEqual(['files', 'mail']);
		}, 10_000);
	});

	test("when the user's file cannot be read, then the rules in the workspace's file stay", async () => {
		const [file, users] = [newTrustPath(), newTrustPath()];
		const ofUser = { ...launch, ofUser: true as const };
		const open = async () => {
			const [trust, all] = [await trustFile(file), await trustFile(users)];
			const approvals = new Approvals(trust, { users: all, launchOf: () => ofUser });
			return { trust, approvals, permissions: new Permissions(trust, approvals) };
		};
		const before = await open();
		await before.approvals.approve(new Map([['files', ofUser]]), false);
		await before.permissions.keep(never);
		await before.permissions.keep({
			...never,
			decision: 'allow',
			tool: 'get',
		});
		const free = obstruct(users);
		const during = await open();
		expect(during.permissions.rules([])).toEqual([]);
		await during.trust.save();
		free();
		const after = await open();
		expect(after.permissions.rules([]).map(({ decision }) => decision)).toEqual(['never', 'allow']);
	});

	test('when the file is damaged, then they are asked for again, and the file is kept beside the new one', async () => {
		const file = await decidedFile();
		const damaged = readFileSync(file, 'utf8').slice(0, -100);
		writeFileSync(file, damaged);
		const { approvals } = await windowOn(file);
		expect(approvals.isApproved('files', launch)).toBe(false);
		await approvals.approve(launches, false);
		expect((await windowOn(file)).approvals.isApproved('files', launch)).toBe(true);
		expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(damaged);
	});
});
