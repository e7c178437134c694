import { describe, expect, test } from 'vitest';
import { planImport } from '../../../../src/config/import/importPlan.ts';
import { importRows, importText, serverText } from '../../../../src/vscode/import/importRows.ts';
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
const rows = importRows(files, (path) => `~${path}`);
const rowOf = (name: string) => {
	const row = rows.find((one) => one.kind === 'server' && one.planned.server.name === name);
	if (row?.kind !== 'server') throw new Error(`no row ${name}`);
	return row;
};

describe('given servers of three programs, and a configuration that has two', () => {
	test('then they stand file by file, and what cannot be imported after them', () => {
		expect(rows.map(({ kind, label }) => (kind === 'server' ? label : `${kind} ${label}`))).toEqual([
			'heading Cursor',
			'brave',
			'notes',
			'linear',
			'oauth',
			'fault Cannot be imported',
			'heading Windsurf',
			'remote-http-mcp',
			'old',
			'heading Claude Desktop',
			'github',
		]);
	});

	test('then one that is there already cannot be chosen, and one whose name is taken says what it becomes', () => {
		expect(rowOf('oauth')).toMatchObject({
			selectable: false,
			selected: false,
			description: '~/Cursor.json · already there',
		});
		expect(rowOf('github')).toMatchObject({
			selected: true,
			description: '~/Claude Desktop.json · as github-2',
		});
	});

	test('then one that is switched off can be chosen but is not', () => {
		expect(rowOf('old')).toMatchObject({ selectable: true, selected: false });
	});

	test('then each line says what it runs and names its secrets, and none is anywhere', () => {
		expect(rowOf('brave').detail).toContain('npx -y @smithery/cli@latest run');
		expect(rowOf('brave').detail).toContain('Secret: BRAVE_BRAVE_API_KEY.');
		const shown = JSON.stringify([
			rows.map(({ kind, label, ...row }) => ({ kind, label, ...row, planned: undefined })),
			planned.map(serverText),
		]);
		expect(shown).not.toContain(braveKey);
		expect(shown).not.toContain(githubToken);
	});

	test('then what was imported is told with where it came from and what is left to do', () => {
		expect(importText(planned, { outcome: 'saved', unset: [], isOff: false })).toBe(
			'imported 7 servers from Cursor, Windsurf, Claude Desktop.',
		);
		expect(importText(planned.slice(0, 1), { outcome: 'unsaved', unset: ['A', 'B'], isOff: true })).toBe(
			'imported 1 server from Cursor. Save the configuration to start using them. No value is set for A, B. Discovery is turned off, so every tool is loaded.',
		);
	});
});

test('a name that would draw an icon is text', () => {
	const [server] = imported([['Cursor', '{ "mcpServers": { "$(gear) x": { "command": "y" } } }']]);
	const named = planImport(server ? [server] : [], undefined, scope)?.servers ?? [];
	const source = server?.source;
	if (!source) throw new Error('it is read');
	const [, row] = importRows([{ source, servers: named, faults: [] }], (path) => path);
	expect(row?.label).not.toContain('$(');
});
