import { expect, onTestFinished, test } from 'vitest';
import { ChatSessions } from '../../../../src/chat/sessions.ts';
import { emptyConfig } from '../../../../src/config/config.ts';
import type { ServerPool } from '../../../../src/mcp/serverPool.ts';
import { applyToChats, applyToServers } from '../../../../src/vscode/config/registerConfiguration.ts';
import { trust, workspace } from '../editor.ts';
import { launchOf, reviewedServers } from '../reviewedServers.ts';

/** A window that applies its configuration, and what has been applied of it, the last one last. */
async function openWindow({ isTrusted = true } = {}) {
	const window = await reviewedServers({ files: 'node', web: 'deno' });
	workspace.isTrusted = isTrusted;
	const started: string[][] = [];
	const pool = {
		setLaunches: (...[launches, rules = {}]: Parameters<ServerPool['setLaunches']>) => {
			const names = [...launches].filter(
				([name, launch]) => rules.isApproved?.(name, launch) && !rules.isDisabled?.(name),
			);
			started.push(names.map(([name]) => name));
		},
	};
	const sessions = new ChatSessions();
	const offered: (string | undefined)[] = [];
	const editorTools = { offer: (server: string | undefined) => void offered.push(server) };
	const subscriptions = [
		applyToServers({ ...window, pool: pool as never }),
		applyToChats(window.configFile, sessions, editorTools as never, window.switches),
	];
	onTestFinished(() => {
		for (const subscription of subscriptions) subscription.dispose();
	});
	return { ...window, started, offered, sessions };
}

test('given a workspace without trust, then nothing is applied until the user trusts it', async () => {
	const { set, edit, started, offered } = await openWindow({ isTrusted: false });
	edit({ files: 'node' });
	set({ kind: 'none' });
	expect([started, offered]).toEqual([[], []]);
	trust();
	expect([started, offered]).toEqual([[[]], [undefined]]);
});

test('given an approval, a switch and a changed file, then each is applied at once, and problems alone are not', async () => {
	const { approvals, switches, configFile, set, edit, started } = await openWindow();
	await approvals.approve(new Map([['files', launchOf('node')]]), false);
	expect(started).toEqual([['files']]);
	await switches.changing([[{ server: 'files' }, true]]).take();
	expect(started.at(-1)).toEqual([]);
	await switches.changing([[{ server: 'files' }, undefined]]).take();
	edit({ files: 'curl' });
	expect(started.slice(-2)).toEqual([['files'], []]);
	const applied = started.length;
	set({ ...configFile.state, problems: ['one'] });
	expect(started).toHaveLength(applied);
});

test('when the file goes, then no server remains, but not while it is being read', async () => {
	const { approvals, set, started } = await openWindow();
	await approvals.approve(new Map([['files', launchOf('node')]]), false);
	set({ kind: 'loading' });
	expect(started).toEqual([['files']]);
	set({ kind: 'none' });
	expect(started.at(-1)).toEqual([]);
});

test('given a configuration with the editor’s tools, then chats get them only while discovery is on', async () => {
	const { set, offered } = await openWindow();
	const config = (enabled: boolean) => ({
		...emptyConfig,
		editorTools: true,
		policy: { ...emptyConfig.policy, enabled },
	});
	set({ kind: 'ok', config: config(true), servers: new Map(), problems: [] });
	set({ kind: 'ok', config: config(false), servers: new Map(), problems: [] });
	expect(offered).toEqual(['editor', undefined]);
});
