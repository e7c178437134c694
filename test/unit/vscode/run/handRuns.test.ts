import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { type Tool, type ToolResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import type { PermissionRule } from '../../../../src/mcp/accepted/permissions.ts';
import type { ServerPool } from '../../../../src/mcp/serverPool.ts';
import { checkValue } from '../../../../src/sandbox/checkValue.ts';
import { HandRuns } from '../../../../src/vscode/run/handRuns.ts';
import type { ShownRun } from '../../../../src/vscode/run/result.ts';
import { ids } from '../../../../src/vscode/ui/ids.ts';
import { ReadingDocuments } from '../../../../src/vscode/ui/readingEditor.ts';
import { CallConfirmation } from '../../../../src/vscode/ui/toolCalls.ts';
import { answers, messages, questions, ran, reopen, shown, Uri, works } from '../editor.ts';
import { statusOf } from '../fixtures.ts';

const write: Tool = {
	server: 'files',
	name: 'write',
	inputSchema: {
		type: 'object',
		properties: { path: { type: 'string' } },
		required: ['path'],
	},
};
const login: Tool = {
	...write,
	name: 'login',
	inputSchema: {
		type: 'object',
		properties: { token: { type: 'string', format: 'password' } },
		required: ['token'],
	},
};
const read: Tool = { ...write, name: 'read', annotations: { readOnlyHint: true } };
const pixel = { type: 'image', mimeType: 'image/png', data: 'aGk=' } as const;

const listed = (tool: Tool) => new Catalog([{ name: 'files', tools: [tool] }], 1).tools[0] as CatalogTool;

type CallTool = ServerPool['callTool'];

/** A user runs tools of the server `files` by hand. */
function openRuns({
	call = async () => textResult('written'),
	trustsHints = true,
}: {
	readonly call?: (
		args: object,
		options: NonNullable<Parameters<CallTool>[3]>,
	) => ToolResult | Promise<ToolResult>;
	readonly trustsHints?: boolean;
} = {}) {
	reopen();
	onTestFinished(reopen);
	const calls: object[] = [];
	const actions: unknown[] = [];
	const logged: string[] = [];
	let rule: PermissionRule | undefined;
	const documents = new ReadingDocuments<ShownRun>(ids.resultScheme, () => 'gone');
	const runs = new HandRuns(
		{
			pool: {
				server: () => statusOf('files', { state: { kind: 'stopped' } }),
				callTool: async (...[, , args, options]: Parameters<CallTool>) => {
					calls.push(args);
					return call(args, options ?? {});
				},
			} as never,
			sandbox: { validate: async (schema: unknown, value: unknown) => checkValue(schema, value) } as never,
			confirmation: new CallConfirmation({
				trustsHints: () => trustsHints,
				ruleFor: () => rule,
				knowsRules: () => true,
			}),
			log: { info: (line: string) => void logged.push(line) } as never,
			run: async (...action) => void actions.push(action),
		},
		documents,
	);
	onTestFinished(() => {
		runs.dispose();
		documents.dispose();
	});
	/** The user answers what is asked. */
	const run = (tool: Tool, replies: readonly string[]) => {
		answers.push(...replies);
		return runs.run(listed(tool));
	};
	return {
		run,
		runs,
		calls,
		actions,
		logged,
		/** The user decides about all calls. */
		decide: (decision: PermissionRule['decision'] | undefined) => {
			const facts = { server: 'files', scope: { kind: 'workspace' }, since: 1 } as const;
			rule = decision && ({ ...facts, decision } as PermissionRule);
		},
	};
}

const shownText = () => shown.at(-1)?.getText();

describe('given a tool that may change data', () => {
	test('when the user declines, then it does not run, and the next run starts with what was typed', async () => {
		const { run, calls } = openRuns();
		await run(write, ['a.txt']);
		expect(questions.at(-1)).toBe('path: a.txt');
		expect(messages).toEqual(['Run “write” from files? | Run']);
		expect(calls).toEqual([]);
		await run(write, ['b.txt', 'Run']);
		expect(questions).toContain('Run files:write: path (a.txt)');
		expect(calls).toEqual([{ path: 'b.txt' }]);
		expect(shownText()).toContain('written');
	});

	test('when a value is too long for the question, then the user can read all of it before the tool runs', async () => {
		const { run, calls } = openRuns();
		const long = `begin${' word'.repeat(80)} end`;
		await run(write, [long, 'Show All Arguments']);
		expect([questions.join(), messages.join()].join()).not.toContain(long);
		expect(shownText()?.replaceAll(/\s+/g, ' ')).toContain(long);
		// The second question is no dialog: the arguments are in the editor behind it.
		expect(messages.at(-1)).toBe('Discovery: Run “write” from files? | Run');
		expect(calls).toEqual([]);
	});

	test('when a value is secret, then neither question nor result shows it, and it is typed again the next time', async () => {
		const { run, calls } = openRuns();
		await run(login, ['s3cret', 'Run']);
		expect(calls).toEqual([{ token: 's3cret' }]);
		expect(questions).toContain('token: (hidden)');
		await run(login, ['other', 'Run']);
		expect(calls.at(-1)).toEqual({ token: 'other' });
		expect([...questions, ...messages, ...shown.map(({ getText }) => getText())].join()).not.toContain(
			's3cret',
		);
	});
});

describe('given what the user has decided about calls', () => {
	test('when calls are never allowed, then nothing is asked or run, even if that was decided only now', async () => {
		const { run, calls, decide } = openRuns();
		decide('never');
		await expect(run(write, ['a.txt'])).rejects.toThrow('files:write is blocked by your permission settings');
		expect([questions, calls]).toEqual([[], []]);
		decide(undefined);
		answers.length = 0;
		const running = run(write, ['a.txt', 'Run']);
		decide('never');
		await expect(running).rejects.toThrow('blocked');
		expect(calls).toEqual([]);
	});

	test('when calls are allowed, then it runs without a question, and the log names the rule', async () => {
		const { run, calls, decide, logged } = openRuns();
		decide('allow');
		await run(write, ['a.txt']);
		expect([messages, calls]).toEqual([[], [{ path: 'a.txt' }]]);
		expect(logged).toEqual([expect.stringContaining('run of files:write let through by the rule')]);
	});

	test.each([true, false])(
		'when the server marks it as read-only (trusted: %s), then entering arguments is consent',
		async (trustsHints) => {
			const { run, calls } = openRuns({ trustsHints });
			await run(read, ['a.txt']);
			expect([messages, calls]).toEqual([[], [{ path: 'a.txt' }]]);
		},
	);
});

describe('given a call that does not end well', () => {
	test('when the server is down, then the user can start it, and the call is not repeated', async () => {
		const { run, calls, actions } = openRuns({ call: async () => Promise.reject(new Error('it is gone')) });
		await run(read, ['a.txt', 'Start Server']);
		await vi.waitFor(() => expect(actions).toEqual([['startServer', { server: 'files' }]]));
		expect(messages).toEqual(['Discovery: it is gone | Start Server | Show Log']);
		expect([calls.length, shown]).toEqual([1, []]);
	});

	test('when the user stops it, then the server is told, and nothing more is said', async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const { run } = openRuns({
			call: (_, { signal }) =>
				new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
		});
		const running = run(read, ['a.txt']);
		await vi.advanceTimersByTimeAsync(500);
		works[0]?.cancel();
		await running;
		expect([messages, shown]).toEqual([[], []]);
	});

	test('when it needs a sign-in, then the user is asked, unless signing in has just failed', async () => {
		const { run, actions } = openRuns({
			call: async (_, { onSignIn }) => {
				onSignIn?.(new Error('needs a sign-in') as never);
				onSignIn?.(new Error('the sign-in failed', { cause: 'refused' }) as never);
				return textResult('');
			},
		});
		await run(read, ['a.txt']);
		expect(actions).toEqual([['signIn', { server: 'files' }]]);
		expect(messages.join()).toContain('the sign-in failed');
	});
});

test('given a call of a chat in the editor, when the user runs its tool again, then it starts with that call’s arguments', async () => {
	const { run, runs, calls } = openRuns();
	await expect(runs.runAgain(Uri.file('/gone') as never)).rejects.toThrow('no longer available');
	await run(read, ['a.txt']);
	const tool = listed(read);
	await runs.show({ tool, args: { path: 'of the chat' }, result: textResult('read') });
	answers.push('b.txt');
	await runs.runAgain(shown.at(-1)?.uri as never);
	expect(questions).toContain('Run files:read: path (of the chat)');
	expect(calls).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }]);
});

test('given a result with an image, then it opens beside the text, and can be saved or opened', async () => {
	const { run } = openRuns({ call: () => ({ content: [pixel], isError: false }) });
	await run(read, ['a.txt', 'Open']);
	await vi.waitFor(() => expect(ran.map(([command]) => command)).toEqual(['vscode.open', 'vscode.open']));
	expect(messages).toEqual(['Discovery: the result contains 1 file. | Open | Save…']);
	expect(shownText()).toContain('image/png');
});
