import { describe, expect, test } from 'vitest';
import { certainty, isLikely } from '../../../../src/discovery/search/certainty.ts';
import { ToolIndex } from '../../../../src/discovery/search/toolIndex.ts';
import { tool } from '../fixtures.ts';

const services = [
	tool('pay', 'list_customers', 'List customers of the payment service acmepay'),
	tool('pay', 'create_refund', 'Create a refund for a payment'),
	tool('board', 'add_card', 'Add a card to a list of a board'),
	tool('board', 'move_card', 'Move a card to another list'),
	tool('mail', 'send_mail', 'Send a mail to somebody'),
];

function hitsFor(query: string, tools = services) {
	return new ToolIndex(tools).search(query);
}

function sureOf(query: string, tools = services): string[] {
	const hits = hitsFor(query, tools).filter(({ confidence = 1 }) => confidence >= certainty);
	return hits.map((hit) => hit.tool.name);
}

function likelyOf(query: string, tools = services): string[] {
	return hitsFor(query, tools)
		.filter(isLikely)
		.map((hit) => hit.tool.name);
}

describe('the three outcomes of a search', () => {
	test('a tool that does what is asked is a sure match', () => {
		expect(sureOf('refund a payment')[0]).toBe('create_refund');
	});

	test('tools that only share a word are uncertain matches', () => {
		const query = 'a list of the planets';
		expect(hitsFor(query)).not.toEqual([]);
		expect(sureOf(query)).toEqual([]);
	});

	test('of two siblings that fit equally well, neither is sure, and a clear lead makes one sure', () => {
		const twin = tool('pay', 'issue_refund', 'Create a refund for a payment');
		expect(sureOf('create a refund for a payment', services)).toEqual(['create_refund']);
		expect(sureOf('refund for a payment', [...services, twin])).toEqual([]);
		expect(likelyOf('refund for a payment', [...services, twin])).toContain('issue_refund');
	});

	test('when no tool shares a word or synonym, then nothing is found', () => {
		expect(hitsFor('xylophone')).toEqual([]);
	});

	test.each([
		['clean please', { readOnlyHint: true }, ['disk_clean']],
		['clean please', { destructiveHint: true }, []],
		['clean up the disk', { destructiveHint: true }, ['disk_clean']],
	])(
		'one word does not make a tool sure that may destroy something: "%s", %o',
		(query, annotations, sure) => {
			const clean = { ...tool('disk', 'disk_clean', 'Clean the disk'), annotations };
			const others = Array.from({ length: 60 }, (_, i) => tool('shop', `ship${i}`, `Ship parcel ${i}`));
			expect(sureOf(query, [...others, clean])).toEqual(sure);
		},
	);

	test('an action without an object is uncertain when many tools perform it', () => {
		const many = Array.from({ length: 12 }, (_, i) => tool('shop', `add_thing${i}`, `Add thing ${i}`));
		expect(sureOf('add 2 and 5', many)).toEqual([]);
	});
});

describe('given a query that names a service', () => {
	test('when no tool mentions the service, then no match is likely', () => {
		const query = 'create a refund for a payment in salesforce';
		expect(likelyOf(query)).toEqual([]);
		expect(hitsFor(query)[0]?.tool.name).toBe('create_refund');
	});

	test('when a tool’s description mentions the service, then that tool is a likely match', () => {
		const bridge = tool('bridge', 'create_refund', 'Create a refund for a payment in Salesforce');
		expect(likelyOf('create a refund for a payment in salesforce', [...services, bridge])).toContain(
			'create_refund',
		);
	});

	// Each brand is asked for beside tools that have all other words of the query.
	test.each([
		'create a google payment refund',
		'create an apple payment refund',
		'create a refund for a payment in microsoft teams',
		'list amazon customers',
		'add a card to an atlassian board',
		'send an outlook mail to somebody',
		'send a yahoo mail to somebody',
		'move a card to a list in Meta',
	])('a brand is a service, also inside a phrase that has synonyms: %s', (query) => {
		expect(hitsFor(query)).not.toEqual([]);
		expect(likelyOf(query)).toEqual([]);
	});

	const calendar = tool('google-calendar', 'list_events', 'List the events of the calendar');
	test.each([
		['send a google mail to somebody', tool('gmail', 'send_mail', 'Send a mail to somebody'), 'send_mail'],
		['list the google calendar events', calendar, 'list_events'],
		['create an atlassian issue', tool('jira', 'create_issue', 'Create an issue'), 'create_issue'],
		['list jira issues', tool('atlassian', 'list_issues', 'List issues'), 'list_issues'],
	])('a tool serves the brand of its product, and the product of its brand: %s', (query, own, name) => {
		expect(likelyOf(query, [...services, own])[0]).toBe(name);
	});

	test('beside words about companies, its name is what the tool is asked about', () => {
		const market = tool('market', 'stock_price', 'Stock price of a company');
		expect(likelyOf('apple stock price', [...services, market])[0]).toBe('stock_price');
	});
});

describe('given a query whose object no tool has under any name', () => {
	const roster = tool('pager', 'on_call_events', 'On call events of the duty roster');
	const all = [...services, roster, tool('files', 'read_file', 'Read the contents of a file')];

	test.each([
		'list calendar events',
		'list invoices of a board',
		'read the contents of a spreadsheet',
		'create a calendar event',
	])('then its other words make no tool likely: %s', (query) => {
		expect(hitsFor(query, all)).not.toEqual([]);
		expect(likelyOf(query, all)).toEqual([]);
	});

	test('when another part of the query has one, then that tool is a likely match', () => {
		expect(likelyOf('list calendar events, then refund a payment', all)).toContain('create_refund');
	});

	test('when the object is there, then its tool is a likely match', () => {
		expect(likelyOf('list on call events', all)[0]).toBe('on_call_events');
	});
});
