import { describe, expect, test } from 'vitest';
import { finish } from '../../../../../src/discovery/search/ranker.ts';
import {
	isFiller,
	isStopWord,
	joinedTerm,
	stem,
} from '../../../../../src/discovery/search/words/analyzer.ts';
import {
	builtInLines,
	parseSynonyms,
	readThesaurus,
	type Synonyms,
	synonymFiles,
	type Thesaurus,
	tablesOf,
	thesaurusWith,
} from '../../../../../src/discovery/search/words/thesaurus.ts';
import { packTables, unpackTables } from '../../../../../src/discovery/search/words/thesaurusTables.ts';
import { tokenize } from '../../../../../src/discovery/search/words/tokenizer.ts';

function thesaurusOf(lines: readonly string[], base?: Thesaurus): Thesaurus {
	return finish(
		readThesaurus(
			lines.map((line) => ({ line })),
			base,
		),
	);
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

	test('are synonyms of each other, but not of themselves', () => {
		expect(synonyms(thesaurus, 'sofa')).toEqual(['couch', 'settee'].map(stem).sort());
		expect(synonyms(thesaurus, 'couch')).toEqual(['sofa', 'settee'].map(stem).sort());
	});

	test('are matched in any form and case', () => {
		expect(synonyms(thesaurus, 'sofas')).toEqual(synonyms(thesaurus, 'sofa'));
		expect(synonyms(thesaurusOf(['SOFA,Couches']), 'sofa')).toEqual([stem('couch')]);
	});

	test('are combined from several lines', () => {
		expect(synonyms(thesaurusOf(['sofa, couch', 'sofa, divan']), 'sofa')).toEqual(['couch', 'divan']);
	});

	test('are not chained from line to line', () => {
		expect(synonyms(thesaurusOf(['sofa, couch', 'couch, bed']), 'sofa')).toEqual(['couch']);
	});
});

describe('an arrow', () => {
	const thesaurus = thesaurusOf(['bin, trash => delete, remove']);

	test('maps each word on the left to each word on the right', () => {
		expect(synonyms(thesaurus, 'bin')).toEqual(['delete', 'remove'].map(stem).sort());
		expect(synonyms(thesaurus, 'trash')).toEqual(synonyms(thesaurus, 'bin'));
	});

	test('does not map back or to words on the same side', () => {
		expect(synonyms(thesaurus, 'delete')).toEqual([]);
		expect(synonyms(thesaurus, 'bin')).not.toContain('trash');
	});

	test('ignores a mapping of a word to itself', () => {
		expect(synonyms(thesaurusOf(['bin => bin, delete']), 'bin')).toEqual([stem('delete')]);
	});
});

describe('phrases', () => {
	test('are found at their first word, in any form of their words', () => {
		const thesaurus = thesaurusOf(['get rid of => delete']);
		expect(phrase(thesaurus, 'please get rid of it', 1)).toEqual({ length: 3, terms: [stem('delete')] });
		expect(phrase(thesaurus, 'please get rid of it', 0)).toBeUndefined();
		expect(phrase(thesaurus, 'get rid')).toBeUndefined();
		expect(phrase(thesaurusOf(['pull request => pr']), 'pull requests')).toEqual({
			length: 2,
			terms: ['pr'],
		});
	});

	test('are matched longest first, whatever the order of the lines', () => {
		const lines = ['look up => search', 'look up to => admire'];
		for (const order of [lines, lines.toReversed()]) {
			expect(phrase(thesaurusOf(order), 'look up to them')?.length).toBe(3);
			expect(phrase(thesaurusOf(order), 'look up it')?.terms).toEqual(['search']);
		}
	});

	test('are mapped to as one term', () => {
		expect(synonyms(thesaurusOf(['pr => pull request']), 'pr')).toEqual([joinedTerm(['pull', 'request'])]);
	});

	test('can be synonyms of single words, in both directions', () => {
		const thesaurus = thesaurusOf(['pr, pull request']);
		expect(synonyms(thesaurus, 'pr')).toEqual(['pullrequest']);
		expect(phrase(thesaurus, 'pull request')).toEqual({ length: 2, terms: ['pr'] });
	});

	test('in a script without spaces are matched as character pairs', () => {
		expect(phrase(thesaurusOf(['日历表 => calendar']), '日历 历表')?.terms).toEqual([stem('calendar')]);
	});
});

