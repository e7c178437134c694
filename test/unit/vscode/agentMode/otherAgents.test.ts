import { describe, expect, test } from 'vitest';
import { BoundedFolder } from '../../../../src/chat/boundedFolder.ts';
import { resultText, textResult } from '../../../../src/discovery/catalog/tool.ts';
import type { GatewayCall, GatewayTool } from '../../../../src/gateway/gatewayTools.ts';
import { OtherAgents } from '../../../../src/vscode/agentMode/otherAgents.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { noAgents, sessionsWith } from '../fixtures.ts';

type Parts = ConstructorParameters<typeof OtherAgents>[0];

/** A window whose server `files` has two tools. `callFor`: runs calls. */
function windowWith(callFor: Parts['calls']['callFor'] = async () => textResult('done')) {
	const sessions = sessionsWith(['read_file', 'write_file']);
	const uses = noAgents();
	const shown: { agent: string; tool: string; stop: () => void; isShown: boolean }[] = [];
	const agents = new OtherAgents({
		surface: { get: () => sessions.surface() } as Parts['surface'],
		listings: { wait: async () => [] } as unknown as Parts['listings'],
		calls: { callFor },
		uses,
		resultsFolder: new BoundedFolder(temporaryFolder()),
		largeResultBytes: () => 8_192,
		showLongCall: (agent, tool, stop) => {
			const call = { agent, tool, stop, isShown: true };
			shown.push(call);
			const dispose = () => {
				call.isShown = false;
			};
			return { dispose };
		},
	});
	const made = (tool: GatewayTool, input: object, more: Partial<GatewayCall> = {}, session = '1') =>
		agents.call({ session, name: 'codex' }, tool, input, {
			signal: new AbortController().signal,
			onProgress: () => {},
			...more,
		});
	return { uses, shown, made };
}

describe('given an agent', () => {
	test('when it searches, then the window knows what it found, and how much it read', async () => {
		const { uses, made } = windowWith();
		const answer = await made('search_tools', { query: 'read a file' });
		expect(resultText(answer)).toContain('files:read_file');
		expect([...(uses.all[0]?.tools.keys() ?? [])]).toContain('files:read_file');
		expect(uses.all[0]?.searchTokens).toBeGreaterThan(20);
	});

	test('when a session finds a tool again, then it is told so, and another session is not', async () => {
		const { made } = windowWith();
		const search = async (session: string) =>
			resultText(await made('search_tools', { query: 'select:files:read_file' }, {}, session));
		expect(await search('1')).toContain('Where it is');
		expect(await search('1')).toContain('As shown before.');
		expect(await search('2')).toContain('Where it is');
	});

	test('when its call runs, then it can be stopped, and the agent hears who did', async () => {
		const began = Promise.withResolvers<void>();
		const { uses, shown, made } = windowWith(async (_client, _input, { signal, onBegun }) => {
			onBegun?.('files:read_file');
			began.resolve();
			return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
		});
		const answer = made('call_tool', { tool: 'files:read_file' });
		await began.promise;
		expect(shown).toMatchObject([{ agent: 'codex', tool: 'files:read_file', isShown: true }]);
		expect(uses.all).toMatchObject([{ name: 'codex' }]);
		shown[0]?.stop();
		const stopped = await answer;
		expect(stopped.isError).toBe(true);
		expect(resultText(stopped)).toContain('The user stopped this call in VS Code.');
		expect(shown).toMatchObject([{ isShown: false }]);
	});

	test.each([
		['its server goes away', new Error("The server 'files' was removed."), /was removed/],
		['it fails with a text', 'broken', /broken/],
		['it fails without a reason', undefined, /./],
	])(
		'when its call cannot be made because %s, then it hears so, and the next one runs',
		async (_, reason, text) => {
			const failures = [reason];
			const { made } = windowWith(async () => {
				if (failures.length > 0) throw failures.pop();
				return textResult('done');
			});
			const failed = await made('call_tool', { tool: 'files:read_file' });
			expect(failed.isError).toBe(true);
			expect(resultText(failed)).toMatch(text);
			expect((await made('call_tool', { tool: 'files:read_file' })).isError).toBe(false);
		},
	);

	test.each([
		['no tool', {}],
		['a number as the tool', { tool: 7 }],
		['a list as the tool', { tool: ['files:read_file'] }],
		['a file of nobody', { tool: 'read_result', arguments: { file: '../../etc/passwd' } }],
		['a page of no file', { tool: 'read_result' }],
	])('when it calls %s, then it hears what is wrong, and nothing runs', async (_, input) => {
		const { made, uses } = windowWith();
		const wrong = await made('call_tool', input);
		expect(wrong.isError).toBe(true);
		expect(resultText(wrong)).toMatch(/Provide|has no file/);
		expect(uses.all).toEqual([]);
	});

	test('when it cancels its own call, then that is no stop by the user', async () => {
		const { made } = windowWith(
			(_client, _input, { signal }) =>
				new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
		);
		const gone = new AbortController();
		const answer = made('call_tool', { tool: 'files:read_file' }, { signal: gone.signal });
		const rejected = expect(answer).rejects.toThrow('gone');
		await Promise.resolve();
		gone.abort(new Error('gone'));
		await rejected;
	});

	test('when a result is large, then it gets the ends and reads the pages, which no other session can', async () => {
		const lines = Array.from({ length: 2_000 }, (_, i) => `line ${i}`);
		const { made } = windowWith(async () => textResult(lines.join('\n')));
		const cut = resultText(await made('call_tool', { tool: 'files:read_file' }));
		expect(cut).toContain('line 1999');
		expect(cut).not.toContain('line 1000\n');
		const [, file = ''] = /read_result \{"file":"([^"]+)"/.exec(cut) ?? [];
		const reading = (page: number, session?: string) =>
			made('call_tool', { tool: 'read_result', arguments: { file, page } }, {}, session);
		expect(resultText(await reading(2))).toMatch(/^\[Page 2 of 3 of [^\]]+\]\nline \d/);
		expect((await reading(9)).isError).toBe(true);
		const stranger = await reading(1, '2');
		expect(stranger.isError).toBe(true);
		expect(resultText(stranger)).toContain('Its files: none.');
	});

	test('when the user has disconnected it, then nothing is found or called, and it hears why', async () => {
		const calls: unknown[] = [];
		const { uses, made } = windowWith(async (...call) => {
			calls.push(call);
			return textResult('done');
		});
		uses.setDisconnected('codex', true);
		for (const tool of ['search_tools', 'list_tools', 'tool_details', 'call_tool'] as const) {
			const answer = await made(tool, { query: 'read', tool: 'files:read_file' });
			expect(answer.isError).toBe(true);
			expect(resultText(answer)).toContain('disconnected codex');
			expect(resultText(answer)).not.toContain('files:');
		}
		expect(calls).toEqual([]);
		uses.setDisconnected('codex', false);
		expect((await made('call_tool', { tool: 'files:read_file' })).isError).toBe(false);
	});
});
