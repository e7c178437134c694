import { describe, expect, test } from 'vitest';
import { analyze, analyzeName, analyzeQuery, tokenize } from '../../../src/discovery/search/analyzer.ts';

test.each([
	['mcp__slack__send_message', ['mcp', 'slack', 'send', 'message']],
	['whatsapp.send', ['whatsapp', 'send']],
	['get-current-weather', ['get', 'current', 'weather']],
	['createCalendarEvent', ['create', 'calendar', 'event']],
	['HTTPServer', ['http', 'server']],
	['listURLs', ['list', 'urls']],
	['IDs of PDFs', ['ids', 'of', 'pdfs']],
	['parse2JSON', ['parse2', 'json']],
	['Ünïcode café', ['unicode', 'cafe']],
	['a,b;c/d', ['a', 'b', 'c', 'd']],
	['---___...', []],
	['', []],
	['🚀', []],
])('the words of %j are %j', (text, words) => {
	expect(tokenize(text)).toEqual(words);
});

test('scripts without blanks give overlapping pairs, so that a part of a sentence is found', () => {
	expect(tokenize('获取天气')).toEqual(['获取', '取天', '天气']);
	expect(tokenize('天气')).toEqual(['天气']);
});

describe('stop words', () => {
	test('count for nothing in prose', () => {
		expect(analyze('This tool can be used to send a message')).toEqual(analyze('send message'));
	});

	test('count in a name, and in a query that has no other words', () => {
		expect(analyzeName('who_am_i')).toHaveLength(3);
		expect(analyzeQuery('who am I')).toEqual(analyzeName('who_am_i'));
	});
});

test('inflected words are one term', () => {
	expect(analyze('searching')).toEqual(analyze('searches'));
});
