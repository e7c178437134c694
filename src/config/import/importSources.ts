import { posix, win32 } from 'node:path';

/** A program that keeps MCP servers in its own file, by the name that users know. */
export type Product =
	| 'VS Code'
	| 'Claude Code'
	| 'Claude Desktop'
	| 'Cursor'
	| 'Windsurf'
	| 'Cline'
	| 'Roo Code'
	| 'Kiro';

/** A file to import servers from, if it exists. */
export interface ImportSource {
	readonly product: Product;
	/** The workspace folder that the file belongs to, and that it must not lead out of; absent: it is the user's own. */
	readonly folder?: string;
	/** Absolute, in the syntax of its machine. */
	readonly path: string;
}

export interface ImportPlaces {
	readonly platform: NodeJS.Platform;
	/** Absolute paths, in the order of the workspace. */
	readonly workspaceFolders: readonly string[];
	readonly home: string;
	/** Only `APPDATA` and `XDG_CONFIG_HOME` are read. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The folder of VS Code's user settings, if known: `mcp.json` is beside `settings.json`. */
	readonly vscodeUserFolder?: string;
}

/** All files worth checking, each once, the workspace's first. The home folder may be open as the workspace. */
export function importSources(places: ImportPlaces): readonly ImportSource[] {
	const { join } = places.platform === 'win32' ? win32 : posix;
	const inFolder = (product: Product, ...name: string[]) =>
		places.workspaceFolders.map((folder): ImportSource => ({ product, folder, path: join(folder, ...name) }));
	const ofUser = (product: Product, folder: string, ...name: string[]): ImportSource => ({
		product,
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
	return [...Map.groupBy(sources, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
}

/** VS Code's own file, and those of its extensions, in folders named after them. */
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

/** Electron's `app.getPath('appData')`, where Claude Desktop has its folder. */
function applicationData({ platform, home, env }: ImportPlaces, join: typeof posix.join): string {
	if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
	if (platform === 'darwin') return join(home, 'Library', 'Application Support');
	return env.XDG_CONFIG_HOME || join(home, '.config');
}
