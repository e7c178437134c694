import { describe, expect, test } from 'vitest';
import { type QueryWord, readQuery } from '../../../../../src/discovery/search/byFields/queryWords.ts';

function words(query: string, manner?: QueryWord['manner']): string[] {
	return readQuery(query)
		.words.filter((word) => manner === undefined || word.manner === manner)
		.map(({ text }) => text);
}

function kinds(query: string): readonly string[] {
	return readQuery(query).kinds;
}

/** The words of each part of the sentence. */
function clauses(query: string): string[] {
	const byClause = Map.groupBy(readQuery(query).words, ({ clause }) => clause);
	return [...byClause.values()].map((its) => its.map(({ text }) => text).join(' '));
}

test('the words of a query keep their order', () => {
	expect(words('Rename "old name" to <new name> now')).toEqual([
		'rename',
		'old',
		'name',
		'to',
		'new',
		'name',
		'now',
	]);
});

describe('how a person begins a request is left out', () => {
	test.each([
		['please list the new files', 'list the new files'],
		['Hey, could you list new files', 'list new files'],
		['I’d like you to list new files', 'list new files'],
		['list new files, please print them', 'list new files, print them'],
	])('%s', (query, wish) => {
		expect(words(query)).toEqual(words(wish));
	});

	test.each(['help me', 'i need a file', 'a hi score', 'say hello'])(
		'but not where it is the wish: %s',
		(query) => {
			expect(words(query)).toEqual(query.split(' '));
		},
	);
});

describe('quoted or literal text is separated from the request', () => {
	test.each([
		['a quotation', 'create a page called "send message"', ['send', 'message']],
		['typographic quotation marks', 'create a page called “send message”', ['send', 'message']],
		['guillemets', 'create a page called «send message»', ['send', 'message']],
		['backticks', 'create a page called `send message`', ['send', 'message']],
		['single quotation marks', "create a page called 'send message', now", ['send', 'message']],
		['a placeholder', 'create a page called <page title>', ['page', 'title']],
		['a path', 'show me /var/log/mail', ['var', 'log', 'mail']],
		['a path of Windows', 'show me C:\\mail\\list', ['c', 'mail', 'list']],
		['a path from home', 'show me ~/mail', ['mail']],
		['a file', 'show me calendar.txt', ['calendar', 'txt']],
		['an address of the web', 'show me https://calendar.org/mail', ['https', 'calendar', 'org', 'mail']],
		['a domain', 'show me calendar.org', ['calendar', 'org']],
		['an address of mail', 'write to calendar@mail.org please', ['calendar', 'mail', 'org']],
		['a word with a number', 'move to room4b please', ['room4b']],
	])('when the query has %s', (_what, query, quoted) => {
		expect(words(query, 'quoted')).toEqual(quoted);
		expect(words(query, 'plain').length).toBeGreaterThan(0);
	});

	test.each(["what's on", 'a 5" disk and no other sign', 'isn’t it', "the users' files and folders' names"])(
		'when the query is %s, then it has no quotation',
		(query) => {
			expect(words(query, 'quoted').filter((word) => word !== '5')).toEqual([]);
		},
	);

	test('when the whole query is a quotation, then it is read as plain words', () => {
		expect(words('"send message"', 'plain')).toEqual(['send', 'message']);
		expect(words('`send message`.', 'plain')).toEqual(['send', 'message']);
	});
});

describe('numbers and identifiers', () => {
	test.each(['42', '3.14', '12:30', '50%', '$99', '€1,000', '2024-05-01', 'a1b2c3d4e5f6', '-7'])(
		'like %s are left out when there are words',
		(number) => {
			expect(words(`show invoice ${number}`)).toEqual(['show', 'invoice']);
		},
	);

	test.each(['sha256sum', 'python312', 'base64encode', 'windows11'])(
		'are not confused with words like %s',
		(word) => {
			expect(words(`show the ${word} please`)).toContain(word);
		},
	);

	test('are kept when there is nothing else', () => {
		expect(words('42', 'plain')).toEqual(['42']);
		expect(words('2024-05-01 12:30', 'plain')).toEqual(['2024', '05', '01', '12', '30']);
	});
});

