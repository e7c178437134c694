import { describe, expect, test } from 'vitest';
import { joinedTerm, stem } from '../../../../src/discovery/search/words/analyzer.ts';
import { Thesaurus } from '../../../../src/discovery/search/words/thesaurus.ts';

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
