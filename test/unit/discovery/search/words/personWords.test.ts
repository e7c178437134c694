import { describe, expect, test } from 'vitest';
import { knownSentences } from '../../../../../scripts/personWords/knownSentences.ts';
import { learnActions } from '../../../../../scripts/personWords/learnActions.ts';
import { learnLinks } from '../../../../../scripts/personWords/learnLinks.ts';
import { learnMeanings } from '../../../../../scripts/personWords/learnMeanings.ts';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';
import { actionKinds } from '../../../../../src/discovery/search/words/actionKinds.ts';
import { stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import {
	actionFeatures,
	actionOdds,
	askedActions,
	likelyActions,
} from '../../../../../src/discovery/search/words/likelyActions.ts';
import { likelyTerms } from '../../../../../src/discovery/search/words/likelyTerms.ts';
import {
	dot,
	Meanings,
	meaningOf,
	packMeanings,
} from '../../../../../src/discovery/search/words/meanings.ts';
import { tool } from '../../fixtures.ts';

describe('given what people say about the tools of half of the servers', () => {
	const sentences = knownSentences();
	const servers = [...new Set(sentences.map(({ server }) => server))];
	const ofHalf = (half: number) =>
		sentences.filter(({ server, kinds }) => kinds !== 0 && servers.indexOf(server) % 2 === half);

	test('then the actions of the others are told in two of three sentences', () => {
		const model = learnActions(ofHalf(0));
		const others = ofHalf(1);
		const told = others.filter(({ words, kinds }) => {
			const likely = likelyActions(model, actionFeatures(words));
			return ((kinds >> likely.indexOf(Math.max(...likely))) & 1) === 1;
		});
		expect(told.length / others.length).toBeGreaterThan(2 / 3);
	});

	test('then linked words and terms meet at the others twice as often as by chance', () => {
		const others = ofHalf(1).map(({ words, tool: terms }) => ({
			terms: new Set(words.map(stem)),
			tool: terms,
		}));
		let [met, byChance] = [0, 0];
		for (const { word, term } of learnLinks(ofHalf(0))) {
			const having = others.filter(({ terms }) => terms.has(word));
			const tools = others.filter(({ tool: terms }) => terms.has(term)).length;
			met += having.filter(({ tool: terms }) => terms.has(term)).length;
			byChance += (having.length * tools) / others.length;
		}
		expect(met / byChance).toBeGreaterThan(2);
	});

	test('then what they say about the others is more like its tool than like another in two of three sentences', () => {
		const ofTenth = (tenth: number) =>
			sentences.filter(({ server }) => servers.indexOf(server) % 10 === tenth);
		const learned = learnMeanings(ofTenth(0), { vectors: new Map(), ranks: new Map() });
		const meanings = new Meanings(packMeanings(learned));
		const others = ofTenth(1).map(({ words, impacts }) => ({
			said: meanings.of(words.map((word) => [stem(word), 1])),
			tool: meanings.of(impacts),
		}));
		const half = Math.ceil(others.length / 2);
		const elsewhere = [...others.slice(half), ...others.slice(0, half)];
		const nearer = others.filter(({ said, tool: own }, i) => {
			const other = elsewhere[i]?.tool ?? own;
			return dot(said, own) > dot(said, other);
		});
		expect(nearer.length / others.length).toBeGreaterThan(2 / 3);
	});
});

describe('given tools for the same thing', () => {
	const names = ['list_widgets', 'get_widget', 'create_widget', 'update_widget', 'delete_widget'];
	const index = new ToolIndex(names.map((name) => tool('shop', name, '')));

	test.each([
		['is there any widget', 'list_widgets'],
		['a fresh widget would be nice', 'create_widget'],
		['the widget has the wrong colour, correct it', 'update_widget'],
		['that widget is of no use any more', 'delete_widget'],
		['get rid of that widget for good', 'delete_widget'],
	])('then the one for the action that a person means comes first: %s', (query, name) => {
		expect(index.search(query)[0]?.tool.name).toBe(name);
	});
});

/** As a tool or a request of these words. */
const about = (text: string) => meaningOf(text.split(' ').map((word) => [stem(word), 1]));

test.each([
	['how much money is left', 'get account balance', 'get weather forecast'],
	['where did my parcel end up', 'track shipment', 'create invoice'],
	['is it going to pour tonight', 'get weather forecast', 'get account balance'],
	['my flat is too cold', 'set thermostat temperature', 'list pull requests'],
])('what is alike in other words is nearer: %s', (said, alike, other) => {
	expect(dot(about(said), about(alike))).toBeGreaterThan(dot(about(said), about(other)) + 0.1);
});

test.each(['', 'constructor', '__proto__', 'zyxw vuts', '日本語'])(
	'words that nobody uses say nothing: %s',
	(text) => {
		const likely = askedActions(text.split(' '));
		expect(likely.reduce((sum, share) => sum + share)).toBeCloseTo(1);
		expect(actionOdds(likely, 0)).toBe(0);
		expect(Math.abs(actionOdds(likely, actionKinds.remove))).toBeLessThanOrEqual(1.5);
		expect(likelyTerms(text)).toEqual([]);
		expect(Math.hypot(...about(text))).toBe(0);
	},
);
