import { describe, expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { type ConfigPart, mergeConfigs } from '../../../src/config/merge.ts';
import type { Elsewhere } from '../../../src/config/secrets/variables.ts';
import { wireName } from '../../../src/discovery/catalog/wireNames.ts';

function configOf(file: string, content: object, elsewhere?: Elsewhere): Config {
	const scope = { file, workspaceFolder: '/app', env: {}, ...(elsewhere && { elsewhere }) };
	const { config } = loadConfig(JSON.stringify(content), scope);
	if (!config) throw new Error('the file cannot be read');
	return config;
}

const ofFolder = (folder: string, file: object, off: readonly string[] = []): ConfigPart<string> => ({
	file: folder,
	folder,
	config: configOf(folder, file),
	off,
});
const ofUser = (file: object): ConfigPart<string> => ({
	file: 'user',
	config: configOf('user', file),
	off: [],
});

/** A file with these servers. The command of each names its owner. */
const withServers = (owner: string, ...names: readonly string[]) => ({
	servers: Object.fromEntries(names.map((name) => [name, { command: `${owner}-${name}` }])),
});

function commandsOf({ launches }: Config): Record<string, string> {
	return Object.fromEntries(
		[...launches].map(([name, launch]) => [name, launch.kind === 'stdio' ? launch.command : launch.url]),
	);
}

describe('servers from several files', () => {
	test('are merged, and a folder’s server overrides the user’s server of the same name', () => {
		const { config, servers } = mergeConfigs([
			ofFolder('app', withServers('app', 'git')),
			ofUser(withServers('user', 'git', 'notes')),
		]);
		expect(commandsOf(config)).toEqual({ git: 'app-git', notes: 'user-notes' });
		expect(servers.get('git')).toMatchObject({ file: 'app', key: 'git', replacesUsers: true });
		expect(servers.get('notes')).toMatchObject({ file: 'user', key: 'notes', replacesUsers: false });
		for (const [name, { launch }] of servers) expect(launch).toBe(config.launches.get(name));
	});

	test('get the folder in their name only if two folders have the same name', () => {
		const { config, servers } = mergeConfigs([
			ofFolder('app', withServers('app', 'git', 'memory')),
			ofFolder('web', withServers('web', 'git')),
			ofUser(withServers('user', 'git')),
		]);
		expect(commandsOf(config)).toEqual({
			'git (app)': 'app-git',
			memory: 'app-memory',
			'git (web)': 'web-git',
		});
		expect(servers.get('git (web)')).toMatchObject({ file: 'web', key: 'git', name: 'git (web)' });
	});

	test('get a suffix if another server already has that name', () => {
		const { config } = mergeConfigs([
			ofFolder('app', withServers('app', 'git')),
			ofFolder('web', withServers('web', 'git', 'git (app)')),
		]);
		expect(commandsOf(config)).toEqual({
			'git (app) 2': 'app-git',
			'git (web)': 'web-git',
			'git (app)': 'web-git (app)',
		});
	});

	test('have unique, valid wire names, whatever their folders are called', () => {
		const folders = ['app', 'my app', 'приложение', 'app\n', 'a'.repeat(300)];
		const [first, ...others] = folders.map((folder) => ofFolder(folder, withServers('x', 'git')));
		if (!first) throw new Error('there are folders');
		const { config } = mergeConfigs([first, ...others]);
		const names = [...config.launches.keys()].map((server) => wireName({ server, name: 'git_log' }));
		expect(new Set(names).size).toBe(folders.length);
		for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
		for (const name of config.launches.keys()) expect(name).not.toMatch(/\n/);
	});

	test('do not fall back to the user’s server when the folder’s one is disabled by an error', () => {
		const { config, servers } = mergeConfigs([
			ofFolder('app', {}, ['git']),
			ofUser(withServers('user', 'git')),
		]);
		expect(config.launches.size).toBe(0);
		expect(config.policy.servers.has('git')).toBe(false);
		expect(servers.get('git')).toMatchObject({ file: 'app', launch: undefined });
	});

	test('keep the deferral settings of their own file', () => {
		const pinned = (owner: string) => ({ servers: { git: { command: owner, pinned: [owner] } } });
		const { config } = mergeConfigs([ofFolder('app', pinned('app')), ofFolder('web', pinned('web'))]);
		expect(config.policy.servers.get('git (web)')?.pinned).toEqual(['web']);
	});
});

describe('discovery settings', () => {
	const on = { tool_discovery: { enabled: true, max_search_results: 7 } };
	const off = { tool_discovery: { enabled: false } };

	test('come as a whole from the first folder that has any', () => {
		const merged = mergeConfigs([
			ofFolder('app', {}),
			ofFolder('web', on),
			ofFolder('old', off),
			ofUser(off),
		]);
		expect(merged.config.policy).toMatchObject({ enabled: true, maxSearchResults: 7 });
		expect(merged.discovery).toBe('web');
	});

	test('come from the user’s file if no folder has any, including aliases', () => {
		const merged = mergeConfigs([ofFolder('app', {}), ofUser({ lazy_mcp: true })]);
		expect(merged.config.policy.enabled).toBe(true);
		expect(merged.discovery).toBe('user');
	});
});

describe('clients, models, toolsets and prompts', () => {
	const client = (url: string) => ({ provider: 'openai', base_url: url });

	test('come from the first file that has the name, and a model uses the client of its own file', () => {
		const merged = mergeConfigs([
			ofFolder('app', { clients: { router: client('https://app.example/v1') } }),
			ofUser({
				clients: { router: client('https://user.example/v1') },
				models: { gpt: { client: 'router', model: 'x' } },
				prompts: ['What is new?'],
			}),
		]);
		expect(merged.config.clients.map(({ file, name }) => [file, name])).toEqual([
			['app', 'router'],
			['user', 'router'],
		]);
		expect(merged.config.clientsWithoutModels.map(({ baseUrl }) => baseUrl)).toEqual([
			'https://app.example/v1',
		]);
		expect(merged.config.models.get('gpt')).toMatchObject({
			file: 'user',
			client: { file: 'user', baseUrl: 'https://user.example/v1' },
		});
		expect(merged.config.prompts).toEqual(['What is new?']);
	});

	test('of folders come before those of the user', () => {
		const models = (name: string) => ({
			clients: { [name]: client(`https://${name}.example/v1`) },
			models: { [name]: { client: name, model: 'x' } },
		});
		const merged = mergeConfigs([
			ofFolder('app', models('a')),
			ofFolder('web', models('b')),
			ofUser(models('c')),
		]);
		expect([...merged.config.models.keys()]).toEqual(['a', 'b', 'c']);
	});

	test('of a folder may use the user’s clients, which then add no models of their own', () => {
		const users = ofUser({ clients: { router: client('https://user.example/v1') } });
		const models = { models: { gpt: { client: 'router', model: 'x' } } };
		const elsewhere = { servers: [], clients: users.config.clients };
		const folder = { file: 'app', folder: 'app', config: configOf('app', models, elsewhere), off: [] };
		const { config } = mergeConfigs([folder, users]);
		expect(config.models.get('gpt')).toMatchObject({ file: 'app', client: { file: 'user' } });
		expect(config.clientsWithoutModels).toEqual([]);
		expect(configOf('app', models).models.size).toBe(0);
	});

	test('a toolset refers to servers of its own file, then to those of others, then to all of that name', () => {
		const toolset = { tool_sets: { all: { servers: { git: true, notes: true } } } };
		const { config } = mergeConfigs([
			ofFolder('app', { ...withServers('app', 'git'), ...toolset }),
			ofFolder('web', withServers('web', 'git')),
			ofUser({ ...withServers('user', 'notes'), tool_sets: { mine: { servers: { git: true } } } }),
		]);
		expect([...(config.toolsets.get('all')?.servers.keys() ?? [])]).toEqual(['git (app)', 'notes']);
		expect([...(config.toolsets.get('mine')?.servers.keys() ?? [])]).toEqual(['git (app)', 'git (web)']);
	});
});
