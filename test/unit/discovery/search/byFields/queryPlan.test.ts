import { describe, expect, test } from 'vitest';
import { stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import { tool } from '../../fixtures.ts';
import { askedOf, found, slotsOf } from '../searching.ts';

const synonyms = ['zorp, glim, blick', 'hurl out => glim'];
const tools = [
	tool('s', 'zorp', 'First'),
	tool('s', 'glim', 'Second'),
	tool('s', 'read_message', 'Reads a message'),
	tool('s', 'plan', 'Makes a plan'),
];

describe('a word of a query', () => {
	test('searches for itself first, then for synonyms that occur in tools', () => {
		expect(askedOf(tools, 'zorp', synonyms)).toEqual({ zorp: ['zorp', 'glim'] });
	});

	test('searches only for its synonyms when no tool has the word', () => {
		expect(askedOf(tools, 'blick', synonyms)).toEqual({ blick: ['zorp', 'glim'] });
	});

	test('matches any form of itself', () => {
		expect(askedOf(tools, 'messages')).toEqual({ messages: [stem('message')] });
	});

	test('is searched for once when it is repeated', () => {
		expect(slotsOf(tools, 'plan plans plan')).toHaveLength(1);
	});
});

describe('a word in mixed case', () => {
	const databases = [
		tool('mysql', 'list_tables', 'Lists tables'),
		tool('sql', 'list_tables', 'Lists tables'),
		tool('db', 'query', 'Runs a query on MySQL'),
	];

	test('searches for the whole word, and with less weight for its parts that are not stop words', () => {
		const [whole, part] = slotsOf(databases, 'MySQL');
		expect(whole).toMatchObject({ text: 'mysql', weight: 1 });
		expect(part).toMatchObject({ text: 'sql' });
		expect(part?.weight).toBeLessThan(1);
	});

	test.each(['list the tables in MySQL', 'list mysql tables', 'list the tables in my MySQL server'])(
		'finds tools that spell it in any way: %s',
		(query) => {
			expect(found(databases, query)[0]).toBe('mysql:list_tables');
		},
	);

	test('is found by its lower-case form in a query', () => {
		expect(found(databases, 'run a mysql query')[0]).toBe('db:query');
	});

	test('searches only for its parts when no tool has the whole word', () => {
		expect(askedOf(tools, 'PlanMessage')).toEqual({ plan: ['plan'], message: ['messag'] });
	});
});

describe('stop words', () => {
	test('are left out when there are other words', () => {
		expect(Object.keys(askedOf(tools, 'what is the plan for me'))).toEqual(['plan']);
	});
});

describe('words in quotes', () => {
	test('have no synonyms', () => {
		expect(askedOf(tools, 'a plan called "zorp"', synonyms)).toMatchObject({ zorp: ['zorp'] });
		expect(askedOf(tools, 'a plan called "blick"', synonyms)).toMatchObject({ blick: [] });
	});

	test('are not matched as a phrase with synonyms', () => {
		expect(askedOf(tools, 'a plan called "hurl out"', synonyms)).not.toHaveProperty('hurl out');
	});

	test('are not treated as misspelt', () => {
		expect(askedOf(tools, 'a plan called "mesage"')).toMatchObject({ mesage: [] });
	});

	test('weigh less than the words of the request, as does small talk', () => {
		const slots = slotsOf(tools, 'read the plan called "message", good');
		const weight = (text: string) => slots.find((slot) => slot.text === text)?.weight;
		expect(weight('message')).toBeLessThan(weight('read') ?? 0);
		expect(weight('good')).toBeLessThan(weight('read') ?? 0);
	});
});

describe('a phrase in the thesaurus', () => {
	test('searches for its synonym, and with less weight for its own words', () => {
		const slots = slotsOf(tools, 'hurl out the plan', synonyms);
		const weight = (text: string) => slots.find((slot) => slot.text === text)?.weight ?? 0;
		expect(askedOf(tools, 'hurl out the plan', synonyms)).toMatchObject({
			'hurl out': ['glim'],
			plan: ['plan'],
		});
		expect(weight('hurl')).toBeLessThan(weight('hurl out'));
		expect(weight('plan')).toBe(weight('hurl out'));
	});

	test('is ignored when no tool has its synonym', () => {
		expect(askedOf([tool('s', 'plan')], 'hurl out the plan', synonyms)).not.toHaveProperty('hurl out');
	});

	test('is ignored when it is part of a longer phrase', () => {
		const lines = ['hurl out => glim', 'hurl out fast => zorp', 'out fast => plan'];
		const asked = askedOf(tools, 'hurl out fast', lines);
		expect(asked).toMatchObject({ 'hurl out fast': ['zorp'] });
		expect(asked).not.toHaveProperty('hurl out');
		expect(asked).not.toHaveProperty('out fast');
	});
});

describe('two words that may be written as one word', () => {
	test('are not joined when no tool has them side by side', () => {
		expect(askedOf([tool('s', 'zorp_the_glim')], 'zorp glim')).not.toHaveProperty('zorp glim');
	});

	test.each([
		['filesystem', 'file system'],
		['file system', 'filesystem'],
		['glimzorp', 'glim zorp'],
		['glim zorp', 'glimzorp'],
	])('written in a tool as %j, are found by %j', (written, asked) => {
		const others = [tool('s', 'plan', 'Makes a plan'), tool('s', 'note', 'Takes a note')];
		expect(found([tool('s', 'x1', `Shows the ${written}`), ...others], asked)).toEqual(['s:x1']);
	});

	test('are joined although one is a stop word, when the thesaurus has them', () => {
		const asked = askedOf([tool('s', 'glimup', 'First')], 'glim up', ['glimup, glim up']);
		expect(asked).toMatchObject({ 'glim up': ['glimup'] });
	});
});

test('a URL in a query also searches for the word “url”', () => {
	const fetch = [tool('web', 'fetch', 'Gets a URL'), tool('web', 'plan', 'Makes a plan')];
	const slots = slotsOf(fetch, 'get me https://a.example');
	expect(slots.find(({ text }) => text === 'url')?.alternatives).toHaveLength(1);
	expect(found(fetch, 'get me https://a.example')).toEqual(['web:fetch']);
});
