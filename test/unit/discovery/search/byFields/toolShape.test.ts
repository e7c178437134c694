import { describe, expect, test } from 'vitest';
import { endsWithVerb, shapeOf } from '../../../../../src/discovery/search/byFields/toolShape.ts';
import { Vocabulary } from '../../../../../src/discovery/search/byFields/vocabulary.ts';
import { actionKinds } from '../../../../../src/discovery/search/words/actionKinds.ts';
import { Numbers } from '../../../../../src/discovery/search/words/textTable.ts';
import { tool } from '../../fixtures.ts';

function shape(name: string, { description = '', verbLast = false, server = 's' } = {}) {
	const vocabulary = new Vocabulary();
	vocabulary.read(name, new Numbers());
	const { head, ...rest } = shapeOf(tool(server, name, description), vocabulary, verbLast);
	return { ...rest, head: vocabulary.term(head) };
}

test('a server’s names are recognised as ending or beginning with a verb', () => {
	expect(endsWithVerb('vault', ['key_list', 'key_get', 'get_started'])).toBe(true);
	expect(endsWithVerb('vault', ['list_keys', 'get_key', 'key_set'])).toBe(false);
	expect(endsWithVerb('vault', ['search', 'fetch'])).toBe(false);
	expect(endsWithVerb('vault', ['vault_getUpdate', 'vault_listUpdate'])).toBe(false);
});

describe('the verb and the object of a tool name', () => {
	test.each([
		['create_issue_comment', false, actionKinds.make, 'comment'],
		['search_index_get', true, actionKinds.get, 'index'],
		['list_commits_by_author', false, actionKinds.list, 'commit'],
		['delete_or_archive_page', false, actionKinds.remove | actionKinds.change, 'page'],
		['queue_details', true, 0, 'detail'],
	])('are recognised in %s', (name, verbLast, named, head) => {
		expect(shape(name, { verbLast })).toMatchObject({ named, head });
	});

	test("do not include the server's name", () => {
		expect(shape('linear_getTeams', { server: 'linear' })).toMatchObject({
			named: actionKinds.get,
			head: 'team',
		});
	});
});

describe('whether a tool returns several things', () => {
	test.each([
		['list_keys', true],
		['get_keys', true],
		['get_key', false],
	])('%s', (name, isMany) => {
		expect(shape(name, {})).toMatchObject({ isMany });
	});
});

test('each clause of a sentence may have a verb', () => {
	const description =
		'Manages branches: lists them, creates a branch, or deletes one, which sends no message.';
	expect(shape('branch', { description }).described).toBe(
		actionKinds.list | actionKinds.make | actionKinds.remove,
	);
});

test('the verbs are read from the first sentence that describes the tool', () => {
	const { described: told } = shape('hub', {
		description: 'Create or update a hub. This tool can also list hubs.',
	});
	expect(told).toBe(actionKinds.make | actionKinds.change);
	expect(shape('hub', { description: 'This tool lists hubs.' }).described).toBe(actionKinds.list);
});
