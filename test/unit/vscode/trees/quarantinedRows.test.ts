import { describe, expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { defaultPolicy, defaultServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import { rowOf } from '../../../../src/vscode/trees/serverRows.ts';
import { tooltipOf } from '../../../../src/vscode/ui/tooltips.ts';
import { tool } from '../../discovery/fixtures.ts';
import { modelsOf } from '../fixtures.ts';

describe('given a server of which a tool is held', () => {
	const [get, set] = [tool('weather', 'get', 'Gets it'), tool('weather', 'set', 'Sets it')];
	const sessions = new ChatSessions();
	sessions.setPolicy(
		{
			...defaultPolicy,
			enabled: true,
			servers: new Map([['weather', { ...defaultServerPolicy, deferLoading: true }]]),
		},
		new Map(),
	);
	sessions.setCatalog([{ name: 'weather', tools: [set], quarantined: [get] }]);
	const state = { kind: 'ready', since: 0 } as const;
	const status = {
		name: 'weather',
		kind: 'stdio',
		state,
		tools: [get, set],
		cached: false,
		dropped: [],
	} as const;
	const [server] = modelsOf(sessions, () => [status]).servers;
	const held = server?.tools.find((node) => node.state === 'held');
	if (!server || !held) throw new Error('the tool is not shown');

	test('then its row says so, and offers to accept it', () => {
		expect(rowOf(held)).toMatchObject({
			label: 'get',
			description: expect.stringContaining('changed, needs review'),
			icon: 'warning',
			contextValue: 'reviewChanges+ acceptChange+ disable',
			accessibleLabel: expect.stringContaining('changed, needs review'),
		});
		expect(tooltipOf(held)).toContain('it changed since you accepted it');
	});

	test('then its server counts it as neither loaded nor paid for, and offers to accept all', () => {
		const alone = modelsOf(sessions, () => [status]).servers.map((node) => ({
			...node,
			tools: node.tools.filter(({ state }) => state !== 'held'),
		}))[0];
		const { description, contextValue } = rowOf(server);
		expect(description).toMatch(/^2 tools · 1 changed · ≈\d+ tokens$/);
		expect(description.split(' · ').at(-1)).toBe(alone && rowOf(alone).description.split(' · ').at(-1));
		expect(contextValue.split(' ')).toContain('reviewChanges');
	});
});
