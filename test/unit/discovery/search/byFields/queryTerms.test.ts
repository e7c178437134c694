import { describe, expect, test } from 'vitest';
import { ToolIndex } from '../../../../../src/discovery/search/toolIndex.ts';
import { stem } from '../../../../../src/discovery/search/words/analyzer.ts';
import { office, tool } from '../../fixtures.ts';
import { askedOf, found, slotsOf } from '../searching.ts';

const tools = [
	tool('s', 'watch_file', 'Watches a file'),
	tool('s', 'glimmer', 'Second'),
	tool('s', 'kubernetes', 'Third'),
	tool('s', 'note', 'Fourth'),
];

describe('a word that no tool has', () => {
	test('is split into words that tools have', () => {
		expect(askedOf(tools, 'filewatch')).toEqual({ filewatch: ['file', 'watch'] });
	});

	test.each([
		['glimer', 'glimmer'],
		['glimmmer', 'glimmer'],
		['kubernets', 'kubernetes'],
		['kubrenets', 'kubernetes'],
		['nite', 'note'],
	])('is corrected when misspelt: %s becomes %s', (slip, word) => {
		expect(askedOf(tools, slip)).toEqual({ [slip]: [stem(word)] });
	});

	test('is completed when it is the beginning of a word', () => {
		expect(askedOf(tools, 'kubern')).toEqual({ kubern: [stem('kubernetes')] });
	});

	test('counts less than an exact word when it is corrected', () => {
		const [slot] = slotsOf(tools, 'glimer');
		expect(slot?.alternatives[0]?.strength).toBeLessThan(1);
	});
});

describe('no similar word is used for', () => {
	test.each([
		['three letters', 'nte'],
		['a short beginning', 'kub'],
		['too many slips', 'glxmyr'],
		['another first letter', 'klimmer'],
	])('%s: %s', (_what, word) => {
		expect(askedOf(tools, word)).toEqual({ [word]: [] });
	});

	test('a word that some tool has', () => {
		expect(askedOf([...tools, tool('s', 'glimmar')], 'glimmar')).toEqual({ glimmar: ['glimmar'] });
	});

	test('a proper name, since a name is not corrected', () => {
		expect(askedOf(tools, 'show the Glimer')).toMatchObject({ glimer: [] });
	});
});

test('among equally similar words, the most common ones are used', () => {
	const many = ['kubernaaa', 'kubernbbb', 'kubernccc', 'kubernddd'].map((name) => tool('s', name));
	const common = [tool('s', 'x', 'kubernddd'), tool('s', 'y', 'kubernccc'), tool('s', 'z', 'kubernbbb')];
	const asked = askedOf([...many, ...common], 'kubern');
	expect([...(asked.kubern ?? [])].sort()).toEqual(['kubernbbb', 'kubernccc', 'kubernddd']);
});

test('an earlier query with the word as a name does not change the result', () => {
	const officeTools = office.flatMap((server) => server.tools);
	const index = new ToolIndex(officeTools);
	const fresh = index.search('calandar', { unlikely: true });
	const another = new ToolIndex(officeTools);
	another.search('open my Calandar', { unlikely: true });
	expect(another.search('calandar', { unlikely: true })).toEqual(fresh);
	expect(found(officeTools, 'calandar')[0]).toMatch(/^calendar:/);
});
