import { describe, expect, test } from 'vitest';
import { copiedQueries, phrasesOfOneQuery } from '../../../bench/figures/quality.ts';

describe('a long synonym phrase', () => {
	const phrases = (line: string, ...queries: string[]) =>
		phrasesOfOneQuery([line], queries).map(({ phrase }) => phrase);
	const line = 'on the big kitchen speaker, loud speaker => play music';

	test('is reported if exactly one query contains it, also inflected', () => {
		expect(phrases(line, 'jazz on the big kitchen speakers', 'loud speaker')).toEqual([
			'on big kitchen speaker',
		]);
		const [found] = phrasesOfOneQuery([line], ['jazz on the big kitchen speakers']);
		expect(found?.query).toBe('jazz on the big kitchen speakers');
	});

	test('is not reported if no query or several queries contain it', () => {
		expect(phrases(line, 'jazz in the kitchen')).toEqual([]);
		expect(phrases(line, 'jazz on the big kitchen speaker', 'rock on the big kitchen speaker')).toEqual([]);
	});

	test('is reported once if several sets share the query', () => {
		expect(phrases(line, 'jazz on the big kitchen speaker', 'jazz on the big kitchen speaker')).toHaveLength(
			1,
		);
	});

	test('matches whole words only, and only left of the arrow', () => {
		expect(phrases('is it a ham => meat', 'is it a hammer')).toEqual([]);
		expect(phrases('music => on the big kitchen speaker', 'jazz on the big kitchen speaker')).toEqual([]);
	});
});

test('a sentence that is a query is found, whatever the order and form of its words', () => {
	const sentences = ['Play some jazz on the kitchen speaker', 'turn the volume down'];
	expect(copiedQueries(sentences, ['play jazz on kitchen speakers, please'])).toEqual([sentences[0]]);
	expect(copiedQueries(sentences, ['play jazz'])).toEqual([]);
});
