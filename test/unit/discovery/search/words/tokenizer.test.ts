import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasWords } from '../../../../../src/discovery/search/words/hasWords.ts';
import { fold, tokenize } from '../../../../../src/discovery/search/words/tokenizer.ts';
import { runs } from '../../../../effort.ts';

test.each([
	['mcp__slack__send_message', ['mcp', 'slack', 'send', 'message']],
	['whatsapp.send', ['whatsapp', 'send']],
	['get-current-weather', ['get', 'current', 'weather']],
	['createCalendarEvent', ['create', 'calendar', 'event']],
	['HTTPServer', ['http', 'server']],
	['listURLs', ['list', 'urls']],
	['URLsOfPDFs', ['urls', 'of', 'pdfs']],
	['IDs of PDFs', ['ids', 'of', 'pdfs']],
	['ASsets', ['a', 'ssets']],
	['parse2JSON', ['parse2', 'json']],
	['base64', ['base64']],
	['Ünïcode café', ['unicode', 'cafe']],
	['a,b;c/d', ['a', 'b', 'c', 'd']],
	['tab\tnew\nline', ['tab', 'new', 'line']],
	['---___...', []],
	['', []],
	['🚀', []],
	['ship🚀it', ['ship', 'it']],
])('the words of %j are %j', (text, words) => {
	expect(tokenize(text)).toEqual(words);
});

test.each([
	['MySQL, OAuth2 and iCloud', ['mysql', 'oauth2', 'icloud']],
	['HTTPServer', ['httpserver']],
	['DonnéesSQL', ['donneessql']],
	['Plain words, URLs, an ACRONYM and snake_case', []],
	['Käse, PDFs', []],
])('the whole mixed-case words of %j are %j', (text, words) => {
	const whole: string[] = [];
	tokenize(text, whole);
	expect(whole).toEqual(words);
});

describe('equivalent letters give the same words', () => {
	test.each([
		['ligatures and full-width letters are plain ones', 'ﬁle ＡＢＣ', 'file abc'],
		['capitals of any alphabet are small', 'ПРИВЕТ ΑΒΓ', 'привет αβγ'],
		['a letter and its mark are the letter', 'cafe\u0301', 'café'],
	])('%s', (_what, one, other) => {
		expect(tokenize(one)).toEqual(tokenize(other));
	});

	test('fold normalises a text as tokenize does its words', () => {
		expect(fold('Crème BRÛLÉE')).toBe('creme brulee');
	});
});

describe('scripts without spaces are split into overlapping pairs', () => {
	test.each([
		['获取天气', ['获取', '取天', '天气']],
		['天气', ['天气']],
		['天', ['天']],
		['カメラ', ['カメ', 'メラ']],
		['เมล', ['เม', 'มล']],
	])('%s', (text, words) => {
		expect(tokenize(text)).toEqual(words);
	});

	test.each([
		['of Chinese', '请帮我查询天气预报', '天气'],
		['of Japanese', '明日のカレンダーを見せて', 'カレンダー'],
		['of Thai', 'ค้นหาอีเมลของฉัน', 'อีเมล'],
	])('%s', (_language, sentence, part) => {
		expect(tokenize(sentence)).toEqual(expect.arrayContaining(tokenize(part)));
	});

	test('a long vowel mark does not end a Japanese word', () => {
		expect(tokenize('サーバー')).toHaveLength(3);
	});

	test('a word of another script between them is kept whole', () => {
		expect(tokenize('用Slack发送消息')).toEqual(['用', 'slack', '发送', '送消', '消息']);
		expect(tokenize('emailを送る')).toContain('email');
	});
});

test('Korean is split at spaces', () => {
	const words = tokenize('날씨 검색').map((word) => word.normalize('NFC'));
	expect(words).toEqual(['날씨', '검색']);
	expect(tokenize('날씨를 검색')).toContain(tokenize('검색')[0]);
});

describe('the fast path for ASCII gives the same words as the general path', () => {
	const mixed = fc.string({ unit: fc.constantFrom(...'abszABSZ019_-. /'), maxLength: 24 });
	test.each([
		['names', mixed],
		['anything', fc.string({ unit: 'binary-ascii', maxLength: 40 })],
	])('%s', (_what, texts) => {
		fc.assert(
			fc.property(texts, (text) => {
				expect(tokenize(text)).toEqual(tokenize(`${text} é`).slice(0, -1));
			}),
			{ numRuns: runs(80) },
		);
	});
});

test('tokenizing joined words again gives the same words', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
			const words = tokenize(text);
			expect(tokenize(words.join(' '))).toEqual(words);
		}),
		{ numRuns: runs(40) },
	);
});

test.each(['a', '1', 'é', '①', '™', '½', '用', '날', 'ー', '', ' ', '?!', '🚀', '…', '– “”', '_', '\u0301'])(
	'hasWords agrees with tokenize for %j',
	(text) => {
		expect(hasWords(text)).toBe(tokenize(text).length > 0);
	},
);
