import { expect, test } from 'vitest';
import { childEnvironment } from '../../../../src/mcp/stdio/childEnvironment.ts';

const own = {
	PATH: '/bin',
	HOME: '/home/ada',
	OPENAI_API_KEY: 'sk',
	NODE_OPTIONS: '--inspect',
	LANG: '() { evil; }',
};

test('a server inherits what programs need, and neither keys nor what hijacks a process', () => {
	expect(childEnvironment({}, own, 'linux')).toEqual({ PATH: '/bin', HOME: '/home/ada' });
});

test('what its entry declares is added and wins', () => {
	expect(childEnvironment({ PATH: '/opt', TOKEN: 't' }, own, 'linux')).toMatchObject({
		PATH: '/opt',
		TOKEN: 't',
	});
});

test('on Windows names are found in any case', () => {
	expect(childEnvironment({}, { Path: 'C:\\bin', SystemRoot: 'C:\\Windows' }, 'win32')).toEqual({
		Path: 'C:\\bin',
		SystemRoot: 'C:\\Windows',
	});
});
