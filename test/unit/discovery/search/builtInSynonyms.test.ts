import { describe, expect, test } from 'vitest';
import { finish } from '../../../../src/discovery/search/ranker.ts';
import { joinedTerm, stem } from '../../../../src/discovery/search/words/analyzer.ts';
import { thesaurusWith } from '../../../../src/discovery/search/words/builtInThesaurus.ts';
import everyday from '../../../../src/discovery/search/words/synonyms/everyday.json' with { type: 'json' };
import general from '../../../../src/discovery/search/words/synonyms/general.json' with { type: 'json' };
import languages from '../../../../src/discovery/search/words/synonyms/languages.json' with { type: 'json' };
import work from '../../../../src/discovery/search/words/synonyms/work.json' with { type: 'json' };
import { tokenize } from '../../../../src/discovery/search/words/tokenizer.ts';

function entries(side: string): string[] {
	return side.split(',').map((entry) => joinedTerm(tokenize(entry)));
}

function isWellFormed(line: string): boolean {
	const sides = line.split('=>').map(entries);
	if (sides.flat().includes('')) return false;
	return sides.length === 1 ? (sides[0]?.length ?? 0) > 1 : sides.length === 2;
}

/** Words that the line leads nowhere. A phrase may lead to itself: it is then met where it is written as one word. */
function idleWords(line: string): string[] {
	const [from = [], to = from] = line.split('=>').map(entries);
	const hasPhrase = line.split(/,|=>/).some((entry) => tokenize(entry).length > 1);
	return from.filter((own) => !hasPhrase && to.every((other) => other === own));
}

describe.each(Object.entries({ everyday, general, languages, work }))('%s.json', (_name, file) => {
	const lines = Object.values(file).flat();

	test('has lines of two sides at most, none of them empty, and of two entries at least', () => {
		expect(lines.filter((line) => !isWellFormed(line))).toEqual([]);
	});

	test('has no line twice', () => {
		expect(lines.filter((line, i) => lines.indexOf(line) !== i)).toEqual([]);
	});

	test('has no word that leads only to itself', () => {
		expect(lines.filter((line) => idleWords(line).length > 0)).toEqual([]);
	});
});

describe('the built-in thesaurus', () => {
	const thesaurus = finish(thesaurusWith([]));

	test.each([
		['bin', 'delete'],
		['天气', 'weather'],
		['remove', 'delete'],
	])('%s leads to %s', (word, other) => {
		expect(thesaurus.of(stem(word))).toContain(stem(other));
	});

	test('pr leads to pull request', () => {
		expect(thesaurus.of('pr')).toContain(joinedTerm(['pull', 'request']));
	});

	test('get rid of leads to delete', () => {
		expect([...(thesaurus.phraseAt(['get', 'rid', 'of'], 0)?.terms ?? [])]).toContain(stem('delete'));
	});

	test('takes lines of a workspace besides, which others do not see', () => {
		const own = finish(thesaurusWith(['zorp => delete']));
		expect(own.of('zorp')).toContain(stem('delete'));
		expect(own.of('bin')).toEqual(thesaurus.of('bin'));
		expect(finish(thesaurusWith([])).of('zorp').size).toBe(0);
	});
});
