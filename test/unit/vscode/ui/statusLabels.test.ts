import { describe, expect, test } from 'vitest';
import type { ChatSessions } from '../../../../src/chat/sessions.ts';
import type { CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { maxTimelineEntries } from '../../../../src/discovery/session/timeline.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { ServerState } from '../../../../src/mcp/serverState.ts';
import { badgeOf, statusLabel } from '../../../../src/vscode/ui/statusLabels.ts';
import { sessionsWith, statusOf, toolOf } from '../fixtures.ts';

const many = Array.from({ length: 200 }, (_, i) => `tool_${i}`);

function wordsOf(sessions: ChatSessions) {
	return statusLabel(sessions.currentSurface, sessions.current?.discovery);
}

describe('the badge of the view', () => {
	const server = (name: string, state: ServerState, more = {}) => statusOf(name, { state, ...more });
	const error = new ServerError('c', 'crashed', 'it crashed');

	test('counts each server that needs the user once, and says why', () => {
		const servers = [
			server('a', { kind: 'unapproved' }),
			server('b', { kind: 'unapproved' }),
			server('c', { kind: 'failed', error }),
			server('d', { kind: 'signed-out', error }),
			server('e', { kind: 'ready', since: 0 }, { wantsRights: error }),
			server('f', { kind: 'ready', since: 0 }),
		];
		const changed = [{ server: 'f' }, { server: 'f' }, { server: 'c' }] as unknown as CatalogTool[];
		const badge = badgeOf(servers, changed);
		expect(badge?.value).toBe(6);
		expect(badge?.tooltip).toMatchSnapshot();
	});

	test('is absent if no server needs anything', () => {
		const servers = [
			server('a', { kind: 'ready', since: 0 }),
			server('b', { kind: 'stopped', byUser: true }),
		];
		expect(badgeOf(servers, [])).toBeUndefined();
	});
});

describe('the status bar', () => {
	test('counts the loaded tools and the tokens saved; its tooltip has the limit', () => {
		const sessions = sessionsWith(many, { pinned: ['tool_0'] });
		expect(wordsOf(sessions).text).toMatch(/^\$\(tools\) 1 of 200 tools loaded · −\d\d%$/);
		const chat = sessions.open(undefined);
		chat.discovery.load(['tool_1', 'tool_2', 'tool_3'].map((name) => toolOf(chat, name)));
		const { text, tooltip, accessibleLabel } = wordsOf(sessions);
		expect(text).toMatch(/^\$\(tools\) 4 of 200 tools loaded · −\d\d%$/);
		expect(tooltip).toMatch(/^Loaded for the next chat: 3 tools of at most 24\. 1 more is always loaded\.\n/);
		expect(tooltip).toMatch(/≈[\d.]+k? instead of ≈[\d.]+k tokens per request \(estimated\)\.$/);
		expect(accessibleLabel).toContain('estimated');
	});

	test('names the last used chat in its tooltip, which need not be the one that the user sees', () => {
		const sessions = sessionsWith(many, { pinned: ['tool_0'] });
		const chat = sessions.open(undefined);
		expect(wordsOf(sessions).tooltip).not.toContain('used chat');
		chat.discovery.beginTurn(
			{ model: 'gpt', loading: 'append', hosted: [] },
			{ role: 'user', text: 'read the file [docs](x)' },
		);
		const named = /^Last used chat: “read the file \[docs\]\(x\)”\nIt has loaded /;
		expect(wordsOf(sessions).tooltip).toMatch(named);
		expect(wordsOf(sessions).tooltip).not.toContain('new chat');
		chat.discovery.load([toolOf(chat, 'tool_1')]);
		expect(wordsOf(sessions).tooltip).toContain('A new chat starts with 1 tool.');
		// Also once its timeline no longer reaches back to the beginning.
		for (let i = 0; i <= maxTimelineEntries; i++)
			chat.discovery.log.append({ kind: 'failure', message: `${i}` });
		chat.discovery.beginTurn({ model: 'gpt', loading: 'append' }, { role: 'user', text: 'go on' });
		expect(wordsOf(sessions).tooltip).toMatch(named);
	});

	test('says how many more tools fit once they are few', () => {
		const sessions = sessionsWith(many, {}, { maxActiveSchemas: 4 });
		const chat = sessions.open(undefined);
		chat.discovery.load([toolOf(chat, 'tool_1')]);
		expect(wordsOf(sessions).text).not.toContain('room');
		chat.discovery.load([toolOf(chat, 'tool_2')]);
		expect(wordsOf(sessions).text).toMatch(/ · room for 2 more$/);
		chat.discovery.load([toolOf(chat, 'tool_3'), toolOf(chat, 'tool_4')]);
		expect(wordsOf(sessions).text).toMatch(/ · no room for more$/);
	});

	test('shows a smaller saving if more tools are loaded', () => {
		const sessions = sessionsWith(many, {}, { maxActiveSchemas: null, maxRequestTools: 200 });
		const saving = () => Number(/−(\d+)%/.exec(wordsOf(sessions).text)?.[1]);
		const before = saving();
		const chat = sessions.open(undefined);
		chat.discovery.load(chat.discovery.surface.tools.slice(0, 100));
		expect(saving()).toBeLessThan(before - 30);
		expect(wordsOf(sessions).text).toContain(' 100 of 200 tools loaded · ');
	});

	test('never claims that no tokens are sent', () => {
		const bulky = { type: 'object', properties: { text: { description: 'word '.repeat(3_000) } } };
		const { text } = wordsOf(sessionsWith(many, {}, {}, bulky));
		expect(text).toMatch(/ · −99%$/);
	});

	test('shows no saving if search costs more than it saves, and says why in the tooltip', () => {
		const { text, tooltip } = wordsOf(sessionsWith(['read', 'write']));
		expect(text).toMatchSnapshot();
		expect(tooltip).toMatch(/≈\d+ tokens per request\. All tools together would need only ≈\d+/);
	});

	test('shows no saving if no tools are deferred or known yet', () => {
		expect(wordsOf(sessionsWith(['read'], { deferLoading: false })).text).toMatchSnapshot();
		expect(wordsOf(sessionsWith([])).text).toMatchSnapshot();
	});

	test.each([{ enabled: false }, { auto: { kind: 'fits', tools: 0, tokens: 0 } as const, enabled: false }])(
		'says that there are no tools yet, and not that discovery is off: %j',
		(policy) => {
			expect(wordsOf(sessionsWith([], {}, policy)).text).toBe('$(tools) no tools yet');
		},
	);

	test('says that discovery is off, and how many tokens that costs', () => {
		const sessions = sessionsWith(many, {}, { enabled: false });
		expect(wordsOf(sessions).text).toMatchSnapshot();
		expect(wordsOf(sessions).tooltip).toMatch(/^Discovery is off: 200 tools \(≈[\d.]+k tokens, estimated\)/);
	});
});
