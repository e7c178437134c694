import * as assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { activated, ask, logOf, newChat, serversListed } from './workspace.ts';

describe('given the example workspace, when a person writes to @discovery', () => {
	before(serversListed);
	beforeEach(newChat);

	it('then it loads and calls a tool that only reads, without asking', async () => {
		const answer = await ask('read the file docs/architecture.md');
		assert.ok(activated(answer).includes('filesystem__read_text_file'), activated(answer).join());
		assert.equal(answer.called?.length, 1);
		assert.match(answer.called?.[0] ?? '', /^filesystem__read/);
	});

	it('then what one message loads stays loaded for the next', async () => {
		const first = await ask('/load memory:read_graph');
		const second = await ask('/load git:git_log');
		assert.equal(second.session?.id, first.session?.id);
		assert.deepEqual(activated(second), ['memory__read_graph', 'git__git_log']);
	});

	it('then another chat begins with nothing loaded', async () => {
		const first = await ask('/load memory:read_graph');
		await newChat();
		const other = await ask('/context');
		assert.notEqual(other.session?.id, first.session?.id);
		assert.deepEqual(activated(other), []);
	});

	it('then /unload and /reset take back what was loaded', async () => {
		await ask('/load memory:read_graph git:git_log git:git_show');
		assert.deepEqual(activated(await ask('/unload git_log')), ['memory__read_graph', 'git__git_show']);
		assert.deepEqual(activated(await ask('/reset')), []);
	});

	it('then /find names tools without loading them', async () => {
		assert.deepEqual(activated(await ask('/find read a file')), []);
	});

	it('then a toolset hides the other tools from load and search', async () => {
		const chosen = await ask('/toolset reading');
		assert.equal(logOf(chosen).seen.toolset?.name, 'reading');
		assert.deepEqual(activated(await ask('/load filesystem:write_file')), []);
		assert.deepEqual(activated(await ask('/load filesystem:read_text_file')), ['filesystem__read_text_file']);
		assert.equal(logOf(await ask('/toolset none')).seen.toolset?.name, undefined);
		assert.ok(activated(await ask('/load filesystem:write_file')).includes('filesystem__write_file'));
	});
});
