import { expect, onTestFinished, test, vi } from 'vitest';
import { ToolDetails } from '../../../../src/vscode/trees/toolDetails.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { Uri, window } from '../editor.ts';
import { noAgents } from '../fixtures.ts';
import { openServers } from '../openServers.ts';

async function openDetails() {
	const shown = await openServers(
		{ work: '{ "servers": { "files": { "command": "node" } } }' },
		{ files: ['read', 'write'] },
	);
	const confirmation = { verdict: () => ({ kind: 'asks' }) };
	const details = new ToolDetails(
		Promise.resolve({ ...shown, agents: noAgents(), confirmation: confirmation as never }),
	);
	onTestFinished(() => details.dispose());
	return { ...shown, details };
}

test('the focus stays in the view unless a row is double-clicked, so that its keys go on working', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	const opened = vi.spyOn(window, 'showTextDocument');
	onTestFinished(() => {
		vi.useRealTimers();
		opened.mockRestore();
	});
	const { details, toolNode } = await openDetails();
	const click = (tool: string) => details.show(toolNode('files', tool), 'row');
	await click('read');
	vi.advanceTimersByTime(600);
	await click('read');
	vi.advanceTimersByTime(100);
	await click('write');
	vi.advanceTimersByTime(100);
	await click('write');
	await details.show(toolNode('files', 'read'), 'palette');
	const stays = opened.mock.calls.map((call) => (call as unknown[])[1]);
	expect(stays.map((options) => (options as { preserveFocus: boolean }).preserveFocus)).toEqual([
		true,
		true,
		true,
		false,
		false,
	]);
});

test('a page that VS Code restores waits for its tool, but not for ever', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
	const { details, sessions } = await openDetails();
	const page = (tool: string) =>
		details.provideTextDocumentContent(
			Uri.from({ scheme: ids.toolScheme, path: '/page.md', query: `server=files&tool=${tool}` }) as never,
		);
	const known = page('later');
	const unknown = page('never');
	await vi.advanceTimersByTimeAsync(1_000);
	const tools = [{ server: 'files', name: 'later', inputSchema: { type: 'object' } }];
	sessions.setCatalog([{ name: 'files', tools }]);
	expect(await known).toContain('# files\\:later');
	await vi.advanceTimersByTimeAsync(5_000);
	expect(await unknown).toContain('does not exist');
});
