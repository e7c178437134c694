import { describe, expect, test } from 'vitest';
import { claudeDecisions, decisionsOf } from '../../../../src/config/import/foreignPermissions.ts';

const allow = (tool: string) => ({ decision: 'allow', tool });
const never = (tool: string) => ({ decision: 'never', tool });

describe('the allow list of a server entry', () => {
	// https://docs.roocode.com/features/mcp/using-mcp-in-roo and https://kiro.dev/docs/mcp/configuration
	test('names the tools that run without asking', () => {
		expect(decisionsOf({ alwaysAllow: ['a', 'b', 'a'] })).toEqual([allow('a'), allow('b')]);
		expect(decisionsOf({ autoApprove: ['c'], alwaysAllow: ['a'] })).toEqual([allow('a'), allow('c')]);
		expect(decisionsOf({ autoApprove: ['*'] })).toEqual([allow('*')]);
	});

	test('is ignored when it is malformed', () => {
		for (const autoApprove of [true, '*', {}, null, ['', 7, null, 'x'.repeat(2_000)]])
			expect(decisionsOf({ autoApprove })).toEqual([]);
		expect(decisionsOf({ autoApprove: Array.from({ length: 9_000 }, (_, i) => `t${i}`) })).toHaveLength(500);
	});
});

describe('the permission rules of Claude Code', () => {
	const settings = (permissions: unknown) => JSON.stringify({ permissions });

	// Claude Code's documentation, as quoted in
	// https://dev.to/aicoding-guide/auto-approve-mcp-tools-in-claude-code-permissions-the-mcp-syntax-and-its-wildcard-limits-1eik
	test('can name a server, all of its tools, or one tool', () => {
		const text = settings({
			allow: ['Bash', 'mcp__files', 'mcp__files__read', 'mcp__other__read', 'mcp__files2__read'],
			deny: ['mcp__files__wipe'],
			ask: ['mcp__files__move'],
		});
		expect(claudeDecisions([text], 'files')).toEqual([never('wipe'), allow('*'), allow('read')]);
		expect(claudeDecisions([settings({ allow: ['mcp__files__*'] })], 'files')).toEqual([allow('*')]);
		expect(claudeDecisions([settings({ allow: ['mcp__my_files__read'] })], 'my files')).toEqual([
			allow('read'),
		]);
	});

	test('are denied if any file denies them, even if another allows them', () => {
		const [denying, allowing] = ['deny', 'allow'].map((list) => settings({ [list]: ['mcp__files__write'] }));
		expect(claudeDecisions([allowing ?? '', denying ?? ''], 'files')).toEqual([never('write')]);
		const whole = settings({ deny: ['mcp__files'], allow: ['mcp__files__read'] });
		expect(claudeDecisions([whole], 'files')).toEqual([]);
	});

	test('are ignored when they have another form', () => {
		const rules = ['mcp__*', 'mcp__files__get_*', 'mcp__files__read(x)', 'mcp__files__', 7, null];
		expect(claudeDecisions([settings({ allow: rules })], 'files')).toEqual([]);
		for (const text of ['', '{', '[]', '{"permissions":[]}', settings({ allow: 'mcp__files' })])
			expect(claudeDecisions([text], 'files')).toEqual([]);
	});
});
