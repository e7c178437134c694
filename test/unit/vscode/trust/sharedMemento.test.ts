import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StdioLaunch } from '../../../../src/config/servers/launch.ts';
import { Approvals } from '../../../../src/vscode/trust/approvals.ts';
import { SharedMemento } from '../../../../src/vscode/trust/sharedMemento.ts';
import { OWNERS_FILE } from '../../../fileModes.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';

const launch: StdioLaunch = { kind: 'stdio', command: 'node', args: ['a.js'], env: {}, cwd: '/work' };
const launches = new Map([['files', launch]]);

const newFile = () => path.join(temporaryFolder(), 'trust', 'approvals.json');

function opened(file: string): SharedMemento {
	const memento = new SharedMemento(file);
	onTestFinished(() => memento.dispose());
	return memento;
}

/** The approvals of a window whose storage is that file; `changes` counts what it was told. */
function windowOn(file: string) {
	const memento = opened(file);
	const approvals = new Approvals(memento);
	memento.onDidChange(() => approvals.refresh());
	const told = { changes: 0 };
	approvals.onDidChange(() => (told.changes += 1));
	return { memento, approvals, told };
}

describe('given two windows on one workspace', () => {
	test('an approval in one applies in the other, and revoking it in either revokes it in both', async () => {
		const file = newFile();
		const [one, other] = [windowOn(file), windowOn(file)];
		await one.approvals.approve(launches, false);
		await vi.waitFor(() => expect(other.told.changes).toBe(1));
		expect(other.approvals.isApproved('files', launch)).toBe(true);

		await other.approvals.revoke('files');
		await vi.waitFor(() => expect(one.approvals.isApproved('files', launch)).toBe(false));
		// Approving, and hearing that it was withdrawn: what a window writes itself is told once.
		expect(one.told.changes).toBe(2);
	});

	test('a window that writes another value does not restore a revoked approval', async () => {
		const file = newFile();
		const [one, other] = [windowOn(file), windowOn(file)];
		await one.approvals.approve(launches, false);
		other.memento.refresh();
		await Promise.all([one.approvals.revoke('files'), other.memento.update('else', 1)]);
		await Promise.all([one.memento.update('more', 2), other.memento.update('else', 3)]);
		const next = opened(file);
		expect(new Approvals(next).isApproved('files', launch)).toBe(false);
		expect([next.get('else'), next.get('more')]).toEqual([3, 2]);
	});
});

describe('a memento in a file', () => {
	test('can be read only by its owner, and returns a new value at once', async () => {
		const file = newFile();
		const memento = opened(file);
		const writing = memento.update('a', [1]);
		expect(memento.get('a')).toEqual([1]);
		expect(memento.get('b', 'default')).toBe('default');
		await writing;
		expect(memento.keys()).toEqual(['a']);
		expect(statSync(file).mode & 0o777).toBe(OWNERS_FILE);
		expect(readdirSync(path.dirname(file))).toEqual(['approvals.json']);
	});

	test('counts as empty if the file is damaged', async () => {
		const file = newFile();
		await opened(file).update('a', 'approved');
		writeFileSync(file, readFileSync(file, 'utf8').replace('approved', 'Approved'));
		expect(opened(file).get('a')).toBeUndefined();
	});
});
