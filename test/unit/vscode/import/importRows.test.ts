import { describe, expect, test } from 'vitest';
import { planImport } from '../../../../src/config/import/importPlan.ts';
import {
	addedSummary,
	foundRows,
	oneOfEachName,
	serverRow,
	shownPath,
} from '../../../../src/vscode/import/importRows.ts';
import { scope } from '../../config/fixtures.ts';
import { braveKey, cursorFile, githubToken, imported, windsurfFile } from '../../config/import/fixtures.ts';

const servers = imported([
	['Cursor', cursorFile],
	['Windsurf', windsurfFile],
	[
		'Claude Desktop',
		JSON.stringify({ mcpServers: { github: { command: 'docker', env: { T_TOKEN: githubToken } } } }),
	],
]);
const existing = JSON.stringify({
	servers: { github: { command: 'x' }, mine: { url: 'https://mcp.example.com/mcp' } },
});
const plan = planImport(servers, existing, scope);
const planned = plan?.servers ?? [];
const files = [...new Set(planned.map(({ server }) => server.source.path))].map((path) => {
	const ofFile = planned.filter(({ server }) => server.source.path === path);
	const source = ofFile[0]?.server.source;
	if (!source) throw new Error('a file has servers');
	return {
		source,
		servers: ofFile,
		faults: path.includes('Cursor') ? ['The server "x" is not an object.'] : [],
	};
});
const rows = foundRows(files, (path) => `~${path}`);
const rowOf = (name: string) => {
	const row = rows.find((one) => one.kind === 'server' && one.planned.server.name === name);
	if (row?.kind !== 'server') throw new Error(`no row ${name}`);
	return row;
};

