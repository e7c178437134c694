import { describe, expect, test } from 'vitest';
import type { OwnEvent } from '../../../../src/chat/loopEvent.ts';
import { errorResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import type { OutcomeHit, SearchOutcome } from '../../../../src/discovery/tools/findTools.ts';
import {
	agentAnswer,
	agentLine,
	agentProgress,
	eventLine,
	failedCallReason,
} from '../../../../src/vscode/participant/chatLines.ts';
import { surfaceOf } from '../../discovery/fixtures.ts';

test('preloaded tools are shown on one line, with the reason', () => {
	const tools = surfaceOf().deferred.slice(0, 2);
	expect(eventLine({ type: 'prefetched', reason: 'prefetch', tools })).toMatchSnapshot();
	expect(eventLine({ type: 'prefetched', reason: 'reference', tools: tools.slice(0, 1) })).toMatchSnapshot();
});

type Found = Extract<SearchOutcome, { ok: true }>;

const surface = surfaceOf();

function toolOf(wireName: string) {
	const tool = surface.get(wireName);
	if (!tool) throw new Error(`the office has no ${wireName}`);
	return tool;
}

function searchLine(outcome: SearchOutcome): string | undefined {
	return eventLine({ type: 'searchFinished', call: { id: '1', name: 'search_tools', input: {} }, outcome });
}

function line(more: Partial<Found>): string | undefined {
	const none = { hits: [], further: [], more: 0, missing: [], evicted: [] };
	return searchLine({ ok: true, kind: 'keyword', query: 'tell', searched: 6, ...none, ...more });
}

function hit(wireName: string, state: OutcomeHit['state'], confidence = 1): OutcomeHit {
	return { tool: toolOf(wireName), score: 1, state, confidence };
}

test('when a search finds tools, then its line groups them by outcome', () => {
	const hits = [
		hit('slack__send_message', 'loaded'),
		hit('slack__search', 'loaded', 0.3),
		hit('calendar__search', 'already-loaded'),
		hit('calendar__create_event', 'refused'),
	];
	expect(line({ hits })).toMatchSnapshot();
});

test('when searches follow each other, then the last line counts what all of them loaded, and names the best', () => {
	const hits = [hit('calendar__search', 'loaded'), hit('slack__send_message', 'already-loaded')];
	const none = { further: [], more: 0, missing: [] };
	const outcome: SearchOutcome = { ok: true, kind: 'select', query: '', searched: 6, hits, ...none };
	const event: OwnEvent = {
		type: 'searchFinished',
		call: { id: '1', name: 'search_tools', input: {} },
		outcome,
	};
	const earlier = [hit('slack__send_message', 'loaded'), hit('slack__search', 'loaded')];
	expect(eventLine(event, false, earlier)).toBe('$(search) Loaded `slack:send_message` and 2 more');
	expect(eventLine(event)).toBe('$(search) Found `calendar:search` and 1 more, 1 already loaded');
});

test('when a search has loaded tools, then its line is silent about further hits', () => {
	const further = [{ tool: toolOf('slack__search'), score: 1, confidence: 0.2 }];
	expect(line({ hits: [hit('slack__send_message', 'loaded')], further, more: 1 })).toMatchSnapshot();
});

test('when a search finds what is loaded, then its line says so', () => {
	expect(line({ hits: [hit('calendar__search', 'already-loaded')] })).toMatchSnapshot();
});

test.each([
	['Error: no such table. Did you mean “mails”?', 'Error\\: no such table\\.'],
	['', ''],
])('when a call fails, then the reason is the first sentence of: %s', (text, expected) => {
	expect(failedCallReason(errorResult(text))).toBe(expected);
	const event = { type: 'toolFinished', call, tool: toolOf('slack__search') } as const;
	expect(eventLine({ ...event, result: errorResult(text) })).toBeUndefined();
});

test('when a search has only uncertain hits, then its line says so and lists them', () => {
	const further = [{ tool: toolOf('slack__search'), score: 1, confidence: 0.2 }];
	expect(line({ further, more: 1 })).toMatchSnapshot();
});

describe('given a search without a match', () => {
	test('when some tool names are similar, then its line lists them as closest', () => {
		const nearest = { kind: 'spelling', tools: [toolOf('slack__search')] } as const;
		expect(line({ nearest })).toContain(': no match; closest: `slack:search`');
	});

	test('when no tool name is similar, then its line only says “no match”', () => {
		expect(line({ nearest: { kind: 'spelling', tools: [] } })).toMatch(/: no match$/);
	});
});

test('when the model selects unknown tools by name, then the line says “nothing found”', () => {
	expect(line({ kind: 'select' })).toMatch(/: nothing found$/);
});

test('when a search is invalid, then its line shows the reason', () => {
	expect(searchLine({ ok: false, query: '', message: "Unknown server '*x*'." })).toBe(
		"Unknown server '\\*x\\*'\\.",
	);
});

const call = { id: '1', name: 'run_agent', input: {} };
const [tool] = surfaceOf().tools;
const report = { text: 'All is well.', calls: 3, loaded: ['a:b', 'a:c'], tokens: 1234, ms: 4210 };

function shown(event: OwnEvent, ...agents: readonly string[]): string | undefined {
	return agentLine(event, agents)?.replaceAll('\\', '');
}

describe('the lines of an agent in the chat', () => {
	test('begin with its name and its task', () => {
		const event = { type: 'agentStarted', call, agent: 'clerk', task: 'Look it\nup.' } as const;
		expect(shown(event)).toBe('> $(hubot) **clerk** — Look it up.');
		expect(agentProgress(event, [])).toBe('clerk starts…');
	});

	test('end with its figures, and quote its answer', () => {
		const text = '## Done\n\n- **one**\n\n```ts\nlet open';
		expect(shown({ type: 'agentFinished', call, agent: 'clerk', report })).toMatchSnapshot();
		expect(agentAnswer({ ...report, text }, [])).toBe('> ## Done\n> \n> - **one**\n> \n> ```ts\n> let open');
		expect(agentAnswer({ ...report, text }, ['clerk'])).toMatch(/^> > ## Done\n> > \n/);
		const long = agentAnswer({ ...report, text: 'word '.repeat(100_000) }, []);
		expect(long?.length).toBeLessThan(17_000);
	});

	test('end with the reason if the agent stopped early', () => {
		const failed = { text: '', fault: 'The provider is gone.', calls: 0, loaded: [], ms: 100 };
		expect(shown({ type: 'agentFinished', call, agent: 'clerk', report: failed })).toMatchSnapshot();
	});

	test.each<[OwnEvent, string | undefined]>([
		[
			{ type: 'prefetched', reason: 'prefetch', tools: tool ? [tool] : [] },
			'$(search) Loaded for its task: `slack:send_message`',
		],
		[{ type: 'evicted', names: ['a:b'] }, 'Unloaded to make room: `a:b`'],
		[{ type: 'notice', text: 'Mind this.' }, '$(info) Mind this.'],
		[
			{ type: 'toolFinished', call, ...(tool && { tool }), result: errorResult('') },
			'$(error) `slack:send_message` failed',
		],
		[{ type: 'toolFinished', call, result: { ...errorResult(''), declined: true } }, undefined],
		[{ type: 'toolFinished', call, result: textResult('') }, undefined],
		[{ type: 'text', text: 'I think' }, undefined],
		[{ type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }, undefined],
		[{ type: 'end', reason: 'answered' }, undefined],
	])('show the event %j as: %s', (event, line) => {
		expect(shown(event, 'clerk')).toBe(line && `> **clerk** · ${line}`);
	});

	test('are quoted one level deeper for a nested agent', () => {
		const started = { type: 'agentStarted', call, agent: 'scout', task: 'Look.' } as const;
		expect(shown(started, 'clerk')).toBe('> > $(hubot) **scout** — Look.');
		expect(shown({ type: 'notice', text: 'Hm.' }, 'clerk', 'scout')).toBe('> > **scout** · $(info) Hm.');
		const searching = { type: 'searchStarted', call, searched: 7 } as const;
		expect(agentProgress(searching, ['clerk', 'scout'])).toMatchSnapshot();
	});
});
