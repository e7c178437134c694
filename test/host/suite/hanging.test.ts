import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'mocha';
import { ask, configUri, eventually, fileUri, newChat, serversListed, textOf, write } from './workspace.ts';

describe('given a server that hangs during its handshake', () => {
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

	// How long the first message waits for it, and that no other does, is told by the clock of `listingWait.test.ts`.
	test('then a message is still answered', async () => {
		const answer = await ask('read the file docs/architecture.md');
		assert.deepEqual(answer.called, ['filesystem__read_text_file']);
	});
});
