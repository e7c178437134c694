import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import type { ServerLaunch } from '../../../../src/config/servers/launch.ts';
import { approvalHash, launchFacts } from '../../../../src/mcp/accepted/launchFacts.ts';

/** The user's file with a server `one`, read in a window with this folder or without one. */
function load(entry: object, workspaceFolder?: string) {
	const text = JSON.stringify({ servers: { one: entry, other: { command: 'x' } } });
	const env = {
		HOME: '/home/ada',
		KEY: 'k',
		PWD: workspaceFolder ?? '/home/ada',
		HERE: `${workspaceFolder}/x.js`,
	};
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
	const files = '@modelcontextprotocol/server-filesystem';
	test.each([
		['nothing of the workspace', { command: 'npx', args: ['-y', 'memory'] }],
		['a script of the user', { command: 'node', args: [`\${userHome}/server.js`], cwd: 'tools' }],
		['the folder for a package that only reads files', { command: 'npx', args: ['-y', files, folder] }],
		['the same without an option', { command: 'npx', args: [files, folder] }],
		['the same with the long option', { command: 'npx', args: ['--yes', files, folder] }],
		['a version of it', { command: 'npx', args: ['-y', `${files}@2025.8.21`, folder] }],
		[
			'several folders',
			{ command: 'npx', args: ['-y', files, `${folder}/docs`, `\${userHome}/notes`, folder] },
		],
		['a secret beside the folder', { command: 'npx', args: [files, folder], env: { KEY: `\${env:KEY}` } }],
		['an address', { url: 'https://example.com/mcp' }],
	])('with %s is the same in all workspaces and needs only one approval', (_, entry) => {
		const [here, there] = [launch(entry, '/code/a'), launch(entry, '/code/b')];
		expect(here.ofUser && there.ofUser).toBe(true);
		expect(here.usesFolder ?? there.usesFolder).toBeUndefined();
		expect(approvalHash(here)).toBe(approvalHash(there));
		expect(JSON.stringify(launchFacts(here))).not.toContain('/code/a');
	});

	test('still starts with the open folder', () => {
		expect(launch({ command: 'npx', args: [files, folder], cwd: 'x' }, '/code/a')).toMatchObject({
			args: [files, '/code/a'],
			cwd: path.resolve('/home/ada/x'),
		});
	});

	const at = (...args: string[]) => ({ args });
	test.each<[string, object]>([
		['its command', { command: `${folder}/server` }],
		['a part of its command', { command: `/opt/\${workspaceFolderBasename}/server` }],
		['the folder of a command that is looked for there', { command: './server', cwd: folder }],
		['where a program starts', { command: 'files-server', cwd: folder }],
		['where a package is looked for first', { command: 'npx', args: ['-y', 'memory'], cwd: folder }],
		[
			'where the package of files is looked for first',
			{ command: 'npx', args: ['-y', files, folder], cwd: folder },
		],
		['a folder below it to start in', { command: 'npx', args: ['-y', files], cwd: `${folder}/tools` }],
		['the folder as the package', { command: 'npx.cmd', ...at('-y', folder) }],
		['a package with the folder’s name', { command: 'npx', ...at('-y', `\${workspaceFolderBasename}`) }],
		['a package of files', { command: 'npx', ...at('-y', `file:${folder}/server`) }],
		['a version that is a folder', { command: 'npx', ...at('-y', `${files}@file:${folder}`) }],
		['another package', { command: 'npx', ...at('-p', `${folder}/evil`, files, folder) }],
		['code before the package', { command: 'npx', ...at('-c', `${folder}/evil.sh`, files) }],
		['npm’s folder', { command: 'npx', ...at('--prefix', folder, files, folder) }],
		['npm’s settings', { command: 'npx', ...at(`--userconfig=${folder}/.npmrc`, files, folder) }],
		['a package that nobody knows', { command: 'npx', ...at('-y', 'linter-server', folder) }],
		['a package with a similar name', { command: 'npx', ...at('-y', `${files}-plus`, folder) }],
		[
			'a package of another scope',
			{ command: 'npx', ...at('-y', '@modelcontextprotoco1/server-filesystem', folder) },
		],
		['another program of that name', { command: '/tmp/npx', ...at('-y', files, folder) }],
		['another runner', { command: 'bunx', ...at(files, folder) }],
		['a script', { command: '/usr/bin/node', ...at(`${folder}/server.js`) }],
		['a script without an ending', { command: 'node', ...at(`${folder}/server`) }],
		['a module to load', { command: 'node', ...at('--import', `${folder}/x.mjs`, '/opt/server.js') }],
		[
			'a loader, joined to its option',
			{ command: 'node', ...at(`--require=${folder}/x.js`, '/opt/server.js') },
		],
		[
			'a settings file for the runtime',
			{ command: 'node', ...at(`--env-file=${folder}/.env`, '/opt/server.js') },
		],
		['what a program works on', { command: 'node', ...at('/opt/server.js', '--root', folder) }],
		['code in an argument', { command: 'python3', ...at('-c', `exec(open('${folder}/x').read())`) }],
		['where modules are looked for', { command: 'python3.12', ...at('-m', 'server'), cwd: folder }],
		['a project', { command: 'uv', ...at('--directory', folder, 'run', 'server') }],
		['a script of a project', { command: 'uv', ...at('run', '--with', 'mcp', `${folder}/server.py`) }],
		['a package of Python', { command: 'uvx', ...at('--from', folder, 'server') }],
		['a repository for Git', { command: 'uvx', ...at('mcp-server-git', '--repository', folder) }],
		['a requirements file', { command: 'uvx', ...at('--with-requirements', `${folder}/r.txt`, 'server') }],
		['an environment of pipx', { command: 'pipx', ...at('run', '--spec', folder, 'server') }],
		['a manifest', { command: 'cargo', ...at('run', `--manifest-path=${folder}/Cargo.toml`) }],
		['a package of Go', { command: 'go', ...at('run', '-C', folder, '.') }],
		['a project of .NET', { command: 'dotnet', ...at('run', '--project', folder) }],
		['a package of .NET', { command: 'dnx', ...at('Server', '--source', folder) }],
		['a library of Java', { command: 'java', ...at('-cp', `${folder}/lib/*`, 'Main') }],
		['an agent of Java', { command: 'java', ...at(`-javaagent:${folder}/a.jar`, '-jar', '/opt/server.jar') }],
		['a file of Deno', { command: 'deno', ...at('run', '-A', `${folder}/main.ts`) }],
		['a task of mise', { command: 'mise', ...at('-C', folder, 'run', 'server') }],
		['a makefile', { command: 'make', ...at('-f', `${folder}/Makefile`, 'serve') }],
		['a folder for make', { command: 'gmake', ...at(`--directory=${folder}`, 'serve') }],
		['a justfile', { command: 'just', ...at('--justfile', `${folder}/justfile`, 'serve') }],
		[
			'a compose file',
			{ command: 'docker', ...at('compose', '-f', `${folder}/compose.yaml`, 'run', 'server') },
		],
		[
			'a folder of a container',
			{ command: 'docker', ...at('run', '-i', '-v', `${folder}:/app`, 'node', '/app/x.js') },
		],
		['a context to build', { command: 'docker', ...at('buildx', 'build', folder) }],
		[
			'variables of a container',
			{ command: 'podman', ...at('run', '--env-file', `${folder}/.env`, 'server') },
		],
		['a flake', { command: 'nix', ...at('run', `path:${folder}`) }],
		['an environment to load', { command: 'direnv', ...at('exec', folder, 'server') }],
		['a shell’s code', { command: 'sh', ...at('-c', `cd ${folder} && ./server`) }],
		['a program behind another one', { command: 'env', ...at('-S', `${folder}/server`) }],
		['a program behind a timer', { command: 'timeout', ...at('9', `${folder}/server`) }],
		['a folder behind another program', { command: 'env', ...at(`--chdir=${folder}`, 'npx', 'server') }],
		['a script of PowerShell', { command: 'pwsh.exe', ...at('-File', `${folder}\\server.ps1`) }],
		['a command of Windows', { command: 'cmd', ...at('/c', `${folder}\\server.bat`) }],
		['a program on another machine', { command: 'wsl', ...at('--cd', folder, './server') }],
		['an unknown program', { command: 'serve-it', ...at(folder) }],
		['a variable that loads code', { command: 'node', env: { NODE_OPTIONS: `--require ${folder}/x.js` } }],
		['where modules are', { command: 'server', env: { PYTHONPATH: folder } }],
		['where programs are', { command: 'server', env: { PATH: `${folder}/bin:/usr/bin` } }],
		['a library to load first', { command: 'server', env: { LD_PRELOAD: `${folder}/x.so` } }],
		['settings of npm', { command: 'npx', args: [files, folder], env: { npm_config_prefix: folder } }],
		['any variable', { command: 'server', env: { MODE: `${folder}/x` } }],
		['a variable of the environment', { command: 'node', ...at(`\${env:HERE}`) }],
		['a variable that is the folder', { command: 'node', env: { ROOT: `\${env:PWD}` } }],
		['a variable for the package of files', { command: 'npx', ...at(files, `\${env:PWD}`) }],
		['the host of an address', { url: `https://\${workspaceFolderBasename}.example.com/mcp` }],
		['the path of an address', { url: `http://localhost:9000${folder}` }],
		['a header', { url: 'https://example.com/mcp', headers: { 'X-Root': folder } }],
		['a sign-in', { url: 'https://example.com/mcp', oauth: { client_id: `\${workspaceFolderBasename}` } }],
	])('that uses the workspace folder for %s needs approval in each workspace', (_, entry) => {
		const [here, there] = [launch(entry, '/code/a'), launch(entry, '/code/b')];
		expect(here.ofUser ?? there.ofUser).toBeUndefined();
		expect(here.usesFolder).toBe(true);
		if (!JSON.stringify(entry).includes('ROOT')) expect(approvalHash(here)).not.toBe(approvalHash(there));
	});

	test('says which folder it uses where it is approved', () => {
		expect(JSON.stringify(launchFacts(launch({ command: 'serve-it', args: [folder] }, '/code/a')))).toMatch(
			/code[\\/]+a/,
		);
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