describe('given an import from three programs, where the configuration already has two servers', () => {
	test('then the rows are grouped by file, and entries that cannot be imported come last in each group', () => {
		expect(rows.map(({ kind, label }) => (kind === 'server' ? label : `${kind} ${label}`))).toMatchSnapshot();
	});

	test('then a server that exists already cannot be selected, and one with a taken name shows its new name', () => {
		expect(rowOf('oauth')).toMatchObject({
			isSelectable: false,
			description: '~/Cursor.json · already configured as mine',
		});
		expect(rowOf('github')).toMatchObject({
			isSelectable: true,
			description: '~/Claude Desktop.json · as github-2',
		});
	});

	test('then one server of each name stays ticked, the newest, and no fault', () => {
		const [github] = planned.filter(({ server }) => server.name === 'github');
		if (!github) throw new Error('it is planned');
		const other = serverRow({ ...github, name: 'github-2' }, '', 'npx github');
		const rowsToTick = [...rows, other].map((row) => ({ row }));
		const tickedBefore = (item: { row: (typeof rows)[number] }) => item.row !== other;
		const labels = (items: readonly { row: (typeof rows)[number] }[]) =>
			items.map(({ row }) => (row === other ? 'other' : row.label));
		const all = labels(oneOfEachName(rowsToTick, tickedBefore));
		expect(all).toContain('other');
		expect(all).not.toContain('github');
		expect(all).not.toContain('oauth');
		expect(all).not.toContain('Cannot be imported');
		expect(labels(oneOfEachName(rowsToTick, () => true))).not.toContain('other');
	});

	test('then Select All takes no guess, keeps the way that was chosen, and one tick takes a guess', () => {
		const [brave, github] = [rowOf('brave'), rowOf('github')];
		const chosen = serverRow(github.planned, '', 'npx github');
		const guess = {
			...serverRow({ ...brave.planned, name: 'git' }, 'npm package', 'npx git'),
			isGuess: true,
		};
		const rowsToTick = [brave, github, chosen, guess].map((row) => ({ row }));
		const ticked = (tickedBefore: readonly unknown[]) =>
			oneOfEachName(rowsToTick, ({ row }) => tickedBefore.includes(row)).map(({ row }) => row);
		expect(ticked([])).toEqual([brave, github]);
		expect(ticked([chosen])).toEqual([brave, chosen]);
		expect(ticked([brave, chosen, github])).toEqual([brave, github, guess]);
	});

	test('then each row shows what the server runs and the names of its secrets, but no secret value', () => {
		expect(rowOf('brave').detail).toContain('npx -y @smithery/cli@latest run');
		expect(rowOf('brave').detail).toContain('Secrets: BRAVE_BRAVE_API_KEY.');
		const shown = JSON.stringify(
			rows.map(({ kind, label, ...row }) => ({ kind, label, ...row, planned: undefined })),
		);
		expect(shown).not.toContain(braveKey);
		expect(shown).not.toContain(githubToken);
	});

	test('then only rows with something to know have notes: a fault, secrets, what is not imported', () => {
		const noted = rows.flatMap((row) => (row.kind !== 'heading' && row.notes !== '' ? [row.label] : []));
		expect(noted).toContain('brave');
		expect(noted).toContain('Cannot be imported');
		const [git] = imported([['Cursor', '{ "mcpServers": { "git": { "command": "git-server" } } }']]);
		if (!git) throw new Error('it is read');
		const alone = planImport([git], undefined, scope)?.servers ?? [];
		const [, row] = foundRows([{ source: git.source, servers: alone, faults: [] }], (path) => path);
		expect(row).toMatchObject({ kind: 'server', detail: 'git-server', notes: '' });
	});

	test('then the summary says how many servers were added, and what is left to do', () => {
		const done = { outcome: 'saved', unset: [], isOff: false, notRunning: [] } as const;
		expect(addedSummary(planned, done)).toBe('added 7 servers.');
		expect(
			addedSummary(planned.slice(1, 3), { ...done, outcome: 'unsaved', unset: ['A', 'B'], isOff: true }),
		).toMatchSnapshot();
	});

	test('when a single server was added, then the summary has its number of tools and its notes', () => {
		const [one] = imported([
			['Cursor', '{ "mcpServers": { "acme": { "command": "x", "sandbox": { "enabled": true } } } }'],
		]);
		const alone = planImport(one ? [one] : [], undefined, scope)?.servers ?? [];
		const done = { outcome: 'saved', unset: [], isOff: false, notRunning: [], brings: '9 tools' } as const;
		expect(one?.notes).not.toEqual([]);
		expect(addedSummary(alone, done)).toBe(['added acme: 9 tools.', ...(one?.notes ?? [])].join(' '));
	});

	test('when the only server does not run, then the summary names it once', () => {
		const notRunning = [{ name: 'brave', why: 'unreachable: getaddrinfo ENOTFOUND example.com' }];
		const done = { outcome: 'saved', unset: [], isOff: false } as const;
		expect(addedSummary(planned.slice(1, 2), { ...done, notRunning })).toMatch(
			/^added \S+\. (.*\. )?Not running: unreachable: getaddrinfo ENOTFOUND example\.com\.$/,
		);
	});

	test('when some servers do not run, then the summary names them and says why', () => {
		const notRunning = [
			{ name: 'brave', why: 'command not found' },
			{ name: 'no$(x)tes', why: 'crashed' },
		];
		expect(
			addedSummary(planned, { outcome: 'saved', unset: [], isOff: false, unapproved: 2, notRunning }),
		).toMatch(
			/ 2 servers need approval\. Not running: brave \(command not found\), no\$\u200b\(x\)tes \(crashed\)\.$/,
		);
	});
});

