import { describe, expect, test } from 'vitest';
import { endsWithVerb, shapeOf } from '../../../../../src/discovery/search/byFields/toolShape.ts';
import { Vocabulary } from '../../../../../src/discovery/search/byFields/vocabulary.ts';
import { deeds } from '../../../../../src/discovery/search/words/deeds.ts';
import { tokenize } from '../../../../../src/discovery/search/words/tokenizer.ts';
import { tool } from '../../fixtures.ts';

function shape(name: string, { description = '', verbLast = false, server = 's' } = {}) {
	const vocabulary = new Vocabulary();
	for (const word of tokenize(name)) vocabulary.addWord(word);
	const { parts, head, from, to, ...rest } = shapeOf(tool(server, name, description), vocabulary, verbLast);
	const term = (id: number | undefined) => vocabulary.term(id ?? -1);
	return { ...rest, parts: parts.map(term), head: term(parts[head]), from: from.map(term), to: to.map(term) };
}

test('names end with their verbs or begin with them', () => {
	expect(endsWithVerb(['key_list', 'key_get', 'get_started'])).toBe(true);
	expect(endsWithVerb(['list_keys', 'get_key', 'key_set'])).toBe(false);
	expect(endsWithVerb(['search', 'fetch'])).toBe(false);
});

describe('the verb and the object of a name', () => {
	test.each([
		['create_issue_comment', false, deeds.make, 'comment'],
		['search_index_get', true, deeds.get, 'index'],
		['list_commits_by_author', false, deeds.list, 'commit'],
		['delete_or_archive_page', false, deeds.remove | deeds.change, 'page'],
		['queue_details', true, 0, 'detail'],
	])('%s', (name, verbLast, named, head) => {
		expect(shape(name, { verbLast })).toMatchObject({ named, head });
	});

	test("the server's name is no part of what is asked for", () => {
		expect(shape('linear_getTeams', { server: 'linear' })).toMatchObject({
			named: deeds.get,
			parts: ['team'],
		});
	});
});

describe('how many things a tool gives', () => {
	test.each([
		['list_keys', '', 1, false],
		['get_keys', '', 1, false],
		['get_key', '', 0, true],
		['key_info', 'Get a single key. Not for listing multiple keys.', 0, true],
		['keys_info', 'Lists all keys.', 0.5, false],
		['keys', 'Lists all keys, or one by its name.', 0.5, true],
	])('%s: %s', (name, description, many, one) => {
		expect(shape(name, { description })).toMatchObject({ many, one });
	});
});

test('the verbs of the first sentences', () => {
	const { told } = shape('hub', { description: 'Create or update a hub. This tool can also list hubs.' });
	expect(told).toBe(deeds.make | deeds.change);
	expect(shape('hub', { description: 'This tool lists hubs.' }).told).toBe(deeds.list);
});

test('a conversion from one thing to another', () => {
	expect(shape('convert_svg_to_png')).toMatchObject({ from: ['convert', 'svg'], to: ['png'] });
});