describe('kinds of things, such as URLs, are recognised by their form', () => {
	test.each([
		['open https://a.example/b', 'url'],
		['open www.wikipedia.org', 'url'],
		['open github.com.', 'url'],
		['write to (ann@b.example)', 'email'],
		['ping 10.0.0.1', 'ip'],
		['scan 10.0.0.0/24', 'ip'],
		['weather at 52.5200, 13.4050', 'coordinates'],
		['weather at -33.8688°', 'coordinates'],
		['open /etc/hosts', 'file'],
		['open ./notes', 'file'],
		['open C:\\notes', 'file'],
		['open notes.md?', 'file'],
	])('%s: %s', (query, kind) => {
		expect(kinds(query)).toEqual([kind]);
	});

	test('and each kind is listed once', () => {
		expect(kinds('copy a.txt to b.txt')).toEqual(['file']);
		expect([...kinds('mail a.txt to ann@b.example')].sort()).toEqual(['email', 'file']);
	});

	test.each([
		'what is the weather',
		'and/or',
		'it costs 3.5',
		'at 12:30',
		'the end.',
		'version 1.2.3',
		'meet at 9 a.m. today',
		'use e.g. a map',
	])('but none is found in %j', (query) => {
		expect(kinds(query)).toEqual([]);
	});
});

describe('small talk', () => {
	test('is separated from the request', () => {
		expect(words('Say hello, find the weather', 'smallTalk')).toEqual(['hello', 'find']);
	});

	test('is not recognised inside quotation marks', () => {
		expect(words('a page called "hello friends"', 'smallTalk')).toEqual([]);
	});
});

test('letters after an apostrophe are not a word', () => {
	expect(words("what's Ann’s file, we'll see, I've it, I'd I'm they're")).toEqual(
		words('what Ann file, we see, I it, I I they'),
	);
	expect(words("it's, that’s.")).toEqual(['it', 'that']);
});

describe('proper names', () => {
	const names = (query: string) => readQuery(query).words.filter((word) => word.isName);

	test('are capitalised words inside a sentence', () => {
		expect(names('post it on (Slack) for Émile').map(({ text }) => text)).toEqual(['slack', 'emile']);
	});

	test('are not recognised at the start of a sentence or in all capitals', () => {
		expect(names('Delete the file')).toEqual([]);
		expect(names('DELETE THE FILE')).toEqual([]);
	});
});

describe('the clauses of a sentence', () => {
	test.each([
		['read a file and post it', ['read a file', 'and post it']],
		['read a file, post it', ['read a file', 'post it']],
		['Read a file. Post it!', ['read a file', 'post it']],
		['read a file & post it', ['read a file', 'post it']],
		['read a file; then post it', ['read a file', 'then post it']],
		['read a file', ['read a file']],
	])('are separated in %j', (query, parts) => {
		expect(clauses(query)).toEqual(parts);
	});

	test('are not separated by punctuation inside a word', () => {
		expect(clauses('send the file-list v1.2 of a/b')).toHaveLength(1);
	});
});

describe('unusual input is read to its end', () => {
	const long = 4000;
	const odd = [
		'"',
		"'",
		'`',
		'<',
		'“',
		'«',
		'7',
		'/',
		'.',
		'@',
		')',
		'(',
		'a.',
		'a@',
		"a'",
		'-',
		'\\',
		'€',
		'\ud800',
	];
	test.each(odd)('when it has thousands of %j', (character) => {
		const text = character.repeat(long / character.length);
		for (const query of [text, `a ${text}`, `${text} a`]) {
			expect(readQuery(query).words.length).toBeLessThanOrEqual(query.length);
		}
	});
});
