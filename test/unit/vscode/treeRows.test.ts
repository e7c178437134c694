import { describe, expect, test } from 'vitest';
import type { ServerLaunch } from '../../../src/config/launch.ts';
import { Catalog } from '../../../src/discovery/catalog.ts';
import { ServerError } from '../../../src/mcp/serverError.ts';
import type { ServerState } from '../../../src/mcp/serverState.ts';
import type { ToolState } from '../../../src/vscode/discoveryHub.ts';
import { launchWords } from '../../../src/vscode/servers/serverWords.ts';
import type { ServerNode } from '../../../src/vscode/servers/treeNodes.ts';
import { rowOf, tooltipOf } from '../../../src/vscode/servers/treeRows.ts';

function hangs(state: ServerState, ...states: ToolState[]): ServerNode {
	const tools = states.map((_, i) => ({ server: 'hangs', name: `t${i}`, inputSchema: { type: 'object' } }));
	return {
		kind: 'server',
		status: { name: 'hangs', kind: 'stdio', state, tools, cached: false, dropped: [] },
		launch: undefined,
		tools: new Catalog([{ name: 'hangs', tools }], 1).tools.map((tool, i) => ({
			kind: 'tool',
			tool,
			state: states[i] ?? 'deferred',
			why: 'so it is',
		})),
	};
}

const message = 'Server "hangs" cannot start: the command "hang" was not found. Install it.';
const failed: ServerState = { kind: 'failed', error: new ServerError('hangs', 'command-not-found', message) };

describe('the row of a server', () => {
	test('what keeps it from running comes first: a narrow sidebar cuts off the rest', () => {
		expect(rowOf(hangs(failed, 'pinned', 'outside', 'deferred')).description).toMatch(
			/^failed: command not found · 3 tools · 1 loaded · ≈\d+ tokens$/,
		);
		expect(rowOf(hangs({ kind: 'ready', since: 0 }, 'outside')).description).toMatch(
			/^1 tool · ≈\d+ tokens$/,
		);
	});

	test('says a failure in few words, and whole in its tooltip, once', () => {
		const { description } = rowOf(hangs(failed));
		const tooltip = tooltipOf(hangs(failed));
		expect(description).toBe('failed: command not found');
		expect(tooltip.split('was not found').length).toBe(2);
		expect(tooltip).toContain('Install it');
	});

	test('is dimmed while the toolset has none of its tools, as each of these is', () => {
		const outside = hangs({ kind: 'ready', since: 0 }, 'outside', 'outside');
		expect([rowOf(outside), ...outside.tools.map(rowOf)].map(({ dimmed }) => dimmed)).toEqual([
			true,
			true,
			true,
		]);
		expect(rowOf(hangs({ kind: 'ready', since: 0 }, 'outside', 'deferred')).dimmed).toBe(false);
		expect(rowOf(hangs({ kind: 'ready', since: 0 })).dimmed).toBe(false);
	});

	test('says nothing twice to a screen reader', () => {
		expect(rowOf(hangs({ kind: 'starting' })).accessibleLabel).toBe('hangs, starting…');
	});
});

describe('how a server is reached', () => {
	test('keeps environment, headers, and what looks secret to itself', () => {
		const stdio: ServerLaunch = {
			kind: 'stdio',
			command: 'npx',
			args: ['-y', 'notes', '--api-key', 'abc', '--token=def', '--root', '/srv', 'from-the-environment'],
			env: { NOTES_TOKEN: 'from-the-environment' },
			cwd: '/',
		};
		const remote: ServerLaunch = {
			kind: 'remote',
			url: 'https://me:pw@notes.example/mcp?key=abc',
			transport: 'streamable-http',
			headers: { authorization: 'Bearer abc' },
		};
		expect(launchWords(stdio)).toEqual({
			transport: 'stdio',
			target: 'npx -y notes --api-key *** --token=*** --root /srv ***',
		});
		expect(launchWords(remote)).toEqual({ transport: 'HTTP', target: 'https://notes.example/mcp' });
	});
});

describe('a tool that is loaded, and that the model was not sent', () => {
	const [node] = hangs({ kind: 'ready', since: 0 }, 'loaded').tools;

	test('says so in its row and why in its tooltip', () => {
		if (!node) throw new Error('the server has its tool');
		const unsent = { model: 'gpt', reason: 'Its schema is [too](large).' };
		const row = rowOf({ ...node, unsent });
		expect(row.icon).toBe('warning');
		expect(row.description).toMatch(/^loaded · not sent to gpt · ≈\d+ tokens$/);
		expect(row.accessibleLabel).toContain('not sent to gpt');
		expect(tooltipOf({ ...node, unsent }).replaceAll('\\', '')).toContain(
			'Not sent to gpt: Its schema is [too](large).',
		);
		expect(tooltipOf({ ...node, unsent })).not.toContain('[too](');
		expect(rowOf(node).icon).toBe('circle-filled');
	});
});