describe('malformed lines have no effect', () => {
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

	test('names of built-in properties have no synonyms', () => {
		expect(synonyms(thesaurusOf([]), 'constructor')).toEqual([]);
		expect(phrase(thesaurusOf([]), '__proto__ constructor')).toBeUndefined();
	});
});

describe('a thesaurus that extends another', () => {
	const base = thesaurusOf(['sofa, couch', 'look up => search', 'look up to => admire']);

	test('has the synonyms of both', () => {
		const both = thesaurusOf(['sofa, divan'], base);
		expect(synonyms(both, 'sofa')).toEqual(['couch', 'divan']);
		expect(synonyms(both, 'couch')).toEqual(['sofa']);
	});

	test('does not change the other', () => {
		thesaurusOf(['couch, divan'], base);
		expect(synonyms(base, 'couch')).toEqual(['sofa']);
	});

	test('uses the longer phrase of either, and its own when both have the same length', () => {
		const both = thesaurusOf(['look up => find', 'look up to them => revere'], base);
		expect(phrase(both, 'look up')?.terms).toEqual(['find']);
		expect(phrase(both, 'look up to us')?.terms).toEqual([stem('admire')]);
		expect(phrase(both, 'look up to them')?.length).toBe(4);
		expect(phrase(thesaurusOf([], base), 'look up')?.terms).toEqual(['search']);
	});
});

describe('the entries of the synonym files', () => {
	const lines = Object.values(synonymFiles).flatMap((file) => Object.values(file).flat());
	/** Each entry that leads somewhere, as the search compares it, with the terms of its line. */
	const leads = lines.flatMap((line) => {
		const synonyms = parseSynonyms(line);
		return (synonyms?.from ?? []).map((words) => ({
			entry: compared(words),
			line,
			terms: new Set(synonyms?.to.map(joinedTerm)),
			hasArrow: line.includes('=>'),
			isPhrase: words.length > 1,
			own: joinedTerm(words),
		}));
	});
	const leadsOf = Map.groupBy(leads, ({ entry }) => entry);

	test('have no words that may stand before anything, and no phrase that leads only to its own words', () => {
		const wordsOf = (entry: string) => entry.trim().split(/\s+/);
		const isOwn = (entry: string, right: readonly string[]) => {
			const telling = tokenize(entry).filter((word) => !isStopWord(word));
			return telling.length > 1 && telling.every((word) => right.some((one) => stem(one) === stem(word)));
		};
		const isFaulty = (line: string) => {
			const [left = '', right = ''] = line.split('=>');
			const targets = right.split(',').map((entry) => entry.trim());
			return (
				line.split(/=>|,/).some((entry) => wordsOf(entry).some(isFiller)) ||
				left.split(',').some((entry) => isOwn(entry, targets))
			);
		};
		expect(lines.filter(isFaulty)).toEqual([]);
	});

	test('have the words that the tokenizer finds in them', () => {
		const tokens = lines.map((line) =>
			line.split('=>').map((side) => side.split(',').map((entry) => tokenize(entry))),
		);
		const read = lines.map((line) => {
			const { from = [], to = [] } = parseSynonyms(line) ?? {};
			return line.includes('=>') ? [from, to] : [from];
		});
		expect(read).toEqual(tokens);
	});

	test('are in well-formed lines without empty entries', () => {
		const isFaulty = (line: string) =>
			!parseSynonyms(line) || line.split(/=>|,/).some((entry) => tokenize(entry).length === 0);
		expect(lines.filter(isFaulty)).toEqual([]);
	});

	test('occur only once on each side of a line', () => {
		const hasDoubles = (line: string) => {
			const { from, to } = parseSynonyms(line) as Synonyms;
			return [from, to].some((side) => new Set(side.map(compared)).size < side.length);
		};
		expect(lines.filter(hasDoubles)).toEqual([]);
	});

	test('add at least one synonym that no other line gives', () => {
		const givenElsewhere = leads.filter(({ entry, line, terms, own, hasArrow }) => {
			const others = (leadsOf.get(entry) ?? []).filter((other) => other.line !== line);
			const known = new Set(others.flatMap((other) => [...other.terms]));
			return hasArrow && others.length > 0 && [...terms].every((term) => term === own || known.has(term));
		});
		expect(givenElsewhere.map(({ entry, line }) => `${entry} in: ${line}`)).toEqual([]);
	});

	test('that are phrases occur on the left of at most one arrow', () => {
		const twice = [...leadsOf].filter(
			([, its]) => its.filter(({ hasArrow, isPhrase }) => hasArrow && isPhrase).length > 1,
		);
		expect(twice.map(([entry]) => entry)).toEqual([]);
	});

	test('that are single words on the left of an arrow map to another word', () => {
		const idle = leads.filter(
			({ hasArrow, isPhrase, own, terms }) =>
				hasArrow && !isPhrase && [...terms].every((term) => term === own),
		);
		expect(idle.map(({ line }) => line)).toEqual([]);
	});

	test('have no accidentally repeated letters or words', () => {
		const rightAllTheSame = [
			'knock knock',
			'fifty fifty',
			'duck duck go',
			'b&b',
			'd&d',
			'1 1',
			'1 1 meeting',
		];
		const isGarbled = (entry: string) => {
			const words = tokenize(entry);
			return (
				words.some((word, i) => word === words[i - 1]) ||
				words.some((word) => word.length > 5 && /(\p{Script=Latin}{1,3})\1\1/u.test(word))
			);
		};
		const entries = lines.flatMap((line) => line.split(/=>|,/)).map((entry) => entry.trim());
		expect(isGarbled('ship it inship inininto master')).toBe(true);
		expect(entries.filter((entry) => isGarbled(entry) && !rightAllTheSame.includes(entry))).toEqual([]);
	});

	test('contain no polite phrases', () => {
		const isPolite = (entry: string) =>
			/^(please|pls|thanks|thank you|let (me|us) know( (if|when|whether|about))?|tell me (if|when|about)|((can|could|would|will) you|i (want|need|d like|would like)( to)?)( please)?|.* (please|pls))$/.test(
				entry,
			);
		const entries = new Set(
			lines.flatMap((line) => parseSynonyms(line)?.from ?? []).map((words) => words.join(' ')),
		);
		expect(isPolite('let me know if')).toBe(true);
		expect([...entries].filter(isPolite)).toEqual([]);
	});
});

