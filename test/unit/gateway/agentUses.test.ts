import { expect, test } from 'vitest';
import { AgentUses } from '../../../src/gateway/agentUses.ts';
import { agentTokens } from '../../../src/vscode/ui/agentTokens.ts';
import { sessionsWith } from '../vscode/fixtures.ts';

/** Uses of a window, whose disconnected names outlive it. */
function usesOf(kept: { names: readonly string[] } = { names: [] }) {
	let now = 0;
	const names = {
		get: () => kept.names,
		set: (all: readonly string[]) => {
			kept.names = all;
		},
	};
	return new AgentUses(names, () => ++now);
}

test('given agents that find and call tools, then the last one comes first, with its calls and what it read', () => {
	const uses = usesOf();
	uses.found('codex', ['files:read', 'files:write'], 40);
	uses.called('codex', 'files:read');
	uses.found('opencode', [], 10);
	uses.called('codex', 'files:read');
	expect(uses.all.map(({ name }) => name)).toEqual(['codex', 'opencode']);
	const [codex] = uses.all;
	expect([...(codex?.tools ?? [])]).toEqual([
		['files:write', 0],
		['files:read', 2],
	]);
	expect(codex).toMatchObject({ searchTokens: 40, lastUse: 4 });
});

test('given an agent that found tools, then its tokens are those of the four tools and of the answers, beside those of all tools', () => {
	const uses = usesOf();
	const tools = sessionsWith(Array.from({ length: 100 }, (_, i) => `tool${i}`)).serverTools;
	uses.found('codex', ['files:tool1'], 0);
	const before = uses.all.map((use) => agentTokens(use, tools))[0];
	uses.found('codex', ['files:tool2'], 40);
	const after = uses.all.map((use) => agentTokens(use, tools))[0];
	expect((after?.having ?? 0) - (before?.having ?? 0)).toBe(40);
	expect(before?.having).toBeLessThan(500);
	expect(after?.without).toBeGreaterThan(2_000);
});

test('given an agent that the user has disconnected, then the next window knows it, until it is connected', () => {
	const kept = { names: [] as readonly string[] };
	usesOf(kept).setDisconnected('codex', true);
	const uses = usesOf(kept);
	expect(uses.isDisconnected('codex')).toBe(true);
	expect(uses.all).toMatchObject([{ name: 'codex', lastUse: 0 }]);
	uses.setDisconnected('codex', false);
	expect(uses.all).toEqual([]);
});

test('given agents that take a new name each time, and tools without end, then few are remembered', () => {
	const uses = usesOf();
	for (let i = 0; i < 1_000; i++) uses.called(`agent ${i}`, 'files:read');
	for (let i = 0; i < 1_000; i++) uses.called('agent 999', `files:${i}`);
	expect(uses.all).toHaveLength(20);
	expect(uses.all[0]?.tools.size).toBe(200);
});
