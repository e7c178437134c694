import { describe, expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { ServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import { contributions } from '../../../../src/vscode/actions/contributions.ts';
import {
	absentServerLens,
	discoveryLens,
	modelLens,
	serverLens,
} from '../../../../src/vscode/config/codeLensLabels.ts';
import { commands } from '../../../../src/vscode/ui/ids.ts';
import { hubWith, modelsOf, statusOf } from '../fixtures.ts';

/** Sessions whose server `files` has two tools. */
const filesWith = (files: Partial<ServerPolicy>, enabled = true) =>
	hubWith(['read', 'write'], { deferLoading: false, ...files }, { enabled });

function titles(sessions: ChatSessions, state: ServerState) {
	const [node] = modelsOf(sessions, () => [statusOf('files', { state })]).servers;
	const { texts } = contributions();
	return node
		? serverLens(node).map(
				({ title, command }) => title ?? texts[`${command}.short`] ?? texts[`${command}.title`],
			)
		: [];
}

const ready: ServerState = { kind: 'ready', since: 0 };

describe('the code lens of a server', () => {
	test('shows state, tools and tokens of a running server, and offers Restart and Stop', () => {
		const [state, ...actions] = titles(filesWith({ deferLoading: true }), ready);
		expect(state).toMatch(/^\$\(pass-filled\) Running · 2 tools · ≈\d+ tokens$/);
		expect(actions).toEqual(['Restart', 'Stop', 'Pin', 'Show Log']);
	});

	test('counts all tools of a pinned server as loaded, and offers Defer', () => {
		const [state, ...actions] = titles(filesWith({ pinned: true }), ready);
		expect(state).toContain('2 tools · 2 loaded');
		expect(actions).toEqual(['Restart', 'Stop', 'Defer', 'Show Log']);
	});

	test('offers both Pin and Defer if only one of its tools is pinned', () => {
		expect(titles(filesWith({ pinned: ['read'], deferLoading: true }), ready)).toEqual([
			expect.stringContaining('1 loaded'),
			'Restart',
			'Stop',
			'Pin',
			'Defer',
			'Show Log',
		]);
	});

	test('offers Start for a stopped server', () => {
		expect(titles(filesWith({ deferLoading: true }), { kind: 'stopped' }).slice(0, 2)).toEqual([
			expect.stringMatching(/^\$\(circle-outline\) Idle · 2 tools/),
			'Start',
		]);
	});

	test('shows Starting for a server that starts for the first time', () => {
		const sessions = new ChatSessions();
		expect(titles(sessions, { kind: 'starting' })[0]).toBe('$(loading~spin) Starting…');
	});

	test('says why a server is missing: an error, an unsaved file, or no workspace trust', () => {
		expect(absentServerLens(true, false)[0]?.title).toContain('Failed: this entry has an error');
		expect(absentServerLens(true, true)[0]?.title).toContain('Not saved yet');
		expect(absentServerLens(false, true)[0]?.title).toContain('not trusted');
	});
});

describe('the code lens of tool_discovery', () => {
	test('says how many tools are deferred, and how that changes the tokens of a request', () => {
		const [state, ...actions] = discoveryLens(filesWith({ deferLoading: true }));
		expect(state?.title).toMatch(
			/^\$\(pass-filled\) on · 2 of 2 tools deferred, 0 loaded( · [−+]\d+% tokens)?$/,
		);
		expect(actions).toEqual([{ command: commands.searchTools }, { command: commands.showContext }]);
	});

	test('counts the tools that the chat has loaded', () => {
		const sessions = filesWith({ deferLoading: true });
		const { discovery } = sessions.currentOrNext();
		discovery.load(discovery.surface.deferred.slice(0, 1), 'user');
		expect(discoveryLens(sessions)[0]?.title).toContain('2 of 2 tools deferred, 1 loaded');
	});

	test('offers to turn discovery on', () => {
		expect(discoveryLens(filesWith({}, false)).map(({ title }) => title)).toEqual([
			'$(circle-slash) off · 2 tools sent with every request',
			'Turn On',
		]);
	});
});

test('the code lens of a model shows where its key comes from, but never the key itself', () => {
	const openai = { file: 'file:///app/config.json', name: 'openai' };
	expect(modelLens(openai, { kind: 'variable', variable: 'OPENAI_API_KEY' })).toEqual([
		{ title: '$(key) key from OPENAI_API_KEY' },
		{ command: commands.manageSecrets, argument: openai },
	]);
	expect(modelLens(openai, { kind: 'none' })[1]).toMatchObject({ argument: openai });
});