function compared(words: readonly string[]): string {
	return words.map(stem).join(' ');
}

describe('the words of lines about things and about actions', () => {
	const lines = [
		{ line: 'lock, bolt', about: 'things' },
		{ line: 'delete, remove', about: 'actions' },
		{ line: 'clear => delete, remove', about: 'actions' },
		{ line: 'borrar => delete' },
		{ line: 'lock => cerrar' },
	] as const;
	const thesaurus = finish(readThesaurus(lines));

	test('name actions where lines about actions have them', () => {
		expect(['delet', 'lock', 'borrar'].map((term) => thesaurus.isAction(term))).toEqual([true, false, false]);
	});

	test('are translations where no other line has them, also for a thesaurus that extends this one', () => {
		const own = thesaurusOf(['lock, padlock', 'zorp => lock'], thesaurus);
		const areTranslated = (its: Thesaurus) =>
			['lock', 'borrar', 'zorp', 'padlock', 'table'].map((term) => its.isTranslated(term));
		expect(areTranslated(thesaurus)).toEqual([false, true, false, false, false]);
		expect(areTranslated(own)).toEqual([false, true, true, true, false]);
		expect(own.isAction('delet')).toBe(true);
	});
});

describe('the built-in thesaurus', () => {
	const thesaurus = finish(thesaurusWith([]));

	test('is the same from the tables that the package has', () => {
		const tables = finish(tablesOf(builtInLines));
		expect(tables.words.size).toBeGreaterThan(10_000);
		const packed = unpackTables(packTables(tables));
		for (const table of ['words', 'beginnings'] as const) {
			expect([...tables[table].keys()].map((term) => [term, packed[table].get(term)])).toEqual([
				...tables[table],
			]);
			expect(packed[table].get('zorp')).toBeUndefined();
		}
		expect(packed.actions).toEqual(tables.actions);
	});

	test('can be extended by a workspace without affecting others', () => {
		const own = finish(thesaurusWith(['zorp => delete']));
		expect(own.of('zorp')).toContain(stem('delete'));
		expect(own.of('bin')).toEqual(thesaurus.of('bin'));
		expect(finish(thesaurusWith([])).of('zorp').size).toBe(0);
	});
});
