import * as assert from 'node:assert/strict';
import { describe, test } from 'mocha';
import * as vscode from 'vscode';
import { ids } from '../../../src/vscode/ui/ids.ts';
import { configUri, eventually, textOf, write } from '../suite/workspace.ts';

const entries = `
	"clients": { "loop": { "provider": "openai", "base_url": "http://127.0.0.1:9/v1" } },
	"models": {
		"local": { "client": "loop", "model": "gpt-4.1" },
		"misspelt": { "client": "lop", "model": "gpt-4.1" },
	},
	"servers": {`;

describe('given an untrusted workspace whose configuration has a model', () => {
	test('when the file has been read, then its model is not offered, so that no data leaves the machine', async () => {
		await write(configUri(), (await textOf(configUri())).replace('"servers": {', entries));
		await eventually('its fault to be marked', () => {
			const faults = vscode.languages.getDiagnostics(configUri());
			return faults.some(({ message }) => message.includes('lop')) ? true : undefined;
		});
		const models = await vscode.lm.selectChatModels({ vendor: ids.vendor });
		assert.deepEqual(
			models.map(({ id }) => id),
			['offline-planner'],
		);
	});
});
