import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerDraft } from '../../../../src/config/add/serverDraft.ts';
import { envFilePath, withEnvFile } from '../../../../src/config/import/foreignVariables.ts';
import { convertServers } from '../../../../src/config/import/importedServer.ts';
import { scope } from '../fixtures.ts';
import { read } from './fixtures.ts';

const v = (name: string) => `\${${name}}`;

function serverWith(entry: object): ServerDraft {
	const [server] = read('VS Code', JSON.stringify({ servers: { acme: { command: 'x', ...entry } } })).servers;
	if (!server) throw new Error('the entry could not be read');
	return server;
}

describe('the envFile of a server', () => {
	test.each([
		[`${v('workspaceFolder')}/.env`, '/work space/project/.env'],
		['sub/x.env', '/work space/project/sub/x.env'],
		['~/x.env', '/home/ada/x.env'],
		[`${v('userHome')}${v('/')}x.env`, '/home/ada/x.env'],
		[`${v('env:TOKEN')}.env`, '/work space/project/hush-hush.env'],
		[`${v('env:NOPE')}.env`, undefined],
		[`${v('command:pick')}`, undefined],
	])('is located: %s', (envFile, file) => {
		expect(envFilePath(serverWith({ envFile }), scope)).toBe(file && path.resolve(file));
	});

	test('is ignored when there is none or the server is remote', () => {
		expect(envFilePath(serverWith({}), scope)).toBeUndefined();
		const remote = read('VS Code', '{ "servers": { "a": { "url": "https://x.test", "envFile": "x" } } }')
			.servers[0];
		expect(remote?.notes).toEqual(['"envFile" is ignored: it has no effect on a remote server.']);
	});

	test('adds its variables after "env", with its secrets removed', () => {
		const server = serverWith({ envFile: '.env', env: { LOG: 'info' } });
		const text = '# mine\nLOG=debug\nREGION="eu west"\nexport DB_PASS=hunter2\nNODE_OPTIONS=--inspect\n';
		const [imported] = convertServers([withEnvFile(server, text)], { env: {}, platform: 'linux' });
		expect(imported?.entry).toEqual({
			command: 'x',
			env: { REGION: 'eu west', DB_PASS: v('env:DB_PASS'), NODE_OPTIONS: '--inspect', LOG: 'info' },
			defer_loading: true,
		});
		expect(imported?.secrets).toEqual([{ name: 'DB_PASS', value: 'hunter2' }]);
		expect(imported?.notes).toMatchSnapshot();
	});

	test.each([
		['could not be read', undefined],
		['has nothing', '# nothing\n'],
		['has far too much', Array.from({ length: 600 }, (_, index) => `V${index}=1`).join('\n')],
	])('gives a note when it %s', (_, text) => {
		const server = withEnvFile(serverWith({ envFile: '.env' }), text);
		expect(server.notes).toMatchSnapshot();
		expect(server.entry).toEqual({ command: 'x', defer_loading: true });
	});
});