describe('given a server with many secrets and notes, and a long command', () => {
	const env = Object.fromEntries(
		Array.from({ length: 8 }, (_, index) => [`K${index}_TOKEN`, `acme-${index}9f8e7d6c`]),
	);
	const entry = {
		command: 'x',
		args: ['a'.repeat(5_000)],
		env,
		sandbox: true,
		alwaysAllow: ['read'],
		auth: {},
	};
	const [server] = imported([['Cursor', JSON.stringify({ mcpServers: { acme: entry } })]]);
	if (!server) throw new Error('it is read');
	const of = planImport([server], undefined, scope)?.servers ?? [];
	const [, row] = foundRows([{ source: server.source, servers: of, faults: [] }], (path) => path);
	if (row?.kind !== 'server') throw new Error('it has a row');

	test('then its row shortens the command and the list of secrets, and has every note', () => {
		expect(row.detail).toContain(' — Secrets: K0_TOKEN, K1_TOKEN, K2_TOKEN, K3_TOKEN, K4_TOKEN and 3 more. ');
		for (const note of server.notes) expect(row.detail).toContain(note);
		// A button of the row shows them whole.
		expect(row.notes).toBe(row.detail.slice(row.detail.indexOf('Secrets: ')));
		expect(row.detail.length).toBeLessThan(1_100);
	});

	test('then the summary stays short, even for forty servers that do not run', () => {
		const names = Array.from({ length: 40 }, (_, index) => `NAME_${index}`);
		const notRunning = names.map((name) => ({ name, why: 'command not found' }));
		const told = addedSummary([...of, ...of], { outcome: 'saved', unset: names, isOff: false, notRunning });
		expect(told).toContain('No value is set for NAME_0, NAME_1, NAME_2, NAME_3, NAME_4 and 35 more.');
		expect(told.length).toBeLessThan(500);
	});
});

test('the row of a server whose package is configured already says so', () => {
	const text =
		'{ "servers": { "no$(x)tes": { "command": "node", "args": ["node_modules/notes/index.js"] } } }';
	const [server] = imported([
		['Cursor', '{ "mcpServers": { "n": { "command": "npx", "args": ["-y", "notes"] } } }'],
	]);
	if (!server) throw new Error('it is read');
	const { servers = [] } = planImport([server], text, scope) ?? {};
	const [, row] = foundRows([{ source: server.source, servers, faults: [] }], () => 'mcp.json');
	expect(row).toMatchObject({
		description: 'mcp.json · no$\u200b(x)tes runs this package already',
	});
});

test('a server name with icon syntax is shown as text', () => {
	const [server] = imported([['Cursor', '{ "mcpServers": { "$(gear) x": { "command": "y" } } }']]);
	const named = planImport(server ? [server] : [], undefined, scope)?.servers ?? [];
	const source = server?.source;
	if (!source) throw new Error('it is read');
	const [, row] = foundRows([{ source, servers: named, faults: [] }], (path) => path);
	expect(row?.label).not.toContain('$(');
});

const linux = { platform: 'linux', home: '/home/ada', workspaceFolders: ['/home/ada/work'] } as const;

test.each([
	['/home/ada/work/.vscode/mcp.json', '.vscode/mcp.json'],
	['/home/ada/.cursor/mcp.json', '~/.cursor/mcp.json'],
	['/home/ada2/mcp.json', '/home/ada2/mcp.json'],
	['/home/ada/work2/.mcp.json', '~/work2/.mcp.json'],
])('the path %s is shown as %s', (path, shown) => {
	expect(shownPath(path, linux)).toBe(shown);
});

test('paths in a workspace with several folders are shown in full, because file names repeat', () => {
	const several = { ...linux, workspaceFolders: ['/w/a', '/w/b'] };
	expect(shownPath('/w/a/.mcp.json', several)).toBe('/w/a/.mcp.json');
});

test('paths on Windows are shortened, too', () => {
	const windows = { platform: 'win32', home: 'C:\\Users\\Ada', workspaceFolders: ['D:\\w'] } as const;
	expect(shownPath('C:\\Users\\Ada\\.cursor\\mcp.json', windows)).toBe('~\\.cursor\\mcp.json');
	expect(shownPath('E:\\mcp.json', windows)).toBe('E:\\mcp.json');
});
