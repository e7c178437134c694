import { expect, onTestFinished, test, vi } from 'vitest';
import { Emitter } from '../../../../src/common/event.ts';
import { ContextPage } from '../../../../src/vscode/context/contextPage.ts';
import type { PageMessage, PageRequest } from '../../../../src/vscode/context/pageView.ts';
import { UndoHistory } from '../../../../src/vscode/core/undo.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { messages, Panel, panels, ran, reopen, trust, Uri, workspace } from '../editor.ts';
import { noAgents, sessionsWith, toolOf } from '../fixtures.ts';

/** The page of a window with a chat, and a user who reads it. */
function openPage() {
	reopen();
	onTestFinished(reopen);
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const sessions = sessionsWith(['read', 'write']);
	const agents = noAgents();
	const undo = new UndoHistory();
	const run = vi.fn<(...action: readonly unknown[]) => Promise<void>>(async () => {});
	const page = new ContextPage({
		sessions,
		agents,
		undo,
		configFile: { state: { kind: 'ok' }, onDidChange: new Emitter<never>().event } as never,
		extensionUri: Uri.file('/extension') as never,
		run,
	});
	onTestFinished(() => page.dispose());
	return {
		page,
		sessions,
		agents,
		undo,
		run,
		show: async () => {
			await page.show();
			panels[0]?.requests.fire({ kind: 'ready' });
		},
		press: (request: PageRequest) => panels[0]?.requests.fire(request),
		views: () => (panels[0]?.posted ?? []).map((message) => (message as PageMessage).view),
	};
}

test('given many changes at once, then the page is drawn once, and not at all while nobody sees it', async () => {
	const { show, sessions, views } = openPage();
	await show();
	const chat = sessions.open(undefined);
	chat.discovery.load([toolOf(chat, 'read')]);
	chat.discovery.load([toolOf(chat, 'write')]);
	vi.advanceTimersByTime(1000);
	expect(views()).toHaveLength(2);
	const view = views()[1];
	expect(view?.kind === 'report' && view.report.active.map(({ name }) => name)).toEqual(['read', 'write']);
	Object.assign(panels[0] ?? {}, { visible: false });
	chat.discovery.unload([toolOf(chat, 'read')]);
	vi.advanceTimersByTime(1000);
	expect(views()).toHaveLength(2);
});

test('given a page that is open, when it is shown again or restored by the window, then there is one', async () => {
	const { page, show } = openPage();
	await show();
	await show();
	expect(panels).toHaveLength(1);
	const restored = new Panel(ids.contextPage);
	page.adopt(restored as never);
	expect(panels).toEqual([restored]);
	restored.dispose();
	await show();
	expect(panels).toHaveLength(1);
});

test('given a workspace without trust, then the page says so, leads there, and is drawn when it is trusted', async () => {
	const { show, views, press, run } = openPage();
	workspace.isTrusted = false;
	await show();
	expect(views()).toEqual([{ kind: 'untrusted' }]);
	press({ kind: 'run', command: 'trust' });
	expect([ran, run.mock.calls]).toEqual([[['workbench.trust.manage']], []]);
	trust();
	vi.advanceTimersByTime(1000);
	expect(views().at(-1)?.kind).toBe('report');
});

test('when the user disconnects an agent, then it stays off until the user undoes it', async () => {
	const { show, press, agents, undo, views } = openPage();
	agents.called('codex', 'files:read');
	await show();
	press({ kind: 'disconnect', agent: 'codex' });
	expect(agents.isDisconnected('codex')).toBe(true);
	vi.advanceTimersByTime(1000);
	expect(views().at(-1)).toMatchObject({ undo: 'disconnect codex', agents: [{ isDisconnected: true }] });
	await undo.undo();
	expect(agents.isDisconnected('codex')).toBe(false);
	press({ kind: 'connect', agent: 'codex' });
	expect(undo.next?.label).toBe('connect codex');
});

test('when an action of the page fails, then the error is shown, and the page goes on', async () => {
	const { show, press, run } = openPage();
	await show();
	const on = { server: 'files', tool: 'read' };
	run.mockRejectedValueOnce(new Error('it is gone'));
	press({ kind: 'run', command: 'unloadTool', on });
	await vi.waitFor(() => expect(messages).toEqual(['Discovery: it is gone']));
	press({ kind: 'run', command: 'unloadTool', on });
	expect(run.mock.calls).toEqual([
		['unloadTool', on],
		['unloadTool', on],
	]);
});
