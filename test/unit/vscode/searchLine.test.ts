import { describe, expect, test } from 'vitest';
import type { OutcomeHit, SearchOutcome } from '../../../src/discovery/searchTools/outcome.ts';
import { searchLine } from '../../../src/vscode/chat/searchLine.ts';
import { surfaceOf } from '../discovery/fixtures.ts';

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

test('given tools that were found, then they are named by what became of them, and uncertain ones are marked', () => {
	const hits = [
		hit('slack__send_message', 'loaded'),
		hit('slack__search', 'loaded', 0.3),
		hit('calendar__search', 'already-loaded'),
		hit('calendar__create_event', 'refused'),
	];
	expect(line({ hits })).toBe(
		'$(search) Searched 6 tools for `tell`: loaded `slack:send_message`, `slack:search` (uncertain); `calendar:search` loaded already; no room for `calendar:create_event`',
	);
});

describe('given nothing that fits', () => {
	test('when some servers are near, then they are named', () => {
		const servers = [
			{ name: 'slack', tools: 3 },
			{ name: 'a`b', tools: 1 },
		];
		expect(line({ nearest: { kind: 'resembling', servers, tools: [] } })).toBe(
			'$(search) Searched 6 tools for `tell`: nothing fits; nearest: `slack`, ``a`b``',
		);
	});

	test('when only names are near, then these', () => {
		const nearest = { kind: 'spelling', tools: [toolOf('slack__search')] } as const;
		expect(line({ nearest })).toContain(': nothing fits; nearest: `slack:search`');
	});

	test('when nothing is near, then that is all', () => {
		expect(line({ nearest: { kind: 'spelling', tools: [] } })).toMatch(/: nothing fits$/);
	});
});

test('given names that lead nowhere, then nothing was found', () => {
	expect(line({ kind: 'select' })).toMatch(/: nothing found$/);
});

test('given a search that cannot be done, then the reason', () => {
	expect(searchLine({ ok: false, query: '', message: "Unknown server '*x*'." })).toBe(
		"Unknown server '\\*x\\*'\\.",
	);
});
