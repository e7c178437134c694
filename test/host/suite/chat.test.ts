import * as assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { activated, ask, newChat, serversListed } from './workspace.ts';

describe('given the example workspace, when a person writes to @discovery', () => {
	before(serversListed);
	beforeEach(newChat);

	it('then it loads and calls a tool that only reads, without asking', async () => {
		const answer = await ask('read the file docs/architecture.md');
		assert.ok(activated(answer).includes('filesystem__read_text_file'), activated(answer).join());
		assert.equal(answer.called?.length, 1);
		assert.match(answer.called?.[0] ?? '', /^filesystem__read/);
	});

	it('then what one message loads stays loaded for the next, and another chat begins with nothing loaded', async () => {
		const first = await ask('/load memory:read_graph');
		const second = await ask('/load git:git_log');
		assert.equal(second.session?.id, first.session?.id);
		assert.deepEqual(activated(second), ['memory__read_graph', 'git__git_log']);
		await newChat();
		const other = await ask('/context');
		assert.notEqual(other.session?.id, first.session?.id);
		assert.deepEqual(activated(other), []);
	});
});
