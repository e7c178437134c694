import * as assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import {
	answer,
	answerCalls,
	answerEach,
	answerReviews,
	closeReview,
	pick,
	restoreDialogs,
	shownReview,
} from './dialogs.ts';
import {
	activated,
	ask,
	configUri,
	eventually,
	fileUri,
	newChat,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

/** Seen from the bundle of this file, in `dist/test/suite`. */
const program = path.resolve(import.meta.dirname, '../../../test/servers/programs/describedServer.ts');

/** That of tools' definitions, see package.json. */
const language = 'mcp-tool-definition';

/** The editor's own Node may be too old for TypeScript. */
const projectNode = path.resolve(import.meta.dirname, '../../../node_modules/node/bin/node');

const run = (command: string, ...args: readonly unknown[]) =>
	vscode.commands.executeCommand(command, ...args);
const rewritten = { server: 'rewritten', tool: 'get' };

/** What the server lists from its next start on. */
async function describeTool(description: string): Promise<void> {
	const tools = [{ name: 'get', description, inputSchema: { type: 'object' } }];
	await write(fileUri('rewritten.json'), JSON.stringify(tools));
}

/** Whether a new chat can load the tool. */
async function isFound(): Promise<boolean> {
	await newChat();
	return activated(await ask('/load rewritten:get')).includes('rewritten__get');
}

/** An accepted change leaves no difference open that looks like one to accept. */
const noDifference = () =>
	eventually('the difference to be closed', () => {
		const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		return !tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff) || undefined;
	});

/** The server starts anew as another one; returns what the user is told of that. */
async function changeTool(description: string): Promise<unknown[][]> {
	await describeTool(description);
	const warnings = answer('showWarningMessage', undefined);
	await run(commands.restartServer, { server: rewritten.server });
	await eventually('the user to be told', () => warnings.length > 0 || undefined);
	return warnings;
}

describe('given a tool that changes after it was approved', () => {
	let original: string;

	before(async () => {
		original = await textOf(configUri());
		await describeTool('Reads the weather');
		const files = ['rewritten.json', 'rewritten.pids'].map((name) => fileUri(name).fsPath);
		const entry = JSON.stringify({ command: projectNode, args: [program, ...files], defer_loading: true });
		await write(configUri(), original.replace('"servers": {', `"servers": { "rewritten": ${entry},`));
		await eventually('the tool to be found', async () => (await isFound()) || undefined);
	});
	afterEach(async () => {
		restoreDialogs();
		await run('workbench.action.closeAllEditors');
	});
	after(() => write(configUri(), original));

	test('then it is not found until the user, who is warned, sees the difference and accepts it there', async () => {
		const warnings = await changeTool('Deletes the weather');
		assert.match(String(warnings[0]?.[0]), /“get” of “rewritten” has changed since you approved it/);
		assert.deepEqual(warnings[0]?.slice(1), ['Review…']);

		await run(commands.reviewChanges, rewritten);
		const { input, label } = await eventually('the difference', () => {
			const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
			return tab?.input instanceof vscode.TabInputTextDiff ? tab : undefined;
		});
		assert.equal(label, 'get: accepted ↔ now');
		assert.ok(input instanceof vscode.TabInputTextDiff);
		assert.equal(input.modified.scheme, ids.definitionScheme);
		const { modified, original } = input;
		const wraps = vscode.workspace.getConfiguration('editor', { uri: modified, languageId: language });
		assert.equal(wraps.get('wordWrap'), 'on');
		const sides = await Promise.all(
			[original, modified].map((uri) => vscode.workspace.openTextDocument(uri)),
		);
		assert.deepEqual(
			sides.map(({ languageId }) => languageId),
			[language, language],
		);
		const [accepted, now] = sides.map((side) => side.getText());
		assert.match(accepted ?? '', /Reads the weather/);
		assert.equal(now, accepted?.replace('Reads', 'Deletes'));

		answer('showErrorMessage', undefined);
		await run(commands.acceptChange, undefined, undefined);
		assert.equal(await isFound(), false, 'a row that is being redrawn is not the open difference');
		await run(commands.acceptChange, input.modified);
		await noDifference();
		assert.ok(await isFound());
	});

	test('when its server is reviewed, then the difference opens, and the tool can also be accepted by its row', async () => {
		await changeTool('Sells the weather');
		const lists = answer('showQuickPick', undefined);
		answer('showErrorMessage', undefined);
		await run(commands.reviewChanges, undefined, undefined);
		assert.deepEqual(lists, [], 'a row that is being redrawn asks nothing');
		await run(commands.reviewChanges, { server: 'rewritten' });
		await eventually(
			'the difference',
			() =>
				vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff ||
				undefined,
		);
		assert.equal(await isFound(), false);
		await run(commands.acceptChange, rewritten);
		await noDifference();
		assert.ok(await isFound());
	});
});

