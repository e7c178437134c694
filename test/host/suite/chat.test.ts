import * as assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'mocha';
import { activated, ask, newChat, serversListed } from './workspace.ts';

describe('given the example workspace, when the user writes to @discovery', () => {
	before(serversListed);
	beforeEach(newChat);

	test('then loaded tools stay loaded for the next message, also after a greeting, and a new chat starts with none', async () => {
		const first = await ask('/load memory:read_graph');
		assert.deepEqual(await ask(''), { outcome: 'greeted' });
		const second = await ask('/load git:git_log');
		assert.equal(second.session?.id, first.session?.id);
		assert.deepEqual(activated(second), ['memory__read_graph', 'git__git_log']);
		await newChat();
		const other = await ask('/context');
		assert.notEqual(other.session?.id, first.session?.id);
		assert.deepEqual(activated(other), []);
	});
});
