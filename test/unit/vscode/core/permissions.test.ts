import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { callHash } from '../../../../src/mcp/accepted/permissions.ts';
import { Permissions } from '../../../../src/vscode/core/permissions.ts';
import type { TrustFile } from '../../../../src/vscode/core/trustState.ts';
import { newTrustPath, trustFile } from './trustFiles.ts';

/** A window of a workspace: its file, and what is approved in it. */
class Window {
	readonly path: string;
	readonly file: TrustFile;
	readonly approved = new Map([['files', 'as approved']]);
	readonly permissions: Permissions;
	/** The configuration has no server now. */
	isGone = false;
	/** The approvals could be read. */
	isKnown = true;

	private constructor(path: string, file: TrustFile) {
		this.path = path;
		this.file = file;
		const window = this;
		this.permissions = new Permissions(file, {
			launchOf: (server) => (this.isGone ? undefined : this.approved.get(server)),
			hasLaunch: (server, launch) => this.approved.get(server) === launch,
			get isKnown() {
				return window.isKnown;
			},
		});
	}

	static async open(path = newTrustPath()): Promise<Window> {
		return new Window(path, await trustFile(path));
	}

	/** The next window on the workspace. */
	async next(): Promise<Window> {
		await this.file.save();
		return Window.open(this.path);
	}
}

function toolOf(name: string, description = 'Writes'): CatalogTool {
	const tools = [{ server: 'files', name, description, inputSchema: {} }];
	return new Catalog([{ name: 'files', tools }], 1).tools[0] as CatalogTool;
}

const write = toolOf('write');
const allowed = (tool = write) =>
	({
		decision: 'allow',
		server: tool.server,
		tool: tool.name,
		definition: callHash(tool),
		scope: { kind: 'workspace' },
		since: 1,
	}) as const;

describe('given a call permission from the user', () => {
	test('then the next window has it, and an event fires', async () => {
		const window = await Window.open();
		let told = 0;
		window.permissions.onDidChange(() => told++);
		expect(await window.permissions.keep(allowed())).toBe(true);
		expect(told).toBe(1);
		const next = await window.next();
		expect(next.permissions.ruleFor(write)?.decision).toBe('allow');
	});

	test('when the server is not approved, then the permission is not stored', async () => {
		const window = await Window.open();
		window.approved.clear();
		expect(await window.permissions.keep(allowed())).toBe(false);
		expect(window.permissions.rules([])).toEqual([]);
	});

	test('when the tool changes, then the permission is deleted for good', async () => {
		const window = await Window.open();
		await window.permissions.keep(allowed());
		expect(window.permissions.ruleFor(toolOf('write', 'Writes everywhere'))).toBeUndefined();
		expect(window.permissions.ruleFor(write)).toBeUndefined();
		expect((await window.next()).permissions.ruleFor(write)).toBeUndefined();
	});

	test('when the server changes or its approval is revoked, then the permission is deleted for good', async () => {
		for (const change of ['as something else', undefined]) {
			const window = await Window.open();
			await window.permissions.keep(allowed());
			if (change === undefined) window.approved.delete('files');
			else window.approved.set('files', change);
			expect(window.permissions.rules([write])).toEqual([]);
			window.approved.set('files', 'as approved');
			expect(window.permissions.ruleFor(write)).toBeUndefined();
		}
	});

	test('when the server is missing from the configuration, then the permission stays but has no effect', async () => {
		const window = await Window.open();
		await window.permissions.keep(allowed());
		window.isGone = true;
		expect(window.permissions.ruleFor(write)).toBeUndefined();
		expect(window.permissions.rules([])).toHaveLength(1);
		window.isGone = false;
		expect(window.permissions.ruleFor(write)?.decision).toBe('allow');
	});

	test('when another window revokes it, then this one neither uses nor restores it', async () => {
		const one = await Window.open();
		const other = await Window.open(one.path);
		let told = 0;
		one.permissions.onDidChange(() => told++);
		await one.permissions.keep(allowed());
		await other.file.load();
		await other.permissions.remove(other.permissions.rules([]));
		await one.file.load();
		expect([told, one.permissions.ruleFor(write)]).toEqual([2, undefined]);
		await one.permissions.keep(allowed(toolOf('move')));
		await other.file.load();
		expect(other.permissions.rules([])).toHaveLength(1);
	});

	test('when the user revokes it, then that can be undone', async () => {
		const window = await Window.open();
		await window.permissions.keep(allowed());
		await window.permissions.keep(allowed(toolOf('move')));
		const undo = await window.permissions.remove(window.permissions.rules([]));
		expect(window.permissions.rules([])).toEqual([]);
		await undo();
		expect(window.permissions.rulesOf('files')).toHaveLength(2);
		expect((await window.next()).permissions.ruleFor(write)?.decision).toBe('allow');
	});

	test('when the user revokes it and decides otherwise later, then an undo does not override that', async () => {
		const window = await Window.open();
		await window.permissions.keep(allowed());
		await window.permissions.keep(allowed(toolOf('move')));
		const revoked = window.permissions.rules([]);
		const undo = await window.permissions.remove(revoked);
		await window.permissions.keep({ ...allowed(), decision: 'never' });
		expect(window.permissions.canRestore(revoked)).toBe(true);
		await undo();
		const decisions = window.permissions.rules([]).map(({ tool, decision }) => [tool, decision]);
		expect(decisions).toEqual([
			['write', 'never'],
			['move', 'allow'],
		]);
		expect(window.permissions.canRestore(revoked)).toBe(false);
	});

	test('when the approvals cannot be read, then no permission is deleted', async () => {
		const window = await Window.open();
		await window.permissions.keep(allowed());
		Object.assign(window, { isKnown: false });
		window.approved.clear();
		expect(window.permissions.ruleFor(write)).toBeUndefined();
		expect((await window.next()).permissions.ruleFor(write)?.decision).toBe('allow');
	});
});

describe('given a "never"', () => {
	const never = { ...allowed(), decision: 'never' } as const;

	test('when this window does not know the approval of the server, then it stays for when it does', async () => {
		const window = await Window.open();
		await window.permissions.keep(never);
		window.approved.clear();
		expect([window.permissions.ruleFor(write), window.permissions.rules([])]).toEqual([undefined, []]);
		expect((await window.next()).permissions.ruleFor(write)?.decision).toBe('never');
	});

	test('when another window allows the tool without knowing it, then the "never" wins', async () => {
		const one = await Window.open();
		const other = await Window.open(one.path);
		await Promise.all([one.permissions.keep(never), other.permissions.keep(allowed())]);
		expect((await one.next()).permissions.ruleFor(write)?.decision).toBe('never');
		await other.file.load();
		await other.permissions.keep(allowed());
		expect((await one.next()).permissions.ruleFor(write)?.decision).toBe('allow');
	});
});
