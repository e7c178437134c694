import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { callHash } from '../../../../src/mcp/accepted/permissions.ts';
import { Permissions } from '../../../../src/vscode/trust/permissions.ts';
import { storage } from '../fixtures.ts';

/** A window of a workspace: its storage, and what is approved in it. */
class Window {
	readonly memento: ReturnType<typeof storage>;
	readonly approved = new Map([['files', 'as approved']]);
	readonly permissions: Permissions;
	/** The configuration has no server now. */
	isGone = false;

	constructor(memento = storage()) {
		this.memento = memento;
		this.permissions = new Permissions({
			memento,
			launchOf: (server) => (this.isGone ? undefined : this.approved.get(server)),
			isApproved: (server, launch) => this.approved.get(server) === launch,
		});
	}

	/** The next window on the workspace. */
	next(): Window {
		return new Window(storage(this.memento.text()));
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
		subject: { kind: 'tool', tool: tool.name, definition: callHash(tool) },
		scope: { kind: 'workspace' },
		since: 1,
	}) as const;

describe('given a call permission from the user', () => {
	test('then the next window has it, and an event fires', async () => {
		const window = new Window();
		let told = 0;
		window.permissions.onDidChange(() => told++);
		expect(await window.permissions.keep(allowed())).toBe(true);
		expect(told).toBe(1);
		const next = window.next();
		expect(next.permissions.ruleFor(write)?.decision).toBe('allow');
	});

	test('when the server is not approved, then the permission is not stored', async () => {
		const window = new Window();
		window.approved.clear();
		expect(await window.permissions.keep(allowed())).toBe(false);
		expect(window.permissions.rules([])).toEqual([]);
	});

	test('when the tool changes, then the permission is deleted for good', async () => {
		const window = new Window();
		await window.permissions.keep(allowed());
		expect(window.permissions.ruleFor(toolOf('write', 'Writes everywhere'))).toBeUndefined();
		expect(window.permissions.ruleFor(write)).toBeUndefined();
		expect(window.next().permissions.ruleFor(write)).toBeUndefined();
	});

	test('when the server changes or its approval is revoked, then the permission is deleted for good', async () => {
		for (const change of ['as something else', undefined]) {
			const window = new Window();
			await window.permissions.keep(allowed());
			if (change === undefined) window.approved.delete('files');
			else window.approved.set('files', change);
			expect(window.permissions.rules([write])).toEqual([]);
			window.approved.set('files', 'as approved');
			expect(window.permissions.ruleFor(write)).toBeUndefined();
		}
	});

	test('when the server is missing from the configuration, then the permission stays but has no effect', async () => {
		const window = new Window();
		await window.permissions.keep(allowed());
		window.isGone = true;
		expect(window.permissions.ruleFor(write)).toBeUndefined();
		expect(window.permissions.rules([])).toHaveLength(1);
		window.isGone = false;
		expect(window.permissions.ruleFor(write)?.decision).toBe('allow');
	});

	test('when another window revokes it, then this one neither uses nor restores it', async () => {
		const one = new Window();
		const other = new Window(one.memento);
		let told = 0;
		one.permissions.onDidChange(() => told++);
		await one.permissions.keep(allowed());
		await other.permissions.remove(other.permissions.rules([]));
		one.permissions.refresh();
		expect([told, one.permissions.ruleFor(write)]).toEqual([2, undefined]);
		await one.permissions.keep(allowed(toolOf('move')));
		expect(other.permissions.rules([])).toHaveLength(1);
	});

	test('when the user revokes it, then that can be undone', async () => {
		const window = new Window();
		await window.permissions.keep(allowed());
		await window.permissions.keep(allowed(toolOf('move')));
		const undo = await window.permissions.remove(window.permissions.rules([]));
		expect(window.permissions.rules([])).toEqual([]);
		await undo();
		expect(window.permissions.rulesOf('files')).toHaveLength(2);
		expect(window.next().permissions.ruleFor(write)?.decision).toBe('allow');
	});

	test('when other stored entries are damaged, then the permission still applies', async () => {
		const window = new Window();
		await window.permissions.keep(allowed());
		const kept = window.memento.get<unknown[]>('permissions');
		await window.memento.update('permissions', [null, ...kept, { server: 7 }]);
		await window.memento.update('permissionProposals', 'damaged');
		const next = window.next();
		expect(next.permissions.rules([write])).toHaveLength(1);
		expect(next.permissions.proposals).toEqual([]);
	});
});

test('when an import proposes permissions, then they are deduplicated and wait for the user', async () => {
	const window = new Window();
	const proposal = { decision: 'allow', server: 'files', tool: 'write', product: 'Cline' } as const;
	await window.permissions.propose([proposal, { ...proposal }]);
	await window.permissions.propose([proposal]);
	const next = window.next();
	expect(next.permissions.proposals).toEqual([proposal]);
	expect(next.permissions.ruleFor(write)).toBeUndefined();
	await next.permissions.settle([{ ...proposal }]);
	expect(next.permissions.proposals).toEqual([]);
});
