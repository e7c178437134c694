import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LoopEnd, LoopEvent } from '../../../../src/chat/loopEvent.ts';
import { Catalog, type CatalogTool } from '../../../../src/discovery/catalog/catalog.ts';
import { textResult } from '../../../../src/discovery/catalog/tool.ts';
import { ModelError, type ModelErrorReason } from '../../../../src/models/modelError.ts';
import { ChatRenderer } from '../../../../src/vscode/participant/chatRenderer.ts';
import { commands, ids } from '../../../../src/vscode/ui/ids.ts';
import { chatStream } from './chatStream.ts';

const tools = [{ server: 'files', name: 'read', inputSchema: { type: 'object' } }];
const read = new Catalog([{ name: 'files', tools }], 1).tools[0] as CatalogTool;
const call = { id: 'c1', name: read.wireName, input: { path: 'a' } };
const asked = {
	client: { name: 'local', file: 'file:///work/casual_mcp_config.json' },
	baseUrl: 'http://127.0.0.1:1/v1',
	message: 'hello',
} as unknown as NonNullable<ConstructorParameters<typeof ChatRenderer>[2]>;

/** Shows these events as an answer, of a configured model unless it is VS Code's. */
function answerOf(events: readonly LoopEvent[], { isOfEditor = false } = {}) {
	const { stream, lines, buttons } = chatStream();
	const renderer = new ChatRenderer(stream, 's1', isOfEditor ? undefined : asked);
	onTestFinished(() => renderer.dispose());
	for (const event of events) renderer.render(event);
	return { renderer, lines, buttons };
}

const finished = (text: string, isError = false): LoopEvent => ({
	type: 'toolFinished',
	call,
	tool: read,
	result: { ...textResult(text), isError },
});
const ending = (end: LoopEnd): LoopEvent => ({ type: 'end', ...end });
const answered = ending({ reason: 'answered' });
const failed = (reason: ModelErrorReason) =>
	ending({ reason: 'failed', error: new ModelError(reason, '[Click](command:evil) failed.') });
const byAgent = (event: LoopEvent): LoopEvent => ({ type: 'agentEvent', call, agent: 'scout', event });

