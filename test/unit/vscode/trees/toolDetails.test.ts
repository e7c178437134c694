import { expect, onTestFinished, test, vi } from 'vitest';
import { ToolDetails } from '../../../../src/vscode/trees/toolDetails.ts';
import { window } from '../editor.ts';
import { noAgents } from '../fixtures.ts';
import { openServers } from '../openServers.ts';

test('the focus stays in the view unless a row is double-clicked, so that its keys go on working', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	const opened = vi.spyOn(window, 'showTextDocument');
	onTestFinished(() => {
		vi.useRealTimers();
		opened.mockRestore();
	});
	const shown = await openServers(
		{ work: '{ "servers": { "files": { "command": "node" } } }' },
		{ files: ['read', 'write'] },
	);
	const confirmation = { verdict: () => ({ kind: 'asks' }) };
	const details = new ToolDetails(
		Promise.resolve({ ...shown, agents: noAgents(), confirmation: confirmation as never }),
	);
	onTestFinished(() => details.dispose());
	const click = (tool: string) => details.show(shown.toolNode('files', tool), 'row');
	await click('read');
	vi.advanceTimersByTime(600);
	await click('read');
	vi.advanceTimersByTime(100);
	await click('write');
	vi.advanceTimersByTime(100);
	await click('write');
	await details.show(shown.toolNode('files', 'read'), 'palette');
	const stays = opened.mock.calls.map((call) => (call as unknown[])[1]);
	expect(stays.map((options) => (options as { preserveFocus: boolean }).preserveFocus)).toEqual([
		true,
		true,
		true,
		false,
		false,
	]);
});
