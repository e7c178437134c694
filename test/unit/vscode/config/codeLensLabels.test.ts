import { describe, expect, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { ServerPolicy } from '../../../../src/discovery/catalog/policy.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import { contributions } from '../../../../src/vscode/actions/contributions.ts';
import { absentServerLens, serverLens } from '../../../../src/vscode/config/codeLensLabels.ts';
import { modelsOf, sessionsWith, statusOf } from '../fixtures.ts';

/** Sessions whose server `files` has two tools. */
const filesWith = (files: Partial<ServerPolicy>) =>
	sessionsWith(['read', 'write'], { deferLoading: false, ...files }, { enabled: true });

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
		expect(actions).toMatchSnapshot();
	});

	test('counts all tools of a pinned server as loaded, and offers Defer', () => {
		const [state, ...actions] = titles(filesWith({ pinned: true }), ready);
		expect(state).toContain('all 2 loaded');
		expect(actions).toMatchSnapshot();
	});

	test('offers both Pin and Defer if only one of its tools is pinned', () => {
		expect(titles(filesWith({ pinned: ['read'], deferLoading: true }), ready)).toEqual([
			expect.stringContaining('1 of '),
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
		expect(titles(sessions, { kind: 'starting' })[0]).toMatchSnapshot();
	});

	test('says why a server is missing: an error, an unsaved file, or no workspace trust', () => {
		expect(absentServerLens(true, false)[0]?.title).toContain('Failed: this entry has an error');
		expect(absentServerLens(true, true)[0]?.title).toContain('Not saved yet');
		expect(absentServerLens(false, true)[0]?.title).toContain('not trusted');
	});
});