describe('given a turn with thoughts and calls', () => {
	test('then the answer keeps their order, and the calls and the thinking follow as links', () => {
		const { lines, buttons } = answerOf([
			{ type: 'thinking', text: 'First' },
			{ type: 'retrying', afterMs: 1000, reason: 'busy' },
			{ type: 'thinking', text: 'Again' },
			{ type: 'text', text: 'I read it.' },
			{ type: 'toolStarted', call, tool: read },
			finished('no such file', true),
			{ type: 'thinking', text: 'Last' },
			answered,
		]);
		expect(lines).toMatchSnapshot();
		expect(buttons.at(-1)?.arguments?.[0]).toMatchSnapshot();
	});

	test('then links to calls run nothing but the command that shows them', () => {
		const stream = {
			markdown: vi.fn<(shown: { readonly isTrusted?: unknown }) => void>(),
			progress: () => {},
		};
		const renderer = new ChatRenderer(stream as never, 's1', undefined);
		renderer.render(finished('done'));
		renderer.render(answered);
		renderer.dispose();
		expect(stream.markdown.mock.calls.map(([{ isTrusted }]) => isTrusted)).toEqual([
			{ enabledCommands: [ids.showCall] },
		]);
	});

	test('then an agent’s thinking and text stay out of the answer, and its report has no icons of ours', () => {
		const { lines } = answerOf([
			{ type: 'agentStarted', call, agent: 'scout', task: 'Look $(x)' },
			byAgent({ type: 'thinking', text: 'secretly' }),
			byAgent({ type: 'text', text: 'aside' }),
			byAgent(finished('gone', true)),
			{
				type: 'agentFinished',
				call,
				agent: 'scout',
				report: { text: 'Found $(bug)', calls: 1, loaded: [], ms: 1000 } as never,
			},
			answered,
		]);
		expect(lines).toMatchSnapshot();
		expect(lines.join()).not.toMatch(/secretly|aside/);
		expect(lines.filter((line) => line.startsWith('⚙')).join()).not.toContain('$(bug)');
	});

	test('when searches follow each other, then the last counts what both loaded; after a call the count starts anew', () => {
		const searched: LoopEvent = {
			type: 'searchFinished',
			call,
			outcome: {
				...{ ok: true, kind: 'keyword', query: 'q', searched: 6, further: [], more: 0, missing: [] },
				hits: [{ tool: read, score: 1, state: 'loaded' }],
			},
		};
		const other = { ...read, id: 'files:write' } as typeof read;
		const second = {
			...searched,
			outcome: { ...searched.outcome, hits: [{ tool: other, score: 1, state: 'loaded' }] },
		};
		const { lines } = answerOf([searched, second as LoopEvent, finished('done'), second as LoopEvent]);
		expect(lines.filter((line) => line.includes('Loaded'))).toEqual([
			'⚙ $(search) Loaded `files:read`',
			'⚙ $(search) Loaded `files:read` and 1 more',
			'⚙ $(search) Loaded `files:write`',
		]);
	});

	test('when every request drops the same tool, then it is said once', () => {
		const dropped: LoopEvent = { type: 'toolDropped', name: 'a__b', reason: 'its schema is too large' };
		expect(answerOf([dropped, dropped]).lines).toHaveLength(1);
	});

	test('when a call reports its progress all the time, then one line shows it, every three seconds', () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const { renderer, lines } = answerOf([]);
		const at: number[] = [];
		const start = Date.now();
		for (let seconds = 0; seconds < 8; seconds++) {
			const before = lines[0];
			renderer.render({ type: 'toolProgress', call, tool: read, progress: `[${seconds}](x)` });
			if (lines[0] !== before) at.push((Date.now() - start) / 1000);
			vi.advanceTimersByTime(1000);
		}
		expect(at).toEqual([0, 3, 6]);
		expect(lines).toHaveLength(1);
		expect(lines[0]).not.toContain('[6](x)');
	});

	test('when the planner offers a call, then the button fills in what is known', () => {
		const { buttons } = answerOf([{ type: 'offer', tool: read, input: { path: 'a' } }]);
		expect(buttons).toEqual([
			expect.objectContaining({
				command: commands.runTool,
				arguments: [{ server: 'files', tool: 'read' }, { path: 'a' }],
			}),
		]);
	});
});

describe('given a turn that does not come to its end', () => {
	test.each<[string, LoopEvent, string | undefined]>([
		['the answer is cut', failed('cut'), 'workbench.action.chat.open'],
		['the conversation is too long', failed('contextTooLong'), undefined],
		['the user stops it', ending({ reason: 'cancelled' }), undefined],
		[
			'there were too many rounds',
			ending({ reason: 'roundLimit', rounds: 30 }),
			'workbench.action.chat.open',
		],
		[
			'the model repeats a call',
			ending({ reason: 'repeating', call, name: read.id }),
			'workbench.action.chat.open',
		],
		[
			'too many tools are loaded',
			ending({ reason: 'tooManyTools', tools: 200, limit: 128, discovers: true }),
			`${ids.serversView}.focus`,
		],
		[
			'too many tools are loaded without discovery',
			ending({ reason: 'tooManyTools', tools: 200, limit: 128, discovers: false }),
			commands.enableDiscovery,
		],
	])(
		'when %s, then the button leads to what helps, and nothing that others wrote is a link',
		(_, end, command) => {
			const { lines, buttons } = answerOf([{ type: 'text', text: 'half' }, end]);
			expect(buttons.map((button) => button.command)).toEqual(command === undefined ? [] : [command]);
			expect(lines.join()).not.toContain('](command:evil)');
		},
	);

	test('when a key is refused, then the button knows the client, and the message to send again', () => {
		expect(answerOf([failed('unauthorized')]).buttons[0]?.arguments).toEqual([asked.client, 'hello']);
	});

	test('when a model of VS Code refuses, then no button leads to our keys or configuration', () => {
		const { buttons } = answerOf([failed('unauthorized')], { isOfEditor: true });
		expect(buttons).toEqual([]);
	});
});

test('given a server that asks the user during a call, then the answer says how the user answered', () => {
	const { renderer, lines } = answerOf([]);
	renderer.question('files', 'asked');
	renderer.question('files', 'decline');
	expect(lines).toEqual([
		'progress files asks you something at the top of the window…',
		'⚙ $(question) You declined a question from files.',
	]);
});
