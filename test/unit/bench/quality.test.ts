import { describe, expect, test } from 'vitest';
import { phrasesOfOneQuery } from '../../../bench/figures/quality.ts';

describe('a long phrase of the synonyms', () => {
	const phrases = (line: string, ...queries: string[]) =>
		phrasesOfOneQuery([line], queries).map(({ phrase }) => phrase);
	const line = 'on the kitchen speaker, loud speaker => play music';

	test('that exactly one query has is named, in whatever form', () => {
		expect(phrases(line, 'jazz on the kitchen speakers', 'loud speaker')).toEqual(['on the kitchen speaker']);
		const [found] = phrasesOfOneQuery([line], ['jazz on the kitchen speakers']);
		expect(found?.query).toBe('jazz on the kitchen speakers');
	});

	test('that no query has, or several, is not', () => {
		expect(phrases(line, 'jazz in the kitchen')).toEqual([]);
		expect(phrases(line, 'jazz on the kitchen speaker', 'rock on the kitchen speaker')).toEqual([]);
	});

	test('counts one query that several sets have once', () => {
		expect(phrases(line, 'jazz on the kitchen speaker', 'jazz on the kitchen speaker')).toHaveLength(1);
	});

	test('is met in whole words only, and read left of the arrow', () => {
		expect(phrases('is it a ham => meat', 'is it a hammer')).toEqual([]);
		expect(phrases('music => on the kitchen speaker', 'jazz on the kitchen speaker')).toEqual([]);
	});
});
