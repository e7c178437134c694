import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../scripts/projectPaths.ts';

/** What the files of a room may import of the project, beside their own room. The first row that a file begins with is its own. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
	'src/common/': [],
	'src/discovery/': ['src/common/'],
	'src/sandbox/': ['src/common/'],
	// Of the engine, what a tool is and what it is called; it searches and decides above them.
	'src/config/': ['src/common/', 'src/discovery/catalog/'],
	'src/mcp/': ['src/common/', 'src/discovery/catalog/', 'src/config/'],
	// What other agents see, and the entries they get.
	'src/gateway/': ['src/common/', 'src/discovery/catalog/', 'src/config/'],
	// The planner is a model that reads requests as search does.
	'src/models/planner/': ['src/common/', 'src/discovery/', 'src/models/'],
	'src/models/': ['src/common/', 'src/discovery/catalog/'],
	'src/chat/': ['src/common/', 'src/discovery/', 'src/sandbox/', 'src/models/'],
	'src/': ['src/'],
};

/**
 * The features of the editor: one folder each. They may import what several share, the lowest first, and no other feature: `ui`, and the state
 * in `core`. The commands lead to all of them, as `app.ts` and the extension itself do.
 */
const FEATURES = 'src/vscode/';
const SHARED = ['ui', 'core', 'actions', 'placement'];
const COMMANDS = 'commands';

/** The folder that a file of the editor's features belongs to; `undefined`: it stands beside them, and is none of them. */
function featureOf(file: string): string | undefined {
	const [folder, ...rest] = file.startsWith(FEATURES) ? file.slice(FEATURES.length).split('/') : [];
	return rest.length > 0 ? folder : undefined;
}

/** Packages that stand for a border of ours, and where alone they may be imported. */
const BORDERS: readonly (readonly [name: RegExp, inside: RegExp])[] = [
	[/^vscode$/, /^src\/(vscode\/|(extension|services|app)\.ts)/],
	// One file knows the SDK, and one its requests of OAuth, so that another version can take its place.
	[/^@modelcontextprotocol\/client/, /^src\/mcp\/(connection\/sdk|signIn\/oauth)\.ts$/],
	[/^@modelcontextprotocol\/server/, /^src\/gateway\/(gateway|mcpServer)\.ts$/],
];

interface Import {
	readonly from: string;
	/** A file of ours by its path, or a package by its name. */
	readonly to: string;
	/** It is loaded when it is needed: `import('…')`. */
	readonly isDynamic: boolean;
}

function importsOf(file: string): readonly Import[] {
	const text = readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
	return [...text.matchAll(/(\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map(([, how = '', to = '']) => ({
		from: file,
		to: to.startsWith('.') ? path.posix.join(path.posix.dirname(file), to) : to,
		isDynamic: how.endsWith('('),
	}));
}

/** The files that can be reached from themselves by these imports, each with what it imports on the way. */
function cyclesOf(among: readonly Import[]): readonly string[] {
	const graph = Map.groupBy(among, ({ from }) => from);
	const state = new Map<string, 'open' | 'done'>();
	const cycles: string[] = [];
	const visit = (file: string, way: readonly string[]): void => {
		if (state.get(file) === 'done') return;
		if (state.get(file) === 'open') {
			cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
			return;
		}
		state.set(file, 'open');
		for (const { to } of graph.get(file) ?? []) visit(to, [...way, file]);
		state.set(file, 'done');
	};
	for (const file of graph.keys()) visit(file, []);
	return cycles;
}

const imports = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT_ROOT })
	.map((file) => file.replaceAll(path.sep, '/'))
	.flatMap(importsOf);

const words = ({ from, to }: Import) => `${from} imports ${to}`;

describe('given the imports of all files', () => {
	test('then each file imports only from its own layer and the layers below it', () => {
		const wrong = imports.filter(({ from, to }) => {
			const [room = '', below = []] = Object.entries(LAYERS).find(([start]) => from.startsWith(start)) ?? [];
			return to.startsWith('src/') && ![room, ...below].some((start) => to.startsWith(start));
		});
		expect(imports.length).toBeGreaterThan(1_000);
		expect(wrong.map(words)).toEqual([]);
	});

	test('then no file imports itself through others, not even through types or dynamic imports', () => {
		expect(imports.some(({ isDynamic }) => isDynamic)).toBe(true);
		expect(cyclesOf(imports)).toEqual([]);
	});

	test('then an editor feature imports only itself and the shared folders below it', () => {
		const wrong = imports.filter(({ from, to }) => {
			const [feature, imported] = [featureOf(from), featureOf(to)];
			if (feature === undefined || feature === COMMANDS || !to.startsWith(FEATURES)) return false;
			const own = SHARED.indexOf(feature);
			const below = own < 0 ? SHARED : SHARED.slice(0, own);
			return imported !== feature && !below.includes(imported ?? '');
		});
		expect(new Set(imports.map(({ from }) => featureOf(from))).size).toBeGreaterThan(10);
		expect(wrong.map(words)).toEqual([]);
	});

	test('then nobody below the extension imports how the core is made, except the file that knows all features', () => {
		const knowing = ['src/extension.ts', 'src/app.ts'];
		const wrong = imports.filter(({ from, to }) => to === 'src/services.ts' && !knowing.includes(from));
		expect(wrong.map(words)).toEqual([]);
	});

	test('then vscode and the MCP SDK are imported only where their borders are', () => {
		const wrong = imports.filter(({ from, to }) =>
			BORDERS.some(([name, inside]) => name.test(to) && !inside.test(from)),
		);
		expect(wrong.map(words)).toEqual([]);
	});

	test("then a feature runs another's action with the function that it is given, and VS Code's commands by their ids", () => {
		const calls = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT_ROOT }).flatMap((file) =>
			[...readFileSync(path.join(PROJECT_ROOT, file), 'utf8').matchAll(/executeCommand\(\s*([^,)]+)/g)].map(
				([, command = '']) => `${file}: ${command.trim()}`,
			),
		);
		const others = calls.filter((call) => !/: '(vscode\.|workbench\.|list\.|setContext')/.test(call));
		expect(calls.length).toBeGreaterThan(5);
		expect(others).toEqual([]);
	});

	test('then signals are joined with JoinedSignal, because AbortSignal.any leaks', () => {
		const calling = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT_ROOT }).filter((file) =>
			readFileSync(path.join(PROJECT_ROOT, file), 'utf8').includes('AbortSignal.any('),
		);
		expect(calling).toEqual([]);
	});
});