describe('given a call that may change data', () => {
	const row = { kind: 'tool', tool: { server: 'filesystem', name: 'write_file' } };
	const writeFile = (path: string) =>
		vscode.lm.invokeTool(ids.callTool, {
			input: { tool: 'filesystem:write_file', arguments: { path, content: 'x' } },
			toolInvocationToken: undefined,
		});
	const isWritten = (name: string) => existsSync(fileUri(name).fsPath);

	before(serversListed);
	afterEach(restoreDialogs);
	after(newChat);

	test('then the user is asked in a dialog, and nothing is written before or without approval', async () => {
		assert.ok(vscode.lm.tools.some(({ name }) => name === 'vscode_get_confirmation_with_options'));
		const asked = answerCalls('Skip', 'something else', '');
		for (const _ of [1, 2, 3]) await assert.rejects(async () => writeFile('not.txt'), /declined/);
		assert.equal(isWritten('not.txt'), false);
		assert.match(asked[0]?.title ?? '', /^Run “write_file” from filesystem\?$/);
		assert.match(
			asked[0]?.message.replaceAll('\u200b', '') ?? '',
			/^`filesystem:write_file`\n\nMay delete or overwrite data\..*not\.txt/s,
		);
		// Of a chat that is not ours nothing is known, so that nothing can be allowed for it.
		assert.deepEqual(asked[0]?.buttons, [
			'Allow Once',
			'Always Allow in This Workspace',
			'Never Allow in This Workspace',
		]);
	});

	test('then “once” allows one call, and “always” allows all calls in every chat', async () => {
		const asked = answerCalls('Allow Once', 'Always Allow in This Workspace');
		for (const name of ['one.txt', 'two.txt', 'three.txt']) await writeFile(name);
		assert.equal(asked.length, 2);
		assert.ok(['one.txt', 'two.txt', 'three.txt'].every(isWritten));
		await newChat();
		const { called } = await ask('create a file called four.txt with the text four');
		assert.deepEqual(called, ['filesystem__write_file']);
		assert.equal(asked.length, 2);
		assert.ok(isWritten('four.txt'));
	});

	test('then the list shows the rule; revoking it makes the call ask again, and undo restores it', async () => {
		const lists = answerEach('showQuickPick', []);
		await run(commands.managePermissions, row);
		const [items] = lists[0] as [readonly vscode.QuickPickItem[]];
		assert.deepEqual(
			items.map(({ label, description }) => [label, description]),
			[['filesystem:write_file', 'always allowed']],
		);
		const revoke = async () => {
			pick('filesystem:write_file');
			await run(commands.managePermissions);
		};
		await revoke();
		await run(commands.undo);
		const asked = answerCalls('Skip');
		await writeFile('five.txt');
		assert.equal(asked.length, 0);
		await revoke();
		await assert.rejects(async () => writeFile('six.txt'), /declined/);
		assert.equal(asked.length, 1);
		assert.equal(isWritten('six.txt'), false);
	});

	test('then text from a server needs approval before it goes to another server, whatever is allowed', async () => {
		const secret = 'The alarm of the house goes off with the code 4711, ask Ada.';
		await write(fileUri('house.txt'), `Bins: Monday\n${secret}\n`);
		const call = (tool: string, args: object) =>
			vscode.lm.invokeTool(ids.callTool, {
				input: { tool, arguments: args },
				toolInvocationToken: undefined,
			});
		const note = (text: string) =>
			call('memory:create_entities', {
				entities: [{ name: 'House', entityType: 'place', observations: [text] }],
			});
		const asked = answerCalls('Always Allow in This Workspace', 'Skip', 'Skip');
		await note('Old.');
		await note('Not new.');
		await call('filesystem:read_text_file', { path: fileUri('house.txt').fsPath });
		assert.equal(asked.length, 1);
		await assert.rejects(async () => note(secret), /declined/);
		assert.match(asked[1]?.message ?? '', /Contains text from `filesystem`: “The alarm/);
		assert.match(asked[1]?.message ?? '', /have read results from [^.]*filesystem/);
		assert.deepEqual(asked[1]?.buttons, ['Allow Once', 'Never Allow in This Workspace']);
		const missing = 'the-garden-gate-opens-with-the-number-0815';
		await assert.rejects(async () => call('filesystem:read_text_file', { path: fileUri(missing).fsPath }));
		await assert.rejects(async () => note(missing.toUpperCase().replaceAll('-', ' ')), /declined/);
		assert.match(asked[2]?.message ?? '', /Contains text from `filesystem`: “THE GARDEN/);
		pick('memory:create_entities');
		await run(commands.managePermissions, { server: 'memory' });
	});

	test('then “never” is reported to the model, and can be revoked at the server', async () => {
		const asked = answerCalls('Never Allow in This Workspace', 'Allow Once');
		for (const _ of [1, 2])
			await assert.rejects(
				async () => writeFile('ten.txt'),
				/The user does not allow calls of filesystem:write_file/,
			);
		assert.equal(asked.length, 1);
		assert.equal(isWritten('ten.txt'), false);
		pick('filesystem:write_file');
		await run(commands.managePermissions, { server: 'filesystem' });
		await writeFile('ten.txt');
		assert.equal(asked.length, 2);
	});
});

