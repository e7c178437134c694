import * as assert from 'node:assert/strict';
import { describe, test } from 'mocha';
import * as vscode from 'vscode';

const EXTENSION_ID = 'mcp-discovery.mcp-discovery';

interface ContributedCommand {
	readonly command: string;
}

function findExtension(): vscode.Extension<unknown> {
	const extension = vscode.extensions.getExtension(EXTENSION_ID);
	assert.ok(extension, `${EXTENSION_ID} is installed`);
	return extension;
}

describe('given a trusted workspace with a configuration, when VS Code has started', () => {
	test('then the extension activates', async () => {
		const extension = findExtension();
		await extension.activate();
		assert.equal(extension.isActive, true);
	});

	test('then every command in package.json is registered', async () => {
		const extension = findExtension();
		await extension.activate();
		const promised: readonly ContributedCommand[] = extension.packageJSON.contributes.commands;
		const registered = new Set(await vscode.commands.getCommands(true));
		const missing = promised.map(({ command }) => command).filter((command) => !registered.has(command));
		assert.deepEqual(missing, []);
	});
});
