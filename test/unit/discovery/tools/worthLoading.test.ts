import { describe, expect, test } from 'vitest';
import { Catalog } from '../../../../src/discovery/catalog/catalog.ts';
import type { Hit } from '../../../../src/discovery/search/hit.ts';
import { worthLoading } from '../../../../src/discovery/tools/worthLoading.ts';
import { search, servers, sessionOf, tool } from '../fixtures.ts';

const sentence = 'Archives the mail of a mailbox in a folder. ';
const catalog = new Catalog(
	servers({
		mail: [
			tool('mail', 'small', sentence),
			tool('mail', 'large', sentence.repeat(200)),
			tool('mail', 'other', sentence),
		],
	}),
	1,
);

function hit(name: string, score: number, relevance?: number, more: Partial<Hit> = {}): Hit {
	const found = catalog.get(`mail__${name}`);
	if (!found) throw new Error(`there is no ${name}`);
	return { tool: found, score, ...(relevance !== undefined && { relevance, confidence: 0.4 }), ...more };
}

function parted(hits: readonly Hit[], known: readonly string[] = [], hasNeeds?: true) {
	const {
		worth,
		risky: held,
		named,
	} = worthLoading({ hits, ...(hasNeeds && { hasNeeds }) }, ({ name }) => known.includes(name));
	const namesOf = (some: readonly Hit[]) => some.map(({ tool: { name } }) => name);
	return { worth: namesOf(worth), held: namesOf(held), named: namesOf(named) };
}

const changes = { mayChange: true };

describe('given a likely match and a less likely second match', () => {
	test.each([
		['small', { worth: ['other', 'small'], held: [], named: [] }],
		['large', { worth: ['other'], held: [], named: ['large'] }],
	])('when the second is %s, then its token cost decides whether it is loaded', (name, expected) => {
		expect(parted([hit('other', 10, 0.9), hit(name, 5, 0.4)])).toEqual(expected);
	});

	test('when the model already has the large second match, then it is kept', () => {
		expect(parted([hit('other', 10, 0.9), hit('large', 5, 0.4)], ['large']).named).toEqual([]);
	});

	test('when the likely match is large, then it is loaded all the same', () => {
		expect(parted([hit('large', 10, 0.6), hit('small', 1, 0.01)])).toMatchObject({
			worth: ['large'],
			named: ['small'],
		});
	});

	test('when one may change something, then it is only named', () => {
		const hits = [hit('other', 10, 0.9, changes), hit('small', 5, 0.4)];
		expect(parted(hits)).toEqual({ worth: ['small'], held: ['other'], named: [] });
		expect(parted(hits, ['other'])).toEqual({ worth: ['other', 'small'], held: [], named: [] });
	});
});

test('given a sure match, then it is loaded alone, also if it may change something', () => {
	const hits = [hit('other', 10, 0.9, { ...changes, confidence: 0.6 }), hit('small', 9, 0.9)];
	expect(parted(hits)).toEqual({ worth: ['other'], held: [], named: ['small'] });
});

test('given a sure match for a query of several needs, then others that may well be needed are loaded beside it', () => {
	const hits = [hit('other', 10, 0.9, { confidence: 0.6 }), hit('small', 8, 0.6), hit('large', 8, 0.6)];
	expect(parted(hits, [], true)).toEqual({ worth: ['other', 'small'], held: [], named: ['large'] });
	expect(parted(hits)).toEqual({ worth: ['other'], held: [], named: ['small', 'large'] });
});

describe('given only unlikely matches', () => {
	const hits = [hit('other', 10, 0.49), hit('large', 1, 0.01)];

	test('then none is loaded except those that the model already has', () => {
		expect(parted(hits)).toMatchObject({ worth: [], named: ['other', 'large'] });
		expect(parted(hits, ['large'])).toMatchObject({ worth: ['large'], named: ['other'] });
	});

	test('when the model chose their server, then the best match is loaded', () => {
		const { worth } = worthLoading({ hits, inServer: true }, () => false);
		expect(worth.map(({ tool }) => tool.name)).toEqual(['other']);
	});
});

test('given a ranking without evidence, then all matches are loaded', () => {
	expect(parted([hit('other', 10), hit('large', 0.1)]).named).toEqual([]);
});

test('given a large match beside the sure one that the chat has loaded before, then it is marked and not named again', async () => {
	const large = 'It is told in many words what the postman brings to the door. '.repeat(200);
	const mail = servers({
		mail: [
			tool('mail', 'archive_mailbox', 'Archive a mailbox'),
			...['folder', 'rules', 'settings'].map((what) =>
				tool('mail', `mailbox_${what}`, `The ${what}. ${large}`),
			),
		],
		garden: ['rose', 'tulip', 'fern'].map((plant) => tool('garden', plant, `Waters a ${plant}`)),
	});
	const session = sessionOf(mail);
	await search(session, { tool_names: ['mailbox_rules'] });
	const { text, newlyLoaded } = await search(session, { query: 'archive a mailbox' });
	expect(newlyLoaded).toEqual(['mail__archive_mailbox']);
	expect(text).toContain('- mail:mailbox_rules (mail__mailbox_rules) [Already loaded]');
	expect(text).toContain('2 more tools match less well.');
});
