import { describe, expect, test } from 'vitest';
import { certainty } from '../../../src/discovery/search/confidence.ts';
import type { OutcomeHit, SearchOutcome } from '../../../src/discovery/searchTools/outcome.ts';
import { searchResultJson } from '../../../src/discovery/searchTools/resultJson.ts';
import { searchResultText } from '../../../src/discovery/searchTools/resultText.ts';
import { surfaceOf } from './fixtures.ts';

const noSure = 'None of them is a sure match: see whether one does what you need before you call it.';

/** A tool of the office that a search found and loaded. */
function hit(wireName: string, confidence?: number): OutcomeHit {
	const tool = surfaceOf().get(wireName);
	if (!tool) throw new Error(`the office has no ${wireName}`);
	return { tool, score: 1, state: 'loaded', ...(confidence !== undefined && { confidence }) };
}

function outcomeOf(...hits: OutcomeHit[]): Extract<SearchOutcome, { ok: true }> {
	const rest = { further: [], more: 0, missing: [], evicted: [] };
	return { ok: true, kind: 'keyword', query: 'tell them', searched: 6, hits, ...rest };
}

describe('given a search that is sure of one tool and not of another', () => {
	const outcome = outcomeOf(hit('slack__send_message', certainty), hit('slack__search', certainty - 0.01));

	test('then the other is marked, and nothing else is said', () => {
		const text = searchResultText(outcome);
		expect(text).toContain('- slack:send_message (slack__send_message)\n');
		expect(text).toContain('- slack:search (slack__search) [uncertain]\n');
		expect(text).not.toContain(noSure);
	});

	test('then the JSON form tells how sure it is of each', () => {
		const { matches } = searchResultJson('tell them', { ...outcome, further: [] }, 6);
		expect(matches.map(({ confidence }) => confidence)).toEqual([certainty, certainty - 0.01]);
	});
});

test('given a search that is sure of none, then the text says so in a sentence', () => {
	expect(searchResultText(outcomeOf(hit('slack__search', 0.3)))).toContain(noSure);
});

test('given a ranking that cannot tell, then nothing is marked', () => {
	const text = searchResultText(outcomeOf(hit('slack__search')));
	expect(text).not.toContain('uncertain');
	expect(text).not.toContain(noSure);
});

test('given a tool that was loaded before, then both marks stand beside it', () => {
	const text = searchResultText(outcomeOf({ ...hit('slack__search', 0.3), state: 'already-loaded' }));
	expect(text).toContain('(slack__search) [Already loaded] [uncertain]');
});
