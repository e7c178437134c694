import { describe, expect, test } from 'vitest';
import { KeptReads } from '../../../../src/chat/results/keptReads.ts';
import { ReadTexts } from '../../../../src/chat/results/readTexts.ts';
import { resultText, textResult } from '../../../../src/discovery/catalog/tool.ts';
import { ServerError } from '../../../../src/mcp/serverError.ts';
import type { CallPermission } from '../../../../src/vscode/participant/askToCall.ts';
import type { WaitingCall } from '../../../../src/vscode/participant/callQuestion.ts';
import { McpCallTool } from '../../../../src/vscode/participant/mcpCallTool.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { CancellationTokenSource, lm } from '../editor.ts';
import { sessionsWith } from '../fixtures.ts';

const allowed: CallPermission = { kind: 'allowed', by: 'user' };

/** Other chats call tools of the server `files`, and a user decides. */
function openChats(
	decide: (call: WaitingCall) => CallPermission | Promise<CallPermission> = () => allowed,
	failure?: Error,
) {
	const asked: WaitingCall[] = [];
	const made: [string, object][] = [];
	const servers = [{ name: 'files' }];
	const sessions = sessionsWith(['read', 'write']);
	const callTool = new McpCallTool({
		permissions: {
			onlyReads: () => true,
			decide: async (call: WaitingCall) => {
				asked.push(call);
				return decide(call);
			},
			verdict: () => ({ kind: 'asks' }),
		} as never,
		sessions,
		pool: {
			server: (name: string) => servers.find((one) => one.name === name),
			callTool: async (_: string, name: string, args: object) => {
				made.push([name, args]);
				if (failure) throw failure;
				return textResult(`called ${name}`);
			},
		} as never,
		sandbox: {
			validate: async (_: unknown, args: object) =>
				'pth' in args ? { kind: 'invalid', faults: ['pth is unknown'] } : { kind: 'valid' },
		} as never,
		reads: new ReadTexts(new KeptReads(temporaryFolder())),
		run: async () => {},
	});
	const { token } = new CancellationTokenSource();
	return {
		asked,
		made,
		servers,
		call: async (input: object) => {
			const result = await callTool.invoke(
				{ input, toolInvocationToken: undefined } as never,
				token as never,
			);
			return result.content.map((part) => (part as { readonly value: string }).value).join();
		},
		/** Our chat calls `files:read`; returns its result, and which servers it hears have failed. */
		ours: async () => {
			const failed: string[] = [];
			lm.answer = async ({ input }) => {
				await callTool.invoke({ input } as never, token as never);
				return 'done';
			};
			const { runTool } = callTool.ofTurn(undefined, 'ours', {
				onServerFailed: (server: string) => failed.push(server),
			} as never);
			const [tool] = sessions.surface().tools;
			const { signal } = new AbortController();
			const run = { signal, concerns: [], onProgress: () => {}, onBegun: () => {} };
			const result = await runTool(tool as never, { input: {} } as never, run);
			return { failed, text: resultText(result) };
		},
		/** A program outside the editor calls. */
		program: (input: object, signal = new AbortController().signal) =>
			callTool.callFor({ name: 'agent' } as never, input as never, { signal } as never),
	};
}

describe('given a call of another chat', () => {
	test('when the user allows it, then it is made by the tool’s id, with its arguments', async () => {
		const { call, made } = openChats();
		expect(await call({ tool: 'files:read', arguments: { path: 'a' } })).toBe('called read');
		expect(made).toEqual([['read', { path: 'a' }]]);
	});

	test('when an optional argument is null, then the user and the server see a call without it', async () => {
		const { call, program, asked, made } = openChats();
		await call({ tool: 'files:read', arguments: { path: null } });
		await program({ tool: 'files:read', arguments: { path: null } });
		expect(asked.map(({ args }) => args)).toEqual([{}, {}]);
		expect(made).toEqual([
			['read', {}],
			['read', {}],
		]);
	});

	test.each([
		['declined', /declined/],
		['never', /does not allow calls of files:read/],
	] as const)(
		'when the decision is “%s”, then it is not made, and the chat is told',
		async (kind, message) => {
			const { call, made } = openChats(() => ({ kind }));
			await expect(call({ tool: 'files:read' })).rejects.toThrow(message);
			expect(made).toEqual([]);
		},
	);

	test.each([
		['an unknown tool', { tool: 'files:reed' }, /reed/],
		['arguments that do not fit', { tool: 'files:read', arguments: { pth: 'a' } }, /pth is unknown/],
		['arguments that are a list', { tool: 'files:read', arguments: [] }, /must be an object/],
		['arguments as a text', { tool: 'files:read', arguments: '{}' }, /must be an object/],
	])('given %s, then it fails before the user is asked', async (_, input, message) => {
		const { call, asked } = openChats();
		await expect(call(input)).rejects.toThrow(message);
		expect(asked).toEqual([]);
	});

	test('when the server is removed while the user decides, then the error says so', async () => {
		const { call, servers, made } = openChats(() => {
			servers.length = 0;
			return allowed;
		});
		await expect(call({ tool: 'files:read' })).rejects.toThrow(
			/was removed from the configuration while this call waited/,
		);
		expect(made).toEqual([]);
	});
});

describe('given a call of our chat', () => {
	test.each([
		['its server crashes', new ServerError('files', 'crashed', 'Server "files" crashed.'), ['files']],
		['only the call fails', new ServerError('files', 'stream-cut', 'The answer was cut.'), []],
		['its tool fails', new Error('no such file'), []],
	])('when %s, then the chat hears whether the server has failed', async (_, failure, expected) => {
		const { failed, text } = await openChats(undefined, failure).ours();
		expect(failed).toEqual(expected);
		expect(text).toContain(failure.message);
	});
});

describe('given a program outside the editor that gives up before the user decides', () => {
	test('when it makes the same call again, then the decision counts, once, and not for another call', async () => {
		const decision = Promise.withResolvers<CallPermission>();
		const { program, asked, made } = openChats(() => decision.promise);
		const stop = new AbortController();
		const first = program({ tool: 'files:read', arguments: { path: 'a' } }, stop.signal);
		await expect.poll(() => asked.length).toBe(1);
		stop.abort(new Error('gave up'));
		await expect(first).rejects.toThrow();
		decision.resolve(allowed);
		await program({ tool: 'files:read', arguments: { path: 'a' } });
		expect([asked.length, made.length]).toEqual([1, 1]);
		await program({ tool: 'files:read', arguments: { path: 'b' } });
		expect([asked.length, made.length]).toEqual([2, 2]);
	});
});
