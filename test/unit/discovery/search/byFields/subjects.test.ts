import { describe, expect, test } from 'vitest';
import { defaultParameters } from '../../../../../src/discovery/search/byFields/parameters.ts';
import {
	noSubjects,
	SubjectsOfServers,
	subjectsOfWords,
	sumOfSubjects,
} from '../../../../../src/discovery/search/byFields/subjects.ts';
import { ToolAnalyzer } from '../../../../../src/discovery/search/byFields/toolDocument.ts';
import { Vocabulary } from '../../../../../src/discovery/search/byFields/vocabulary.ts';
import { stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import { Thesaurus } from '../../../../../src/discovery/search/words/thesaurus.ts';
import { tool } from '../../fixtures.ts';

const home = 0;
const databases = 1;
const travel = 2;

function thesaurus(): Thesaurus {
	const made = new Thesaurus();
	made.add('lock, bolt, latch', home);
	made.add('door, window, gate => entrance', home);
	made.add('front door => entrance', home);
	made.add('lock, deadlock', databases);
	made.add('row, record', databases);
	made.add('table, relation => database', databases);
	made.add('suitcase, luggage', travel);
	made.add('puerta => door');
	return made;
}

const words = subjectsOfWords(thesaurus());

function about(...said: readonly string[]) {
	return sumOfSubjects(said.map((word) => words.ofTerm(stem(word))));
}

describe('the subjects of words', () => {
	test('come from their thesaurus lines, and a word with fewer subjects weighs each one more', () => {
		const [door, lock] = [about('door'), about('lock')];
		expect(door.ids).toEqual([home]);
		expect(lock.ids.toSorted()).toEqual([home, databases]);
		expect(door.values[0]).toBeGreaterThan(lock.values[0] ?? Number.NaN);
	});

	test('come from synonyms when a word has none, and are empty for unknown words', () => {
		expect(about('puerta')).toEqual(about('door'));
		expect(about('xylophone')).toEqual(noSubjects);
	});

	test('are defined for phrases as well', () => {
		const known = thesaurus().phraseAt(['front', 'door'], 0);
		expect(known && words.ofPhrase(known).ids).toEqual([home]);
	});
});

describe('the affinity between words and a server', () => {
	const vocabulary = new Vocabulary();
	const analyzer = new ToolAnalyzer(vocabulary, defaultParameters);
	const tools = [
		tool('db', 'show_locks', 'Shows who holds a lock in a table. Nobody is in front of a door or a window.'),
		tool('db', 'read_row', 'Reads a record of the database'),
		tool('house', 'lock', 'Locks the door', { gate: 'string' }),
		tool('other', 'wxyz', 'Qrst'),
	];
	const documents = tools.map((one) => analyzer.analyze(one, undefined));
	const [db, house, other] = [0, 1, 2];
	const servers = new SubjectsOfServers(documents, Uint32Array.of(db, db, house, other), vocabulary, words);

	test('is greater when the other words of the query share the server’s subject', () => {
		expect(servers.kinship(about('lock', 'door'), house)).toBeGreaterThan(
			servers.kinship(about('lock', 'door'), db),
		);
		expect(servers.kinship(about('lock', 'row'), db)).toBeGreaterThan(
			servers.kinship(about('lock', 'row'), house),
		);
	});

	test('uses the main texts of all tools, not the rest of their descriptions', () => {
		expect(servers.kinship(about('record'), db)).toBeGreaterThan(0.5);
		expect(servers.kinship(about('window'), db)).toBeLessThan(0);
	});

	test('is zero when either has no subject', () => {
		expect(servers.kinship(noSubjects, db)).toBe(0);
		expect(servers.kinship(about('door'), other)).toBe(0);
	});
});
