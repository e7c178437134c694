import { describe, expect, test, vi } from 'vitest';
import { Readiness } from '../../../../src/vscode/participant/readiness.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { CancellationTokenSource, Panel, panels, workspace } from '../editor.ts';
import { launchOf, reviewedServers } from '../reviewedServers.ts';

/** A chat's stream that keeps the commands of its buttons. */
function openStream() {
	const said: string[] = [];
	const buttons: string[] = [];
	const stream = {
		markdown: (text: string) => void said.push(text),
		progress: (text: string) => void said.push(text),
		button: ({ command }: { command: string }) => void buttons.push(command),
	};
	return { stream: stream as never, said, buttons };
}

async function openWindow() {
	const window = await reviewedServers({ files: 'node', web: 'deno' });
	const readiness = new Readiness({ ...window, pool: {} as never });
	return { ...window, readiness };
}

type Window = Awaited<ReturnType<typeof openWindow>>;
const approve = ({ approvals }: Window, ...names: readonly string[]) =>
	approvals.approve(
		new Map(names.map((name) => [name, launchOf(name === 'files' ? 'node' : 'deno')])),
		false,
	);
const disable = ({ switches }: Window, ...servers: readonly string[]) =>
	switches.changing(servers.map((server) => [{ server }, true])).take();

describe('given what may keep a message from being answered', () => {
	test.each<[string, (window: Window) => unknown, readonly string[]]>([
		[
			'a workspace without trust',
			() => Object.assign(workspace, { isTrusted: false }),
			['workbench.trust.manage'],
		],
		['no configuration', ({ set }) => set({ kind: 'none' }), ['addServer', 'openConfig']],
		[
			'no folder',
			({ set }) => {
				Object.assign(workspace, { workspaceFolders: undefined });
				set({ kind: 'none' });
			},
			['vscode.openFolder', 'openConfig'],
		],
		['a configuration that is read', ({ set }) => set({ kind: 'loading' }), []],
		['a broken configuration', ({ set }) => set({ kind: 'broken' }), ['openConfig']],
		['no server', ({ edit }) => edit({}), ['addServer', 'openConfig']],
		['servers without approval', () => {}, ['reviewServers']],
		['one without approval, one disabled', (window) => disable(window, 'web'), ['reviewServers']],
		['only disabled servers', (window) => disable(window, 'files', 'web'), ['enable']],
	])('%s: the answer leads to what helps', async (_, prepare, expected) => {
		const window = await openWindow();
		await prepare(window);
		const { stream, said, buttons } = openStream();
		expect(window.readiness.isReady(stream)).toBe(false);
		expect(buttons.map((command) => command.replace('mcpDiscovery.', ''))).toEqual(expected);
		expect(said).toHaveLength(1);
	});

	test('one approved server is enough', async () => {
		const window = await openWindow();
		await approve(window, 'files');
		const { stream, said, buttons } = openStream();
		expect(window.readiness.isReady(stream)).toBe(true);
		expect([said, buttons, window.readiness.waiting]).toEqual([[], [], ['web']]);
	});
});

describe('given a message that waits for approval', () => {
	async function wait() {
		const window = await openWindow();
		const stop = new CancellationTokenSource();
		const page = new Panel(ids.reviewPage);
		const { stream, said } = openStream();
		const answered = vi.fn<(isReady: boolean) => void>();
		void window.readiness.waitForApproval(stream, stop.token as never).then(answered);
		return { ...window, window, stop, page, answered, said };
	}

	test('when one of two is approved, then it waits on until the page is closed', async () => {
		const { window, page, answered } = await wait();
		await approve(window, 'files');
		expect(answered).not.toHaveBeenCalled();
		page.dispose();
		await vi.waitFor(() => expect(answered).toHaveBeenCalledWith(true));
	});

	test('when the page is closed without approval, then it says that the message was not answered', async () => {
		const { page, answered, said } = await wait();
		page.dispose();
		await vi.waitFor(() => expect(answered).toHaveBeenCalledWith(false));
		expect(said.at(-1)).toContain('this message was not answered');
	});

	test('when the configuration breaks meanwhile, then the answer says so', async () => {
		const { set, answered, said } = await wait();
		set({ kind: 'broken' });
		await vi.waitFor(() => expect(answered).toHaveBeenCalledWith(false));
		expect(said.at(-1)).toContain('cannot be read');
	});

	test('when the user stops it, then nothing more is said', async () => {
		const { stop, answered, said } = await wait();
		stop.cancel();
		await vi.waitFor(() => expect(answered).toHaveBeenCalledWith(false));
		expect(said).toHaveLength(1);
		expect(panels).toHaveLength(1);
	});
});
