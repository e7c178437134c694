import { expect, test } from 'vitest';
import { actionRunner } from '../../../../src/vscode/commands/runs.ts';
import { undoLast } from '../../../../src/vscode/placement/placement.ts';
import { messages } from '../editor.ts';
import { openServers } from '../openServers.ts';

test('when Undo comes while a change is under way, then it waits for that change and undoes it', async () => {
	const window = await openServers(
		{ work: '{ "servers": { "git": { "command": "node" } } }' },
		{ git: ['log'] },
	);
	const pinned = Promise.withResolvers<void>();
	const undone: string[] = [];
	const runs = {
		pinServer: async () => {
			await pinned.promise;
			return { label: 'pin git:log', undo: () => void undone.push('pin') };
		},
		undo: () => undoLast(window),
	};
	const run = actionRunner({ ...window, runs: runs as never, views: new Map() });
	const both = [run('pinServer', [window.toolNode('git', 'log')]), run('undo', [])];
	pinned.resolve();
	await Promise.all(both);
	expect([undone, messages]).toEqual([['pin'], ['Discovery: undone: pin git:log.']]);
});
