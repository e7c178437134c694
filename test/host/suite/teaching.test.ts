import * as assert from 'node:assert/strict';
import {
	type ChatCompletionRequest,
	createServer,
	type FixtureResponse,
	type ServerInstance,
} from '@copilotkit/aimock';
import { after, before, describe, test } from 'mocha';
import * as vscode from 'vscode';
import { commands, ids } from '../../../src/vscode/ui/ids.ts';
import { askedTools, coined, describedTools } from '../../describedTools.ts';
import { answer, answerEach, pick, pickAll, restoreDialogs } from './dialogs.ts';
import {
	configUri,
	configureModel,
	eventually,
	invokeTool,
	newChat,
	serversListed,
	textOf,
	write,
} from './workspace.ts';

/** A model of the configuration, at an endpoint on this machine, that says what the test decides. */
let endpoint: ServerInstance;
let says: (request: ChatCompletionRequest) => FixtureResponse | Promise<FixtureResponse>;
const requests: ChatCompletionRequest[] = [];
let original: string;

const describesAll = (request: ChatCompletionRequest) => describedTools(askedTools(request));

/** Teaches the search as a user does who agrees. Returns the texts of all notifications. */
async function teach(): Promise<string[]> {
	requests.length = 0;
	pick('teacher');
	const shown = answerEach('showInformationMessage', ['Teach']);
	const failures = answer('showErrorMessage', undefined);
	await vscode.commands.executeCommand(commands.teachSearch);
	return [...shown, ...failures].map((args) => JSON.stringify(args));
}

/** Forgets all that was learned; how many tools that were. */
async function forget(reply?: string): Promise<string> {
	const asked = pickAll();
	answer('showErrorMessage', undefined);
	await vscode.commands.executeCommand(commands.forget);
	if (reply === 'Undo') await vscode.commands.executeCommand(commands.undo);
	return JSON.stringify(asked[0] ?? '');
}

/** Which tools a search finds for these words: what any chat of the editor is told. */
async function found(words: string): Promise<string> {
	return JSON.stringify(JSON.parse(await invokeTool(ids.searchTools, { query: words })).matches);
}

