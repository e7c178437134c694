import { expect, onTestFinished, test, vi } from 'vitest';
import { ToolDetails } from '../../../../src/vscode/trees/toolDetails.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { opened, Uri, window, workspace } from '../editor.ts';
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

test('a page that VS Code restores before its tool is known shows the tool as soon as it is open', async () => {
	const { details } = await openDetails();
	const uri = Uri.from({ scheme: ids.toolScheme, path: '/read.md', query: 'server=files&tool=read' });
	const changed: string[] = [];
	details.onDidChange(({ path }) => changed.push(path));
	const document = { uri, getText: () => 'This tool does not exist now.' };
	workspace.textDocuments = [document] as never;
	opened.fire(document);
	await expect.poll(() => changed).toEqual(['/read.md']);
	expect(await details.provideTextDocumentContent(uri as never)).toContain('# files\\:read');
});
