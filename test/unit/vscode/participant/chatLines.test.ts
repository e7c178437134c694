import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../../../src/chat/loopEvent.ts';
import { errorResult, textResult } from '../../../../src/discovery/catalog/tool.ts';
import type { OutcomeHit, SearchOutcome } from '../../../../src/discovery/tools/findTools.ts';
import {
	type AgentEvent,
	agentAnswer,
	agentLines,
	agentProgress,
	prefetchLine,
	searchLine,
} from '../../../../src/vscode/participant/chatLines.ts';
import { activeMarkup, hostileTexts } from '../../common/hostileText.ts';
import { surfaceOf } from '../../discovery/fixtures.ts';

test('preloaded tools are one line, with the reason', () => {
	const tools = surfaceOf().deferred.slice(0, 2);
	expect(prefetchLine({ type: 'prefetched', reason: 'prefetch', tools })).toBe(
		'$(search) Preloaded for your request: `slack:send_message`, `slack:list_channels`',
	);
	expect(prefetchLine({ type: 'prefetched', reason: 'reference', tools: tools.slice(0, 1) })).toBe(
		'$(search) Loaded because you named it: `slack:send_message`',
	);
});

type Found = Extract<SearchOutcome, { ok: true }>;

const surface = surfaceOf();

function toolOf(wireName: string) {
	const tool = surface.get(wireName);
	if (!tool) throw new Error(`the office has no ${wireName}`);
	return tool;
}

function line(more: Partial<Found>): string {
	const none = { hits: [], further: [], more: 0, missing: [], evicted: [] };
	return searchLine({ ok: true, kind: 'keyword', query: 'tell', searched: 6, ...none, ...more });
}

function hit(wireName: string, state: OutcomeHit['state'], confidence = 1): OutcomeHit {
	return { tool: toolOf(wireName), state, confidence };
}

test('given found tools, then they are listed by what happened to them, and uncertain ones are marked', () => {
	const hits = [
		hit('slack__send_message', 'loaded'),
		hit('slack__search', 'loaded', 0.3),
		hit('calendar__search', 'already-loaded'),
		hit('calendar__create_event', 'refused'),
	];
	expect(line({ hits })).toBe(
		'$(search) Searched 6 tools for `tell`: loaded `slack:send_message`, `slack:search` (uncertain); `calendar:search` already loaded; no room for `calendar:create_event`',
	);
});

test('given further hits, then the first of them follow the loaded ones', () => {
	const further = ['slack__search', 'calendar__search', 'calendar__create_event', 'slack__list_channels'].map(
		(name) => ({ tool: toolOf(name), confidence: 0.2 }),
	);
	expect(line({ hits: [hit('slack__send_message', 'loaded')], further, more: 4 })).toBe(
		'$(search) Searched 6 tools for `tell`: loaded `slack:send_message`; also found `slack:search`, `calendar:search`, `calendar:create_event`',
	);
});

test('given only uncertain hits, then these', () => {
	const further = [{ tool: toolOf('slack__search'), confidence: 0.2 }];
	expect(line({ further, more: 1 })).toBe(
		'$(search) Searched 6 tools for `tell`: no sure match; found `slack:search`',
	);
});

describe('given no match', () => {
	test('when names are close, then these', () => {
		const nearest = { kind: 'spelling', tools: [toolOf('slack__search')] } as const;
		expect(line({ nearest })).toContain(': no match; closest: `slack:search`');
	});

	test('when no names are close, then only that', () => {
		expect(line({ nearest: { kind: 'spelling', tools: [] } })).toMatch(/: no match$/);
	});
});

test('given unknown names, then nothing was found', () => {
	expect(line({ kind: 'select' })).toMatch(/: nothing found$/);
});

test('given an invalid search, then the reason', () => {
	expect(searchLine({ ok: false, query: '', message: "Unknown server '*x*'." })).toBe(
		"Unknown server '\\*x\\*'\\.",
	);
});

const call = { id: '1', name: 'run_agent', input: {} };
const [tool] = surfaceOf().tools;
const report = { text: 'All is well.', calls: 3, loaded: ['a:b', 'a:c'], tokens: 1234, ms: 4210 };

function inside(event: LoopEvent, agent = 'clerk'): AgentEvent {
	return { type: 'agentEvent', call, agent, event };
}

function shown(event: AgentEvent): string[] {
	return agentLines(event).map((line) => line.replaceAll('\\', ''));
}

describe('the work of an agent in the chat', () => {
	test('begins with its name and its task', () => {
		const event = { type: 'agentStarted', call, agent: 'clerk', task: 'Look it\nup.' } as const;
		expect(shown(event)).toEqual(['> $(hubot) **clerk** — Look it up.']);
		expect(agentProgress(event)).toBe('clerk starts…');
	});

	test('ends with its figures, and its answer as a quotation', () => {
		const text = '## Done\n\n- **one**\n\n```ts\nlet open';
		const event = {
			type: 'agentFinished',
			call,
			agent: 'clerk',
			report: { ...report, text },
		} as const;
		expect(shown(event)).toEqual([
			'> $(check) **clerk** is done (3 calls, 2 tools loaded, 1,234 tokens, 4.2 s)',
		]);
		expect(agentAnswer(event)).toBe('> ## Done\n> \n> - **one**\n> \n> ```ts\n> let open');
		expect(agentAnswer(inside(event))).toMatch(/^> > ## Done\n> > \n/);
		const long = { ...event, report: { ...report, text: 'word '.repeat(100_000) } };
		expect(agentAnswer(long)?.length).toBeLessThan(17_000);
	});

	test('that ended early ends with why', () => {
		const failed = { text: '', fault: 'The provider is gone.', calls: 0, loaded: [], ms: 100 };
		expect(shown({ type: 'agentFinished', call, agent: 'clerk', report: failed })).toEqual([
			'> $(error) **clerk** stopped early: The provider is gone. (0 calls, 0.1 s)',
		]);
	});

	test.each<[LoopEvent, string | undefined]>([
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
	])('tells of %j: %s', (event, line) => {
		expect(shown(inside(event))).toEqual(line === undefined ? [] : [`> **clerk** · ${line}`]);
	});

	test('of a nested agent is quoted deeper', () => {
		const started = { type: 'agentStarted', call, agent: 'scout', task: 'Look.' } as const;
		expect(shown(inside(started))).toEqual(['> > $(hubot) **scout** — Look.']);
		expect(shown(inside(inside({ type: 'notice', text: 'Hm.' }, 'scout')))).toEqual([
			'> > **scout** · $(info) Hm.',
		]);
		expect(agentProgress(inside(inside({ type: 'searchStarted', call, searched: 7 }, 'scout')))).toBe(
			'scout: searching 7 tools…',
		);
	});

	test.each(hostileTexts)('shows %j as it is', (text) => {
		const events: AgentEvent[] = [
			{ type: 'agentStarted', call, agent: text, task: text },
			inside({ type: 'notice', text }, text),
			inside({ type: 'toolFinished', call: { ...call, name: text }, result: errorResult(text) }, text),
			{ type: 'agentFinished', call, agent: text, report: { ...report, text, fault: text } },
		];
		for (const line of events.flatMap(agentLines)) {
			const own = line
				.replace(/^(?:> )+/, '')
				.replace(/\$\((?:hubot|check|error|info)\)/, '')
				.replaceAll('**', '');
			expect(activeMarkup(own)).toEqual([]);
		}
	});
});
