import { describe, expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { isDisabled } from '../../../../src/discovery/catalog/policy.ts';
import { SearchableSurface } from '../../../../src/vscode/agentMode/searchableSurface.ts';
import { Switches } from '../../../../src/vscode/core/switches.ts';
import { rowOf } from '../../../../src/vscode/trees/serverRows.ts';
import { tooltipOf } from '../../../../src/vscode/ui/tooltips.ts';
import { office, policyFor } from '../../discovery/fixtures.ts';
import { modelsOf, statusOf, storage } from '../fixtures.ts';

const policy = policyFor(office, { enabled: true });
const [first, second] = office;
const [gone, stays] = first?.tools ?? [];
if (!first || !second || !gone || !stays) throw new Error('the office has two servers with tools');

describe('a tool or server that is disabled in this workspace only', () => {
	test('overrides the configuration, fires an event, and is still disabled in the next window', async () => {
		const memento = storage();
		const switches = new Switches(memento);
		let told = 0;
		switches.onDidChange(() => told++);
		await switches.changing([[{ server: first.name, tool: gone.name }, true]]).take();
		const next = new Switches(storage(memento.text()));
		for (const applied of [switches, next].map((one) => one.appliedTo(policy))) {
			expect(isDisabled(gone, applied)).toBe(true);
			expect(isDisabled(stays, applied)).toBe(false);
		}
		expect([told, isDisabled(gone, policy)]).toEqual([1, false]);
		await switches.changing([[{ server: first.name, tool: gone.name }, undefined]]).take();
		expect(switches.appliedTo(policy)).toBe(policy);
		expect(memento.text()).toBe('{}');
	});

	test('can be enabled even if the configuration disables it', async () => {
		const disabled = {
			...policy,
			servers: new Map([[first.name, { ...policyOf(first.name), disabled: true }]]),
		};
		const switches = new Switches(storage());
		expect(switches.isServerDisabled(first.name, disabled)).toBe(true);
		await switches.changing([[{ server: first.name }, false]]).take();
		expect(switches.isServerDisabled(first.name, disabled)).toBe(false);
		expect(isDisabled(gone, switches.appliedTo(disabled))).toBe(false);
	});

	test('adds no server to the configuration', async () => {
		const switches = new Switches(storage());
		await switches.changing([[{ server: 'another' }, true]]).take();
		expect([...switches.appliedTo(policy).servers.keys()]).toEqual([...policy.servers.keys()]);
	});

	test.each(['{"disabled": 7}', '{"disabled": {"x": true, "[]": true, "[1]": true, "[\\"a\\"]": "yes"}}'])(
		'is ignored if the stored data is malformed: %s',
		(text) => {
			expect(new Switches(storage(text)).appliedTo(policy)).toBe(policy);
		},
	);
});

function policyOf(server: string) {
	const known = policy.servers.get(server);
	if (!known) throw new Error('it is in the policy');
	return known;
}

/** All that chats, agent mode and commands see, and what the view shows. */
async function withDisabled(switched: { readonly server: string; readonly tool?: string }) {
	const switches = new Switches(storage());
	const sessions = new ChatSessions();
	sessions.setPolicy(policy, new Map());
	sessions.setCatalog(office);
	const names = new Map(sessions.catalog.tools.map(({ id, wireName }) => [id, wireName]));
	await switches.changing([[switched, true]]).take();
	sessions.setPolicy(switches.appliedTo(policy), new Map());
	return { sessions, names };
}

describe('given a disabled tool', async () => {
	const { sessions, names } = await withDisabled({ server: first.name, tool: gone.name });
	const id = `${first.name}:${gone.name}`;
	const wireName = names.get(id) ?? '';

	test('then no search, name lookup or catalog includes it, and the other tools keep their names', async () => {
		const surfaces = [sessions.surface(), new SearchableSurface(sessions).get()];
		for (const surface of surfaces) {
			expect(surface.get(wireName)).toBeUndefined();
			expect(surface.tools).toHaveLength(names.size - 1);
			expect(surface.names.resolve(id).kind).toBe('unknown');
			expect(surface.manifest(2500)).not.toContain(gone.name);
			const hits = (await surface.index()).search(`${gone.name} ${gone.description}`, { limit: 25 });
			expect(hits.map(({ tool }) => tool.name)).not.toContain(gone.name);
		}
		expect(sessions.catalog.tools.map((tool) => tool.id)).not.toContain(id);
		for (const { id: other, wireName: name } of sessions.catalog.tools) expect(names.get(other)).toBe(name);
	});

	test('then a chat that had loaded the tool unloads it', () => {
		const chats = new ChatSessions();
		chats.setPolicy(policy, new Map());
		chats.setCatalog(office);
		const { discovery } = chats.open(undefined);
		const tool = discovery.surface.get(wireName);
		if (tool) discovery.load([tool]);
		expect(discovery.activated).toHaveLength(1);
		chats.setPolicy(sessions.policy, new Map());
		expect(discovery.activated).toEqual([]);
		const called = discovery.resolve(wireName, {});
		expect(called).toMatchObject({ kind: 'refused' });
	});

	test('then its row is dimmed, and its server counts it separately', () => {
		const [node] = modelsOf(sessions, () => [statusOf(first.name, { tools: first.tools })]).servers;
		const row = node?.tools.find(({ state }) => state === 'disabled');
		if (!node || !row) throw new Error('it is shown');
		expect(rowOf(row)).toMatchObject({
			label: gone.name,
			isDimmed: true,
			contextValue: 'enable+ showTool copyName',
		});
		expect(tooltipOf(row)).toContain('you have disabled it in this workspace');
		expect(rowOf(node).description).toContain(`${first.tools.length - 1} tools · 1 disabled`);
	});
});

describe('given a disabled server', async () => {
	const { sessions } = await withDisabled({ server: first.name });

	test('then chats see none of its tools', () => {
		expect(sessions.surface().servers.map(({ name }) => name)).toEqual([second.name]);
		expect(sessions.catalog.tools.some(({ server }) => server === first.name)).toBe(false);
	});

	test('then its row is dimmed, and its only actions are to enable and to remove it', () => {
		const off = statusOf(first.name, { state: { kind: 'disabled' } });
		const [node] = modelsOf(viewOf(sessions), () => [off]).servers;
		if (!node) throw new Error('it is shown');
		expect(rowOf(node)).toMatchObject({
			isDimmed: true,
			contextValue: 'enable+ removeServer copyName',
			icon: 'circle-slash',
		});
		expect(tooltipOf(node)).toContain('you have disabled it in this workspace');
	});
});

/** A pool lists no tools of a disabled server. */
function viewOf(sessions: ChatSessions): ChatSessions {
	const without = new ChatSessions();
	without.setPolicy(sessions.policy, new Map());
	return without;
}
