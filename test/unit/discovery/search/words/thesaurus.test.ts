import { describe, expect, test } from 'vitest';
import { finish } from '../../../../../src/discovery/search/ranker.ts';
import { joinedTerm, stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import everyday from '../../../../../src/discovery/search/words/synonyms/everyday.json' with { type: 'json' };
import general from '../../../../../src/discovery/search/words/synonyms/general.json' with { type: 'json' };
import languages from '../../../../../src/discovery/search/words/synonyms/languages.json' with {
	type: 'json',
};
import work from '../../../../../src/discovery/search/words/synonyms/work.json' with { type: 'json' };
import { Thesaurus, thesaurusWith } from '../../../../../src/discovery/search/words/thesaurus.ts';
import { tokenize } from '../../../../../src/discovery/search/words/tokenizer.ts';

function thesaurusOf(lines: readonly string[], base?: Thesaurus): Thesaurus {
	const thesaurus = new Thesaurus(base);
	for (const line of lines) thesaurus.add(line);
	return thesaurus;
}

function synonyms(thesaurus: Thesaurus, word: string): string[] {
	return [...thesaurus.of(stem(word))].sort();
}

function phrase(thesaurus: Thesaurus, text: string, at = 0) {
	const known = thesaurus.phraseAt(text.split(' ').map(stem), at);
	return known && { length: known.length, terms: [...known.terms].sort() };
}

describe('words separated by commas', () => {
	const thesaurus = thesaurusOf(['sofa, couch, settee']);

	test('stand for each other, not for themselves', () => {
		expect(synonyms(thesaurus, 'sofa')).toEqual(['couch', 'settee'].map(stem).sort());
		expect(synonyms(thesaurus, 'couch')).toEqual(['sofa', 'settee'].map(stem).sort());
	});

	test('are met in any form', () => {
		expect(synonyms(thesaurus, 'sofas')).toEqual(synonyms(thesaurus, 'sofa'));
		expect(synonyms(thesaurusOf(['SOFA,Couches']), 'sofa')).toEqual([stem('couch')]);
	});

	test('of several lines add up', () => {
		expect(synonyms(thesaurusOf(['sofa, couch', 'sofa, divan']), 'sofa')).toEqual(['couch', 'divan']);
	});

	test('make no chains', () => {
		expect(synonyms(thesaurusOf(['sofa, couch', 'couch, bed']), 'sofa')).toEqual(['couch']);
	});
});

describe('an arrow', () => {
	const thesaurus = thesaurusOf(['bin, trash => delete, remove']);

	test('leads from each on the left to each on the right', () => {
		expect(synonyms(thesaurus, 'bin')).toEqual(['delete', 'remove'].map(stem).sort());
		expect(synonyms(thesaurus, 'trash')).toEqual(synonyms(thesaurus, 'bin'));
	});

	test('does not lead back, nor to a neighbour', () => {
		expect(synonyms(thesaurus, 'delete')).toEqual([]);
		expect(synonyms(thesaurus, 'bin')).not.toContain('trash');
	});

	test('from a word to itself besides leads to the others', () => {
		expect(synonyms(thesaurusOf(['bin => bin, delete']), 'bin')).toEqual([stem('delete')]);
	});
});

describe('phrases', () => {
	test('are found where they begin, in any form of their words', () => {
		const thesaurus = thesaurusOf(['get rid of => delete']);
		expect(phrase(thesaurus, 'please get rid of it', 1)).toEqual({ length: 3, terms: [stem('delete')] });
		expect(phrase(thesaurus, 'please get rid of it', 0)).toBeUndefined();
		expect(phrase(thesaurus, 'get rid')).toBeUndefined();
		expect(phrase(thesaurusOf(['pull request => pr']), 'pull requests')).toEqual({
			length: 2,
			terms: ['pr'],
		});
	});

	test('the longest wins, whichever came first', () => {
		const lines = ['look up => search', 'look up to => admire'];
		for (const order of [lines, lines.toReversed()]) {
			expect(phrase(thesaurusOf(order), 'look up to them')?.length).toBe(3);
			expect(phrase(thesaurusOf(order), 'look up it')?.terms).toEqual(['search']);
		}
	});

	test('are led to as one term', () => {
		expect(synonyms(thesaurusOf(['pr => pull request']), 'pr')).toEqual([joinedTerm(['pull', 'request'])]);
	});

	test('and words stand for each other both ways', () => {
		const thesaurus = thesaurusOf(['pr, pull request']);
		expect(synonyms(thesaurus, 'pr')).toEqual(['pullrequest']);
		expect(phrase(thesaurus, 'pull request')).toEqual({ length: 2, terms: ['pr'] });
	});

	test('in a script without blanks are phrases of its pairs', () => {
		expect(phrase(thesaurusOf(['日历表 => calendar']), '日历 历表')?.terms).toEqual([stem('calendar')]);
	});
});

describe('lines that make no sense change nothing', () => {
	test.each([
		'',
		' ',
		',',
		', ,',
		'=>',
		'sofa',
		'sofa,',
		'sofa =>',
		'=> sofa',
		'sofa => sofa',
		'sofa => bed => chair',
		'🚀, ---',
	])('%j', (line) => {
		const thesaurus = thesaurusOf([line]);
		for (const word of ['sofa', 'bed', 'chair', '']) {
			expect(synonyms(thesaurus, word)).toEqual([]);
			expect(phrase(thesaurus, word)).toBeUndefined();
		}
	});

	test('nor do names that every object has', () => {
		expect(synonyms(new Thesaurus(), 'constructor')).toEqual([]);
		expect(phrase(new Thesaurus(), '__proto__ constructor')).toBeUndefined();
	});
});

describe('a thesaurus on top of another', () => {
	const base = thesaurusOf(['sofa, couch', 'look up => search', 'look up to => admire']);

	test('has the synonyms of both', () => {
		const both = thesaurusOf(['sofa, divan'], base);
		expect(synonyms(both, 'sofa')).toEqual(['couch', 'divan']);
		expect(synonyms(both, 'couch')).toEqual(['sofa']);
	});

	test('leaves the other as it is', () => {
		thesaurusOf(['couch, divan'], base);
		expect(synonyms(base, 'couch')).toEqual(['sofa']);
	});

	test('has the longer phrase of either, and its own of two as long', () => {
		const both = thesaurusOf(['look up => find', 'look up to them => revere'], base);
		expect(phrase(both, 'look up')?.terms).toEqual(['find']);
		expect(phrase(both, 'look up to us')?.terms).toEqual([stem('admire')]);
		expect(phrase(both, 'look up to them')?.length).toBe(4);
		expect(phrase(thesaurusOf([], base), 'look up')?.terms).toEqual(['search']);
	});
});

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