describe('given an approved server that gets an address and a key from .env', () => {
	const proof = () => fileUri('started-with-dotenv').fsPath;
	const dotenv = (address: string, key: string) =>
		write(fileUri('.env'), `SERVICE_URL=https://${address}.example\nSERVICE_TOKEN=${key}\n`);
	const keys = ['Zq8fK2mWv5tLp9RxB3nY', 'Hd7cJ4sGb6uNe1TaM0wX'] as const;
	/** What the review shows of the server, with what has changed. */
	const shownDetails = () => {
		const servers = shownReview()?.files.flatMap((file) => file.servers) ?? [];
		const details = servers.find(({ name }) => name === 'service')?.details ?? [];
		return details.map(({ change, text }) => `${change} ${text}`).join('\n');
	};
	let original: string;

	before(async () => {
		original = await textOf(configUri());
		await dotenv('good', keys[0]);
		const env = { SERVICE_URL: `\${env:SERVICE_URL}`, SERVICE_TOKEN: `\${env:SERVICE_TOKEN}` };
		const entry = JSON.stringify({ command: 'touch', args: ['started-with-dotenv'], env });
		await write(configUri(), original.replace('"servers": {', `"servers": { "service": ${entry},`));
		await eventually('the server to start', () => existsSync(proof()) || undefined);
	});
	after(async () => {
		closeReview();
		answerReviews('approve');
		restoreDialogs();
		await write(configUri(), original);
		await vscode.workspace.fs.delete(fileUri('.env'));
	});

	for (const [what, change, shown] of [
		['the address', () => dotenv('evil', keys[0]), /gone .*good\.example.*\nadded .*evil\.example/],
		['the key', () => dotenv('good', keys[1]), /added A value that is shown as \*\*\* has changed/],
	] as const)
		test(`when ${what} changes there, then it does not start again, and the review shows what has changed`, async () => {
			answerReviews('ignore');
			await change();
			await eventually('the review', () => {
				void run(commands.reviewServers);
				return shown.test(shownDetails()) || undefined;
			});
			rmSync(proof(), { force: true });
			await run(commands.restartServer, { server: 'service' }).then(undefined, () => {});
			assert.ok(!existsSync(proof()));
			for (const key of keys) assert.ok(!JSON.stringify(shownReview()).includes(key));
		});
});
