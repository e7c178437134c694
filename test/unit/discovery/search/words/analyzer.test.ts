import { describe, expect, test } from 'vitest';
import {
	contentWords,
	isSmallTalk,
	isStopWord,
	joinedTerm,
	stem,
} from '../../../../../src/discovery/search/words/analyzer.ts';
import { tokenize } from '../../../../../src/discovery/search/words/tokenizer.ts';

describe('stems', () => {
	test.each([
		['searching', 'searches'],
		['messages', 'message'],
		['categories', 'category'],
		['deleted', 'deletes'],
	])('of %s and %s are equal', (one, other) => {
		expect(stem(one)).toBe(stem(other));
	});

	test.each([
		['create', 'delete'],
		['channel', 'calendar'],
	])('of %s and %s differ', (one, other) => {
		expect(stem(one)).not.toBe(stem(other));
	});

	test('are never empty for other scripts, numbers and built-in property names', () => {
		for (const word of ['天气', '2024', 'привет', 'constructor']) expect(stem(word)).not.toBe('');
		expect(stem('天气')).toBe('天气');
		expect(stem('2024')).toBe('2024');
	});

	test('stay the same after 60,000 other words', () => {
		const before = stem('messages');
		for (let i = 0; i < 60_000; i++) stem(`q${i}`);
		expect(stem('messages')).toBe(before);
	});
});

describe('stop words', () => {
	test('are dropped from prose', () => {
		expect(contentWords('This tool can be used to send a message')).toEqual(['send', 'message']);
	});

	test('are the only words of some names and requests', () => {
		expect(tokenize('who_am_i').every(isStopWord)).toBe(true);
		expect(contentWords('who am I')).toEqual([]);
	});

	test.each(['send', 'file', 'search', 'delete'])('do not include %s', (word) => {
		expect(isStopWord(word)).toBe(false);
	});
});

describe('small talk', () => {
	test.each(['please', 'thanks', 'hello', 'recommend'])('includes %s', (word) => {
		expect(isSmallTalk(word) || isStopWord(word)).toBe(true);
	});

	test.each(['weather', 'file', 'message'])('does not include %s', (word) => {
		expect(isSmallTalk(word)).toBe(false);
	});
});

describe('the joined term of adjacent words', () => {
	test('equals the term of the same words written as one', () => {
		expect(joinedTerm(['pull', 'requests'])).toBe(stem('pullrequest'));
		expect(joinedTerm(['file', 'system'])).toBe(stem('filesystem'));
	});

	test('is the term itself for one word, and empty for none', () => {
		expect(joinedTerm(['messages'])).toBe(stem('messages'));
		expect(joinedTerm([])).toBe('');
	});
});
