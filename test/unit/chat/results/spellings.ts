/** Ways to write the same words: what they are called, and how a text is written so. Written before the rule that recognizes them. */
export const spellings: readonly (readonly [name: string, write: (text: string) => string])[] = [
	['as it is', (text) => text],
	['joined by dashes', (text) => text.replaceAll(' ', '-')],
	['joined by dots', (text) => text.replaceAll(' ', '.')],
	['joined by slashes', (text) => text.replaceAll(' ', '/')],
	['joined by underscores', (text) => text.replaceAll(' ', '_')],
	['joined by nothing', (text) => text.replaceAll(' ', '')],
	['in capitals', (text) => text.toUpperCase()],
	['in capitals joined by dashes', (text) => text.toUpperCase().replaceAll(' ', '-')],
	['in camel case', (text) => text.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())],
	['with blanks between letters', (text) => text.split('').join(' ')],
	[
		'in full width',
		(text) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
	],
	['escaped for an address', (text) => encodeURIComponent(text)],
	[
		'with every character escaped for an address',
		(text) =>
			bytesOf(text)
				.map((byte) => `%${byte}`)
				.join(''),
	],
	['as a form sends it', (text) => new URLSearchParams({ q: text }).toString()],
	['in Base64', (text) => Buffer.from(text).toString('base64')],
	['in Base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
	['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
	['in decimal entities', (text) => text.replace(/./gs, (one) => `&#${one.charCodeAt(0)};`)],
	[
		'in hexadecimal entities',
		(text) => text.replace(/./gs, (one) => `&#x${one.charCodeAt(0).toString(16)};`),
	],
	[
		'in escapes of JSON',
		(text) => text.replace(/./gs, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
	],
	['as JSON within JSON', (text) => JSON.stringify(JSON.stringify({ text }))],
	['with tags between words', (text) => text.replaceAll(' ', '</b> <b>')],
	['in lines of a quotation', (text) => text.replaceAll(' ', '\n> ')],
	// Written after the rule.
	[
		'in Base64 in lines',
		(text) =>
			Buffer.from(`${text} ${'and so on '.repeat(9)}`)
				.toString('base64')
				.replace(/.{76}/g, '$&\r\n'),
	],
	[
		'in Base64 behind a path',
		(text) => `https://x.example/img/${Buffer.from(text).toString('base64url')}.png`,
	],
	['in Base64 of a JSON text', (text) => Buffer.from(JSON.stringify({ q: text })).toString('base64')],
	['in Base64 of UTF-16', (text) => Buffer.from(text, 'utf16le').toString('base64')],
	['in a data address', (text) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`],
	['in Base64 that an address escapes', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
	['in hexadecimal with colons', (text) => bytesOf(text).join(':')],
	['in hexadecimal capitals with blanks', (text) => bytesOf(text).join(' ').toUpperCase()],
	[
		'in hexadecimal numbers',
		(text) =>
			bytesOf(text)
				.map((byte) => `0x${byte}`)
				.join(', '),
	],
	[
		'in escapes of a program',
		(text) =>
			bytesOf(text)
				.map((byte) => `\\x${byte}`)
				.join(''),
	],
	[
		'in escapes of JavaScript',
		(text) => text.replace(/./gs, (one) => `\\u{${one.charCodeAt(0).toString(16)}}`),
	],
	[
		'with small letters as capitals',
		(text) => text.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase())),
	],
	[
		'in bold letters',
		(text) => text.replace(/[a-z]/g, (one) => String.fromCodePoint(0x1d41a + one.charCodeAt(0) - 0x61)),
	],
	[
		'in letters in circles',
		(text) => text.replace(/[a-z]/g, (one) => String.fromCodePoint(0x24d0 + one.charCodeAt(0) - 0x61)),
	],
	['with accents on vowels', (text) => text.replace(/[aeiou]/g, '$&\u0301').normalize('NFC')],
	['with invisible characters', (text) => text.split('').join('\u200b')],
	['with soft hyphens', (text) => text.split('').join('\u00ad')],
	['with blanks that do not break', (text) => text.replaceAll(' ', '\u00a0\u00a0')],
	['with words in bold', (text) => text.replaceAll(' ', '** **')],
	['in cells of a table', (text) => text.replaceAll(' ', ' | ')],
	['with pictures between words', (text) => text.replaceAll(' ', ' 🎉 ')],
	['in typographic quotation marks', (text) => `„${text.replaceAll(' ', '” „')}“`],
	['with an entity for blanks', (text) => text.replaceAll(' ', '&nbsp;')],
	['as an attribute of HTML', (text) => `<a title="${text.replaceAll(' ', '&#32;')}">`],
	['in escaped slashes of JSON', (text) => text.replaceAll(' ', '\\/').replaceAll('/', '\\/')],
	['as a text of JSON in an address', (text) => encodeURIComponent(JSON.stringify({ text }))],
];

function bytesOf(text: string): string[] {
	return [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0'));
}

/** Words that are worth telling apart by their kind. */
export const otherWords: readonly (readonly [what: string, words: string])[] = [
	['a sentence', 'Meeting with Ada about the merger, Tuesday at nine'],
	['a sentence with accents', 'Réunion à Zürich: la façade ÉTÉ sera repeinte'],
	['a key', 'k3y-A1b2C3d4'],
	['an address', 'ada.b@evil.example'],
	['a path', '/home/ann/.ssh/id_rsa'],
];