describe('given a model that can describe tools', () => {
	before(async () => {
		const response = (request: ChatCompletionRequest) => {
			requests.push(request);
			return says(request);
		};
		endpoint = await createServer([{ match: { predicate: () => true }, response }], { logLevel: 'silent' });
		await serversListed();
		original = await textOf(configUri());
		await configureModel(original, `${endpoint.url}/v1`, 'teacher');
	});
	after(async () => {
		restoreDialogs();
		await forget();
		await write(configUri(), original);
		await newChat();
		endpoint.server.closeAllConnections();
		endpoint.server.close();
	});

	test('when the user declines, then nothing is sent, and the question has shown what would be sent', async () => {
		says = describesAll;
		requests.length = 0;
		pick('teacher');
		const questions = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.teachSearch);
		assert.equal(requests.length, 0);
		const question = JSON.stringify(questions[0]);
		assert.match(question, /Teach search \d+ tools of 4 servers with “teacher”\?.*"modal":true/);
		assert.match(
			question,
			/servers’ names.*Nothing of your chats, files or settings.*About [\d.]+k tokens in and [\d.]+k out: ≈\$0\.\d+/,
		);
		assert.match(question, /"Choose Servers…"/);
	});

	test('when the user agrees, then each tool is described once and found by the model’s words', async () => {
		says = describesAll;
		const told = await teach();
		const tools = requests.flatMap(askedTools);
		assert.equal(new Set(tools).size, tools.length);
		assert.ok(tools.includes('git_blame') && tools.length > 50, `${tools.length} tools`);
		assert.match(told.at(-1) ?? '', new RegExp(`${tools.length} tools described\\.`));
		const text = await found(coined('git_blame'));
		assert.match(text, /git:git_blame/);
		const again = answer('showInformationMessage', undefined);
		await vscode.commands.executeCommand(commands.teachSearch);
		assert.match(String(again[0]?.[0]), /already knows all \d+ tools/);
	});

	test('when teaching is undone, then search is as before; forgetting can be undone, too', async () => {
		await vscode.commands.executeCommand(commands.undo);
		assert.doesNotMatch(await found(coined('git_blame')), /git:git_blame/);
		says = describesAll;
		await teach();
		assert.match(await forget('Undo'), /Descriptions by Language Models.*\d+ tools/);
		assert.match(await found(coined('git_blame')), /git:git_blame/);
		await forget();
		assert.doesNotMatch(await found(coined('git_blame')), /git:git_blame/);
	});

	test('when the command is run on something that is not a server, then nothing is asked or taught', async () => {
		const asked = [answer('showQuickPick', undefined), answer('showInformationMessage', undefined)];
		await vscode.commands.executeCommand(commands.teachSearch, { kind: 'faulty', name: 'nobody' });
		assert.deepEqual(asked, [[], []]);
	});

	test('when search is already being taught, then no second teaching starts', async () => {
		let second: Thenable<unknown> | undefined;
		says = async (request) => {
			second ??= vscode.commands.executeCommand(commands.teachSearch);
			await second;
			return describesAll(request);
		};
		const told = await teach();
		assert.equal(told.filter((text) => text.includes('is already being taught')).length, 1);
		assert.equal(new Set(requests.flatMap(askedTools)).size, requests.flatMap(askedTools).length);
		await forget();
	});

	test('when the provider fails, then its error is shown, and what was learned is kept', async () => {
		let answers = 0;
		says = (request) =>
			++answers > 3
				? { error: { message: 'The account has no credit.', type: 'billing' }, status: 402 }
				: describesAll(request);
		const told = await teach();
		assert.match(told.at(-1) ?? '', /stopped.*credit.*Descriptions saved for [2-4]\d of \d+ tools\./);
		const before = requests.slice(0, 3).flatMap(askedTools);
		says = describesAll;
		await teach();
		const rest = requests.flatMap(askedTools);
		assert.deepEqual(
			rest.filter((name) => before.includes(name)),
			[],
		);
		await forget();
	});

	test('when the user cancels, then what was learned is kept, and the next run continues with the rest', async () => {
		const { withProgress } = vscode.window;
		const stop = new vscode.CancellationTokenSource();
		const value: typeof withProgress = (options, task) =>
			withProgress.call(vscode.window, { ...options, cancellable: false }, (bar) =>
				task(bar as never, stop.token),
			) as never;
		Object.defineProperty(vscode.window, 'withProgress', { value, configurable: true, writable: true });
		try {
			says = async (request) => {
				if (requests.length > 3) {
					stop.cancel();
					await new Promise((resolve) => setTimeout(resolve, 100));
				}
				return describesAll(request);
			};
			const told = await teach();
			assert.match(
				told.join('\n'),
				/you stopped teaching search\. Descriptions saved for [1-4]\d of \d+ tools\./,
			);
		} finally {
			Object.defineProperty(vscode.window, 'withProgress', {
				value: withProgress,
				configurable: true,
				writable: true,
			});
		}
		says = describesAll;
		const first = requests.flatMap(askedTools).length;
		const told = await teach();
		assert.match(told[0] ?? '', /Skipping \d+ tools/);
		assert.ok(requests.flatMap(askedTools).length < first + 60);
		await forget();
	});

	test('when the ranking ignores descriptions, then an error says so, and nothing is sent', async () => {
		const withTeacher = await textOf(configUri());
		await write(
			configUri(),
			withTeacher.replace('"tool_discovery": {', '"tool_discovery": { "ranking": "okapi",'),
		);
		requests.length = 0;
		pick('teacher');
		const questions = answer('showInformationMessage', undefined);
		const failures = answer('showErrorMessage', undefined);
		await eventually('the ranking to be in force', async () => {
			await vscode.commands.executeCommand(commands.teachSearch);
			return /the ranking okapi .* ignores descriptions/.test(String(failures.at(-1)?.[0])) || undefined;
		});
		await write(configUri(), withTeacher);
		questions.length = 0;
		await eventually('the other ranking to be in force again', async () => {
			await vscode.commands.executeCommand(commands.teachSearch);
			return questions.length > 0 || undefined;
		});
		assert.equal(requests.length, 0);
	});
});
