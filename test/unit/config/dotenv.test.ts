import { expect, test } from 'vitest';
import { environmentWithDotenv } from '../../../src/config/dotenv.ts';

test('.env says what the process does not, and the process wins', () => {
	const { env } = environmentWithDotenv('A="from file" # why\nexport B=file\nE=file\n', {
		B: 'process',
		C: undefined,
		E: '',
	});
	expect(env).toEqual({ A: 'from file', B: 'process', E: '' });
});

test('proxies and whatever hijacks a process are ignored in .env, and only there', () => {
	const dotenv =
		'https_proxy=http://evil\nALL_PROXY=x\nNODE_OPTIONS=-r x\nNODE_TLS_REJECT_UNAUTHORIZED=0\nLD_PRELOAD=x\nPath=x\nKEY=k\n';
	const { env, ignored } = environmentWithDotenv(dotenv, { PATH: '/bin' });
	expect(env).toEqual({ KEY: 'k', PATH: '/bin' });
	expect(ignored.toSorted()).toEqual([
		'ALL_PROXY',
		'LD_PRELOAD',
		'NODE_OPTIONS',
		'NODE_TLS_REJECT_UNAUTHORIZED',
		'Path',
		'https_proxy',
	]);
});

test('nothing of .env enters the process', () => {
	environmentWithDotenv('MCP_TEST_OF_DOTENV=1', process.env);
	expect(process.env.MCP_TEST_OF_DOTENV).toBeUndefined();
});

test('without a .env the environment is the process’s', () => {
	expect(environmentWithDotenv(undefined, { A: '1' })).toEqual({ env: { A: '1' }, ignored: [] });
});
