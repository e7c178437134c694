import * as assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { ask, configUri, newChat, serversListed, textOf, write } from './workspace.ts';

async function millisecondsOf(message: string): Promise<number> {
	const started = performance.now();
	const answer = await ask(message);
	assert.equal(answer.called?.length, 1);
	return performance.now() - started;
}

describe('given a server that hangs in its handshake', () => {
	let original: string;
	before(async () => {
		await serversListed();
		original = await textOf(configUri());
		const hanging = '"hangs": { "command": "node", "args": ["-e", "setInterval(() => {}, 1000)"] },';
		await write(configUri(), original.replace('"servers": {', `"servers": { ${hanging}`));
		await newChat();
	});
	after(() => write(configUri(), original));

	it('then one message waits for it, and no other', async () => {
		await new Promise((resolve) => setTimeout(resolve, 1000));
		const first = await millisecondsOf('read the file docs/architecture.md');
		// Any one of them may be slow for other reasons; a wait would make all of them slow.
		const later: number[] = [];
		for (let i = 0; i < 4; i++) later.push(await millisecondsOf('read the file notes/shopping.md'));
		assert.ok(
			Math.min(...later) < first / 2,
			`the first took ${first} ms, the others ${later.join(', ')} ms`,
		);
	});
});
