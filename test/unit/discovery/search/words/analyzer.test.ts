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
	])('%s and %s are one term', (one, other) => {
		expect(stem(one)).toBe(stem(other));
	});

	test.each([
		['create', 'delete'],
		['channel', 'calendar'],
	])('%s and %s are two', (one, other) => {
		expect(stem(one)).not.toBe(stem(other));
	});

	test('words of other scripts, numbers and names of objects come through as they are', () => {
		for (const word of ['天气', '2024', 'привет', 'constructor']) expect(stem(word)).not.toBe('');
		expect(stem('天气')).toBe('天气');
		expect(stem('2024')).toBe('2024');
	});

	test('a word keeps its term, whatever other words were met in between', () => {
		const before = stem('messages');
		for (let i = 0; i < 60_000; i++) stem(`q${i}`);
		expect(stem('messages')).toBe(before);
	});
});

describe('stop words', () => {
	test('count for nothing in prose', () => {
		expect(contentWords('This tool can be used to send a message')).toEqual(['send', 'message']);
	});

	test('are all that some names and requests are made of', () => {
		expect(tokenize('who_am_i').every(isStopWord)).toBe(true);
		expect(contentWords('who am I')).toEqual([]);
	});

	test.each(['send', 'file', 'search', 'delete'])('%s is none', (word) => {
		expect(isStopWord(word)).toBe(false);
	});
});

describe('small talk', () => {
	test.each(['please', 'thanks', 'hello', 'recommend'])('%s says little of a need', (word) => {
		expect(isSmallTalk(word) || isStopWord(word)).toBe(true);
	});

	test.each(['weather', 'file', 'message'])('%s says what is needed', (word) => {
		expect(isSmallTalk(word)).toBe(false);
	});
});

describe('words side by side, joined', () => {
	test('are the term of the same words written as one', () => {
		expect(joinedTerm(['pull', 'requests'])).toBe(stem('pullrequest'));
		expect(joinedTerm(['file', 'system'])).toBe(stem('filesystem'));
	});

	test('of one word are that word, and of none are nothing', () => {
		expect(joinedTerm(['messages'])).toBe(stem('messages'));
		expect(joinedTerm([])).toBe('');
	});
});
