import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { ask, configUri, eventually, fileUri, newChat, serversListed, textOf, write } from './workspace.ts';

/** How much longer than the others a server may take before a message goes without it; see `firstListings.ts`. */
const HANGING_WAIT_MS = 2_000;

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
		const script = "require('fs').writeFileSync('hangs-by-now', ''); setInterval(() => {}, 1000)";
		const hanging = `"hangs": { "command": "node", "args": ["-e", ${JSON.stringify(script)}] },`;
		await write(configUri(), original.replace('"servers": {', `"servers": { ${hanging}`));
		await newChat();
		await eventually('the server to be started', () => existsSync(fileUri('hangs-by-now').fsPath));
	});
	after(() => write(configUri(), original));

	it('then one message waits for it, and no other', async () => {
		const first = await millisecondsOf('read the file docs/architecture.md');
		// Any one of them may be slow for other reasons; a wait would make all of them slow.
		const later: number[] = [];
		for (let i = 0; i < 4; i++) later.push(await millisecondsOf('read the file notes/shopping.md'));
		assert.ok(
			Math.min(...later) < first - HANGING_WAIT_MS / 2,
			`the first took ${first} ms, the others ${later.join(', ')} ms`,
		);
	});
});
