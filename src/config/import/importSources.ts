import { posix, win32 } from 'node:path';

/** A program that keeps MCP servers in a file of its own, as the user knows it. */
export type Product =
	| 'VS Code'
	| 'Claude Code'
	| 'Claude Desktop'
	| 'Cursor'
	| 'Windsurf'
	| 'Cline'
	| 'Roo Code'
	| 'Kiro';

/** A file that servers can be imported from, if it exists. */
export interface ImportSource {
	readonly product: Product;
	/** `workspace`: belongs to one folder and is mostly shared with others; `user`: the user's own, for all folders. */
	readonly scope: 'workspace' | 'user';
	/** Absolute, in the form of the machine it is on. */
	readonly path: string;
}

/** Where the files of a user may be. */
export interface ImportPlaces {
	readonly platform: NodeJS.Platform;
	/** Absolute paths, in the order of the workspace. */
	readonly workspaceFolders: readonly string[];
	readonly home: string;
	/** `APPDATA` and `XDG_CONFIG_HOME` are read from it. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The folder of VS Code's user settings, where it is known: `mcp.json` stands beside `settings.json`. */
	readonly vscodeUserFolder?: string;
}

/** All files worth a look: those of the workspace first, each once, also where the home folder is open as the workspace. */
export function importSources(places: ImportPlaces): readonly ImportSource[] {
	const { join } = places.platform === 'win32' ? win32 : posix;
	const inFolder = (product: Product, ...name: string[]) =>
		places.workspaceFolders.map(
			(folder): ImportSource => ({ product, scope: 'workspace', path: join(folder, ...name) }),
		);
	const ofUser = (product: Product, folder: string, ...name: string[]): ImportSource => ({
		product,
		scope: 'user',
		path: join(folder, ...name),
	});
	const { home, vscodeUserFolder } = places;
	const sources = [
		...inFolder('VS Code', '.vscode', 'mcp.json'),
		...inFolder('Claude Code', '.mcp.json'),
		...inFolder('Cursor', '.cursor', 'mcp.json'),
		...inFolder('Roo Code', '.roo', 'mcp.json'),
		...inFolder('Kiro', '.kiro', 'settings', 'mcp.json'),
		...(vscodeUserFolder === undefined ? [] : inVsCode(vscodeUserFolder, ofUser)),
		ofUser('Claude Desktop', applicationData(places, join), 'Claude', 'claude_desktop_config.json'),
		ofUser('Cursor', home, '.cursor', 'mcp.json'),
		ofUser('Windsurf', home, '.codeium', 'windsurf', 'mcp_config.json'),
		// Its plugins for other editors.
		ofUser('Windsurf', home, '.codeium', 'mcp_config.json'),
		ofUser('Cline', home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
		ofUser('Kiro', home, '.kiro', 'settings', 'mcp.json'),
	];
	return [...new Map(sources.toReversed().map((source) => [source.path, source])).values()].toReversed();
}

/** VS Code's own file, and those of its extensions, which keep their data in folders that are called as they are. */
function inVsCode(
	folder: string,
	ofUser: (product: Product, folder: string, ...name: string[]) => ImportSource,
): readonly ImportSource[] {
	const ofExtension = (product: Product, id: string, file: string) =>
		ofUser(product, folder, 'globalStorage', id, 'settings', file);
	return [
		ofUser('VS Code', folder, 'mcp.json'),
		ofExtension('Cline', 'saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
		ofExtension('Roo Code', 'rooveterinaryinc.roo-cline', 'mcp_settings.json'),
	];
}

/** Where Electron's `app.getPath('appData')` points, under which Claude Desktop has its folder. */
function applicationData({ platform, home, env }: ImportPlaces, join: typeof posix.join): string {
	if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
	if (platform === 'darwin') return join(home, 'Library', 'Application Support');
	return env.XDG_CONFIG_HOME || join(home, '.config');
}
