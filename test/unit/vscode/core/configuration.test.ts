import { describe, expect, test } from 'vitest';
import { trust } from '../editor.ts';
import { openConfiguration } from '../openConfiguration.ts';

/** A configuration with these servers, by name and command. */
const withServers = (servers: Readonly<Record<string, string>>) =>
	JSON.stringify({
		servers: Object.fromEntries(Object.entries(servers).map(([name, command]) => [name, { command }])),
	});

describe('given a folder with a configuration', () => {
	test('when a mistake is saved, then the last valid version stays in force, and its problem is named', async () => {
		const { configFile, change } = await openConfiguration({ work: withServers({ files: 'node' }) });
		await change('work', '{ "servers": { "files": ');
		expect(configFile.server('files')?.launch).toMatchObject({ command: 'node' });
		const { state } = configFile;
		expect('problems' in state && state.problems[0]?.severity).toBe('error');
	});

	test('when an edit of ours is read again from disk, then it is applied once', async () => {
		const { configFile, uriOf, textOf } = await openConfiguration({ work: withServers({ files: 'node' }) });
		const applied: string[] = [];
		configFile.onDidChange(({ kind }) => void applied.push(kind));
		await configFile.edit(
			(text) => [{ offset: text.indexOf('node'), length: 4, content: 'deno' }],
			uriOf('work'),
		);
		await configFile.reload();
		expect(applied).toEqual(['ok']);
		expect(configFile.server('files')?.launch).toMatchObject({ command: 'deno' });
		expect(textOf('work')).toBe(withServers({ files: 'deno' }));
	});

	test('when an edit cannot be made, then the file and what is in force stay', async () => {
		const { configFile, uriOf, textOf } = await openConfiguration({ work: withServers({ files: 'node' }) });
		await expect(configFile.edit(() => undefined, uriOf('work'))).rejects.toThrow('cannot be changed');
		expect(textOf('work')).toBe(withServers({ files: 'node' }));
		expect(configFile.server('files')).toBeDefined();
	});

	test('when a secret is stored, then servers that read it get it without a change of the file', async () => {
		const entry = { command: 'node', env: { TOKEN: `\${env:ACME_TOKEN}` } };
		const { configFile, secrets } = await openConfiguration({ work: JSON.stringify({ servers: { entry } }) });
		expect(configFile.server('entry')?.launch).toBeUndefined();
		const [file] = configFile.files;
		if (!file) throw new Error('there is no file');
		await secrets.store(file.folder, [{ name: 'ACME_TOKEN', value: 'abc' }]);
		await configFile.reload();
		expect(configFile.server('entry')?.launch).toMatchObject({ env: { TOKEN: 'abc' } });
	});

	test('when it is not trusted, then nothing of it is in force until it is', async () => {
		const { configFile } = await openConfiguration(
			{ work: withServers({ files: 'node' }) },
			{ isTrusted: false },
		);
		expect(configFile.inForce).toBeUndefined();
		trust();
		await configFile.reload();
		expect(configFile.inForce?.config.launches.has('files')).toBe(true);
	});
});

describe('given two folders and a file of the user', () => {
	const open = () =>
		openConfiguration(
			{ one: withServers({ files: 'node', web: 'deno' }), two: withServers({ files: 'bun' }) },
			{ users: withServers({ web: 'curl', mine: 'node' }) },
		);

	test('then every entry is a server with its file and its key there, and a folder overrides the user', async () => {
		const { configFile, uriOf } = await open();
		const state = configFile.inForce;
		const servers = [...(state?.servers.values() ?? [])];
		expect(servers.map(({ name, key, file }) => [name, key, file.label])).toMatchInlineSnapshot(`
			[
			  [
			    "files (one)",
			    "files",
			    "one",
			  ],
			  [
			    "web",
			    "web",
			    "one",
			  ],
			  [
			    "files (two)",
			    "files",
			    "two",
			  ],
			  [
			    "mine",
			    "mine",
			    "User Configuration",
			  ],
			]
		`);
		const users = configFile.userFile;
		if (!users) throw new Error('there is no file of the user');
		expect(configFile.serverInstead(users, 'web')?.file.label).toBe('one');
		expect(configFile.serverIn(users, 'web')).toBeUndefined();
		expect(configFile.serverIn(configFile.fileAt(uriOf('two')), 'files')?.launch).toMatchObject({
			command: 'bun',
		});
	});

	test('when two files change at once, then both are applied as one change', async () => {
		const { configFile, change } = await open();
		const applied: string[][] = [];
		configFile.onDidChange(() => void applied.push([...(configFile.inForce?.servers.keys() ?? [])]));
		await Promise.all([change('one', withServers({})), change('two', withServers({ web: 'deno' }))]);
		expect(applied).toEqual([['web', 'mine']]);
	});
});
