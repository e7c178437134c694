/** Files that cannot be read, with the first thing that is told of them. */
export const unreadableFiles: readonly (readonly [fault: string, text: string, problem: string])[] = [
	['empty', '', 'error 1:1 The file is empty; it needs at least {}.'],
	['comments only', '// nothing\n', 'error 1:1 The file is empty; it needs at least {}.'],
	['a list', '[1]', 'error 1:1 expected an object in braces at the top of the file, not a list'],
	['a text', '\n"x"', 'error 2:1 expected an object in braces at the top of the file, not a string'],
	[
		'cut off in an object',
		'{ "servers": {\n "a": {',
		'error 2:8 The file ends too early: expected a closing brace }.',
	],
	['cut off in a text', '{ "servers": {\n "a', 'error 2:2 expected a closing double quote on the same line'],
	[
		'cut off after a name',
		'{\n "servers"',
		'error 2:11 The file ends too early: expected a colon after the name.',
	],
	['a comma missing', '{ "a": 1\n "b": 2 }', 'error 2:2 expected a comma before the next entry'],
	[
		'a name without quotes',
		'{ servers: {} }',
		'error 1:3 this is not JSON; texts and names stand in double quotes',
	],
	['more after the end', '{}\n{}', 'error 2:1 expected nothing more after the closing brace'],
	['NUL', '{\n"a": "\0" }', 'error 2:7 The file holds a NUL character; save it as UTF-8 text.'],
	[
		'over 1 MB',
		`{ "$schema": "${'x'.repeat(1_000_000)}" }`,
		'error 1:1 The file has 1000017 bytes; at most 1000000 are read.',
	],
	['too deep', `{\n"a": ${'['.repeat(64)}`, 'error 2:69 nested deeper than 64 levels'],
	['far too deep', `{\n"a": ${'['.repeat(100_000)}`, 'error 2:69 nested deeper than 64 levels'],
	['a NUL at the end', '{}\0', 'error 1:3 The file holds a NUL character; save it as UTF-8 text.'],
	[
		'UTF-16',
		new TextDecoder().decode(Buffer.from('\uFEFF{ "servers": {} }', 'utf16le')),
		'error 1:4 The file holds a NUL character; save it as UTF-8 text.',
	],
	['a number', '5', 'error 1:1 expected an object in braces at the top of the file, not a number'],
	['null', 'null', 'error 1:1 expected an object in braces at the top of the file, not null'],
	[
		'over 1 MB of what takes more bytes than characters',
		`{ "$schema": "${'€'.repeat(400_000)}" }`,
		'error 1:1 The file has 1200017 bytes; at most 1000000 are read.',
	],
];
