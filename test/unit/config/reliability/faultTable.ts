import type { Fault } from '../fixtures.ts';
import { fileFaults, valueFaults } from './fileFaults.ts';
import { modelFaults, toolsetFaults } from './modelFaults.ts';
import { addressFaults, launchFaults, nameFaults, variableFaults } from './serverFaults.ts';

/** All faults of a file that can still be read. */
export const faults: readonly Fault[] = [
	...fileFaults,
	...launchFaults,
	...addressFaults,
	...variableFaults,
	...nameFaults,
	...valueFaults,
	...modelFaults,
	...toolsetFaults,
];

/** What shows that a fault is handled: rows of these tables, or a test elsewhere. */
export type Proof = readonly string[] | { readonly file: string; readonly test: string };

/** Every fault whose handling is promised, and what shows it. */
export const listedFaults: readonly (readonly [fault: string, proof: Proof])[] = [
	['cut off in the middle', ['cut off in an object', 'cut off in a text', 'cut off after a name']],
	['empty', ['empty', 'comments only']],
	[
		'comments, trailing commas, byte order mark',
		{
			file: 'test/unit/config/load.test.ts',
			test: 'may have comments, trailing commas and a byte order mark',
		},
	],
	['not UTF-8, NUL', ['not UTF-8', 'UTF-16', 'NUL', 'a NUL at the end']],
	['over 1 MB', ['over 1 MB', 'over 1 MB of what takes more bytes than characters']],
	['deeper than 64', ['too deep', 'far too deep']],
	[
		'the same key twice',
		['same key twice', 'same key twice in an entry', 'same key twice, one of them escaped'],
	],
	[
		'keys that name prototypes',
		['constructor as a key', '__proto__ deep inside', '__proto__ as a setting of a tool'],
	],
	['top level not an object', ['a list', 'a text', 'a number', 'null']],
	['unknown key', ['unknown key', 'unknown key in another style', 'unknown key that other programs know']],
	['neither or both of command and url', ['neither command nor url', 'both command and url']],
	[
		'command that cannot be run',
		['command empty', 'command not a string', 'command with a newline', 'command a list'],
	],
	[
		'command with arguments',
		['command with arguments', 'command with a path and options', 'command of a shell'],
	],
	['wrong types', ['argument of the wrong type', 'variable of the wrong type', 'header of the wrong type']],
	[
		'names that hijack',
		[
			'variable that hijacks',
			'variable that finds other programs',
			'variable that hijacks, in small letters',
		],
	],
	['an unset variable', ['unset variable', 'unset variable in an address']],
	[
		'a literal key',
		[
			'literal key',
			'literal key in a header',
			'literal key behind an option',
			'literal key of a client',
			'key in an address',
		],
	],
	[
		'addresses of other kinds',
		['javascript address', 'file address', 'data address', 'javascript address of a client'],
	],
	['credentials in an address', ['credentials in an address', 'credentials in the address of a client']],
	['plain http to another machine', ['headers in the clear', 'key to another machine in the clear']],
	[
		'line breaks in an address or header',
		['line break in an address', 'line break in a header', 'line break in a written header'],
	],
	[
		'unknown transport or provider',
		['unknown transport', 'transport of the wrong type', 'unknown provider', 'provider of the wrong type'],
	],
	[
		'names of servers',
		[
			'name of dots',
			'name with a slash',
			'name too long',
			'names that become one',
			'names that differ in case',
		],
	],
	['emoji as a name', { file: 'test/unit/config/servers/servers.test.ts', test: 'may be called %s' }],
	['names of synthetic tools', ['name of a synthetic tool', 'name of the tool that calls']],
	['a model whose client does not exist', ['model without its client', 'model of a faulty client']],
	[
		'a new origin for a key',
		{
			file: 'test/unit/vscode/secrets/keyRules.test.ts',
			test: 'then the user is asked before it goes to %s',
		},
	],
	[
		'a template outside its folder',
		['template outside its folder', 'template in a folder', 'template of another disk'],
	],
	[
		'a link out of that folder',
		{ file: 'test/sandbox/systemTemplate.test.ts', test: 'links and names that lead out of the folder' },
	],
	[
		'numbers',
		['number out of range', 'number beyond all numbers', 'number in quotes', 'number with a fraction'],
	],
	['"true" for true', ['"true" for true', '"false" for false', 'number for a flag']],
	[
		'times below a second',
		{ file: 'test/unit/config/settings/environmentSettings.test.ts', test: 'that is less than a second' },
	],
	[
		'cwd missing or outside the workspace',
		{ file: 'test/unit/config/missingReferences.test.ts', test: 'a folder that is gone' },
	],
	[
		'.env with proxies or NODE_*',
		{ file: 'test/unit/config/secrets/dotenv.test.ts', test: 'proxies and whatever hijacks' },
	],
	[
		'nothing of .env enters the process',
		{ file: 'test/unit/config/secrets/dotenv.test.ts', test: 'nothing of .env enters the process' },
	],
];
