import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import type { ServerLaunch } from '../../../../src/config/servers/launch.ts';
import { approvalHash, launchFacts } from '../../../../src/mcp/accepted/launchFacts.ts';

/** The user's file with a server `one`, read in a window with this folder or without one. */
function load(entry: object, workspaceFolder?: string) {
	const text = JSON.stringify({ servers: { one: entry, other: { command: 'x' } } });
	const env = { KEY: 'k' };
	return loadConfig(text, {
		file: 'file:///home/ada/casual_mcp_config.json',
		...(workspaceFolder && { workspaceFolder }),
		env,
		ofUser: { home: '/home/ada' },
	});
}

function launch(entry: object, workspaceFolder?: string): ServerLaunch {
	const found = load(entry, workspaceFolder).config?.launches.get('one');
	if (!found) throw new Error('the server is off');
	return found;
}

const folder = `\${workspaceFolder}`;

describe('a server in the user’s own file', () => {
	test.each([
		['nothing of the workspace', { command: 'npx', args: ['-y', 'memory'] }],
		['the folder as what it works on', { command: 'npx', args: ['files', folder], env: { ROOT: folder } }],
		['the folder as where it starts', { command: 'files-server', cwd: folder }],
		['a secret beside the folder', { command: 'npx', args: ['files', folder], env: { KEY: `\${env:KEY}` } }],
		['an address', { url: 'https://example.com/mcp' }],
	])('with %s is the same in all workspaces and needs only one approval', (_, entry) => {
		const [here, there] = [launch(entry, '/code/a'), launch(entry, '/code/b')];
		expect(here.ofUser && there.ofUser).toBe(true);
		expect(approvalHash(here)).toBe(approvalHash(there));
		expect(JSON.stringify(launchFacts(here))).not.toContain('/code/a');
	});

	test('still starts with the open folder', () => {
		expect(launch({ command: 'npx', args: [folder], cwd: `${folder}/x` }, '/code/a')).toMatchObject({
			args: ['/code/a'],
			cwd: path.resolve('/code/a/x'),
		});
	});

	test.each([
		['its command', { command: `${folder}/server` }],
		['the folder of a command that is looked for there', { command: './server', cwd: folder }],
		['where a package is looked for first', { command: 'npx', args: ['-y', 'memory'], cwd: folder }],
		['the folder as the package', { command: 'npx.cmd', args: ['-y', folder] }],
		['a script', { command: '/usr/bin/node', args: [`${folder}/server.js`] }],
		['where modules are looked for', { command: 'python3.12', args: ['-m', 'server'], cwd: folder }],
		['a project', { command: 'uv', args: ['--directory', folder, 'run', 'server'] }],
		['a script of a project', { command: 'uv', args: ['run', '--with', 'mcp', `${folder}/server.py`] }],
		['a variable that loads code', { command: 'node', env: { NODE_OPTIONS: `--require ${folder}/x.js` } }],
	])('whose program depends on the workspace, by %s, needs approval in each workspace', (_, entry) => {
		const [here, there] = [launch(entry, '/code/a'), launch(entry, '/code/b')];
		expect(here.ofUser ?? there.ofUser).toBeUndefined();
		expect(here.runsFolder).toBe(true);
		expect(approvalHash(here)).not.toBe(approvalHash(there));
		expect(JSON.stringify(launchFacts(here))).toMatch(/code[\\/]+a/);
	});

	test('starts in the home folder, and relative folders start there', () => {
		expect(launch({ command: 'npx' })).toMatchObject({ cwd: path.resolve('/home/ada') });
		expect(launch({ command: 'npx', cwd: 'tools' }, '/code/a')).toMatchObject({
			cwd: path.resolve('/home/ada/tools'),
		});
	});

	test('is disabled with an error when it needs the workspace folder and none is open', () => {
		const { config, problems } = load({ command: 'npx', args: [folder] });
		expect([...(config?.launches.keys() ?? [])]).toEqual(['other']);
		expect(problems.map(({ path, message }) => [path.join('.'), message])).toEqual([
			['servers.one.args.0', expect.stringMatching(/needs an open folder/)],
		]);
	});
});
