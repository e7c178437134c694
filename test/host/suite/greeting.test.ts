import * as assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'mocha';
import { activated, ask, newChat, serversListed } from './workspace.ts';

describe('given the example workspace, when the user sends @discovery an empty message', () => {
	before(serversListed);
	beforeEach(newChat);

	test('then the chat greets without asking a model', async () => {
		const answer = await ask('');
		assert.deepEqual(answer, { outcome: 'greeted' });
	});

	test('then an ongoing chat continues after the greeting', async () => {
		const first = await ask('/load memory:read_graph');
		assert.deepEqual(await ask(''), { outcome: 'greeted' });
		const last = await ask('/load git:git_log');
		assert.equal(last.session?.id, first.session?.id);
		assert.deepEqual(activated(last), ['memory__read_graph', 'git__git_log']);
	});
});
