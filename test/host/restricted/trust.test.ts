import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'mocha';
import * as vscode from 'vscode';
import { settings } from '../../../src/vscode/ui/ids.ts';
import { ask } from '../suite/workspace.ts';

/** Command lines of this extension host's children, where the system tells them. */
function children(): string[] {
	return readdirSync('/proc')
		.filter((entry) => /^\d+$/.test(entry))
		.flatMap((pid) => {
			try {
				const parent = readFileSync(`/proc/${pid}/stat`, 'utf8')
					.replace(/^.*\) \S /s, '')
					.split(' ', 1)[0];
				return Number(parent) === process.pid ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
			} catch {
				return []; // Gone since it was listed.
			}
		});
}

describe('given an untrusted workspace, when VS Code has started', () => {
	test('then VS Code reports it as untrusted to extensions', () => {
		assert.equal(vscode.workspace.isTrusted, false);
	});

	test('then neither activation nor a message to @discovery starts a server', async function () {
		if (process.platform !== 'linux') this.skip();
		await vscode.extensions.getExtension('mcp-discovery.mcp-discovery')?.activate();
		const answer = await ask('create a file called hello.txt with the text Hello');
		assert.deepEqual(answer, { outcome: 'notReady' });
		const servers = children().filter((command) =>
			/modelcontextprotocol|git-mcp-server|reaper/.test(command),
		);
		assert.deepEqual(servers, []);
	});

	test('then nothing listens for other agents, even if the user lets them in', async () => {
		const listening = () =>
			process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
		const before = listening();
		const configuration = vscode.workspace.getConfiguration(settings.section);
		await configuration.update(settings.gateway, true, vscode.ConfigurationTarget.Global);
		// In a trusted workspace, it listens by then.
		await delay(2_000);
		assert.equal(listening(), before);
		await configuration.update(settings.gateway, undefined, vscode.ConfigurationTarget.Global);
	});
});
