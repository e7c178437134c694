import { describe, expect, test } from 'vitest';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import type { Tool } from '../../../../src/discovery/catalog/tool.ts';
import {
	callHash,
	hasEnded,
	type PermissionRule,
	permissionLimits,
	ruleFor,
	withRule,
} from '../../../../src/mcp/accepted/permissions.ts';

const launch = 'as approved';

function listed(...tools: (Partial<Tool> & { readonly name: string })[]): readonly CatalogTool[] {
	const full = tools.map((tool) => ({ server: 'files', inputSchema: { type: 'object' }, ...tool }));
	return new Catalog([{ name: 'files', tools: full }], 1).tools;
}

function only(tool: Partial<Tool> & { readonly name: string }): CatalogTool {
	const [first] = listed(tool);
	if (!first) throw new Error('a catalog has the tools it was made of');
	return first;
}

const write = only({ name: 'write', description: 'Writes a file' });

function rule(changes: Partial<PermissionRule> = {}): PermissionRule {
	return {
		decision: 'allow',
		server: 'files',
		launch,
		tool: 'write',
		definition: callHash(write),
		scope: { kind: 'workspace' },
		since: 1,
		...changes,
	};
}

const decisionOn = (rules: readonly PermissionRule[], tool = write, chat?: string, now = launch) =>
	ruleFor(rules, { tool, launch: now, chat })?.decision;

describe('given a permission for a tool', () => {
	test('then it applies only to the unchanged tool of the unchanged server', () => {
		const rules = [rule()];
		expect(decisionOn(rules)).toBe('allow');
		expect(decisionOn(rules, only({ name: 'read' }))).toBeUndefined();
		expect(decisionOn(rules, only({ name: 'write', description: 'Writes everywhere' }))).toBeUndefined();
		expect(decisionOn(rules, write, undefined, 'as something else')).toBeUndefined();
		expect(ruleFor(rules, { tool: write, launch: undefined })).toBeUndefined();
		expect(decisionOn([rule({ server: 'other' })])).toBeUndefined();
	});

	test('then search hints and wire names do not matter', () => {
		const hinted = only({ name: 'write', description: 'Writes a file', searchHint: 'save' });
		expect(decisionOn([rule()], { ...hinted, id: 'x', wireName: 'files__write_2' })).toBe('allow');
	});

	test('then a permission for one chat applies only in that chat', () => {
		const rules = [rule({ scope: { kind: 'chat', chat: 'a' } })];
		expect(decisionOn(rules, write, 'a')).toBe('allow');
		expect(decisionOn(rules, write, 'b')).toBeUndefined();
		expect(decisionOn(rules)).toBeUndefined();
	});

	test('then a "never" stays even if the tool changes', () => {
		const never = rule({ decision: 'never' });
		const changed = only({ name: 'write', description: 'Only looks' });
		expect(decisionOn([never], changed)).toBe('never');
		expect(hasEnded(never, true, changed)).toBe(false);
		expect(hasEnded(never, false, changed)).toBe(true);
	});

	test('then a "never" wins, whichever came first', () => {
		const never = rule({ decision: 'never' });
		const here = rule({ scope: { kind: 'chat', chat: 'a' } });
		expect(decisionOn([never, here], write, 'a')).toBe('never');
		expect(decisionOn([here, never], write, 'a')).toBe('never');
	});
});

describe('given stored rules', () => {
	test('then the last decision about a tool replaces earlier ones', () => {
		const here = rule({ scope: { kind: 'chat', chat: 'a' } });
		const there = rule({ scope: { kind: 'chat', chat: 'b' } });
		const never = rule({ decision: 'never' });
		expect(withRule([here], there)).toEqual([here, there]);
		expect(withRule([here, there], rule({ since: 2 }))).toEqual([rule({ since: 2 })]);
		expect(withRule([here, rule()], never)).toEqual([never]);
		expect(withRule([never], here)).toEqual([here]);
	});

	test('then their number is limited, and "allow" rules are dropped before "never" rules', () => {
		const never = rule({ decision: 'never', since: 0, server: 'other' });
		let rules: readonly PermissionRule[] = [never];
		for (let i = 0; i < permissionLimits.rules + 10; i++)
			rules = withRule(rules, rule({ tool: `t${i}`, definition: `${i}` }));
		expect(rules).toHaveLength(permissionLimits.rules);
		expect(rules[0]).toBe(never);
		expect(rules.at(-1)?.tool).toBe(`t${permissionLimits.rules + 9}`);
	});
});
