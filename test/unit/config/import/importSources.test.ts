import { expect, test } from 'vitest';
import { importSources, productOf } from '../../../../src/config/import/importSources.ts';

const shown = (places: Parameters<typeof importSources>[0]) =>
	importSources(places).map(({ product, folder, path }) => `${product} (${folder ?? 'user'}) ${path}`);

test('on Linux, files are searched in the workspace first, and then in the user’s folders', () => {
	const all = shown({
		platform: 'linux',
		workspaceFolders: ['/w/a', '/w/b'],
		home: '/home/ada',
		env: {},
		vscodeUserFolder: '/home/ada/.config/Code/User',
	});
	expect(all.slice(0, 4)).toEqual([
		'VS Code (/w/a) /w/a/.vscode/mcp.json',
		'VS Code (/w/b) /w/b/.vscode/mcp.json',
		'Claude Code (/w/a) /w/a/.mcp.json',
		'Claude Code (/w/b) /w/b/.mcp.json',
	]);
	expect(all).toEqual(
		expect.arrayContaining([
			'Copilot CLI (/w/b) /w/b/.github/mcp.json',
			'VS Code (user) /home/ada/.config/Code/User/mcp.json',
			'Cline (user) /home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
			'Claude Code (user) /home/ada/.claude.json',
			'Claude Desktop (user) /home/ada/.config/Claude/claude_desktop_config.json',
			'Codex (user) /home/ada/.codex/config.toml',
			'Goose (user) /home/ada/.config/goose/config.yaml',
			'opencode (user) /home/ada/.config/opencode/opencode.json',
			'Zed (user) /home/ada/.config/zed/settings.json',
		]),
	);
	const isOfUser = all.map((line) => line.includes('(user)'));
	expect(isOfUser).toEqual(isOfUser.toSorted());
	expect(new Set(all).size).toBe(all.length);
});

test('Claude Desktop’s file is in the application data folder of each system', () => {
	const claude = (platform: NodeJS.Platform, home: string, env: Record<string, string>) =>
		shown({ platform, workspaceFolders: [], home, env }).find((line) => line.startsWith('Claude Desktop'));
	expect(claude('linux', '/home/ada', { XDG_CONFIG_HOME: '/cfg' })).toBe(
		'Claude Desktop (user) /cfg/Claude/claude_desktop_config.json',
	);
	expect(claude('darwin', '/Users/ada', {})).toBe(
		'Claude Desktop (user) /Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
	);
	expect(claude('win32', 'C:\\Users\\ada', { APPDATA: 'D:\\Roaming' })).toBe(
		'Claude Desktop (user) D:\\Roaming\\Claude\\claude_desktop_config.json',
	);
	expect(claude('win32', 'C:\\Users\\ada', {})).toBe(
		'Claude Desktop (user) C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
	);
});

test('packaged for Windows, Claude Desktop has a file of its own', () => {
	const all = shown({ platform: 'win32', workspaceFolders: [], home: 'C:\\Users\\ada', env: {} });
	expect(all).toContain(
		'Claude Desktop (user) C:\\Users\\ada\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
	);
});

test('agents keep their servers in the home folder, or where their variable says', () => {
	const all = (env: Record<string, string>) =>
		shown({ platform: 'linux', workspaceFolders: [], home: '/home/ada', env });
	expect(all({})).toEqual(
		expect.arrayContaining([
			'Hermes (user) /home/ada/.hermes/config.yaml',
			'OpenClaw (user) /home/ada/.openclaw/openclaw.json',
		]),
	);
	expect(all({ HERMES_HOME: '/h', OPENCLAW_STATE_DIR: '/o' })).toEqual(
		expect.arrayContaining(['Hermes (user) /h/config.yaml', 'OpenClaw (user) /o/openclaw.json']),
	);
});

test('folders that variables move, local data, and each file of a folder', () => {
	const paths = (places: Partial<Parameters<typeof importSources>[0]>) =>
		shown({ platform: 'linux', workspaceFolders: ['/w'], home: '/home/ada', env: {}, ...places });
	const env = { CODEX_HOME: '/c', COPILOT_HOME: '/p', CLAUDE_CONFIG_DIR: '/l' };
	const moved = paths({ env });
	expect(moved).toEqual(
		expect.arrayContaining([
			'Codex (/w) /w/.codex/config.toml',
			'Codex (user) /c/config.toml',
			'Copilot CLI (user) /p/mcp-config.json',
			'Claude Code (user) /l/.claude.json',
		]),
	);
	expect(moved.join()).not.toContain('/home/ada/.codex');
	expect(paths({ platform: 'win32', home: 'C:\\Users\\ada' })).toContain(
		'JetBrains Copilot (user) C:\\Users\\ada\\AppData\\Local\\github-copilot\\intellij\\mcp.json',
	);
	expect(paths({ platform: 'darwin', home: '/Users/ada' })).toContain(
		'JetBrains Copilot (user) /Users/ada/Library/Application Support/github-copilot/intellij/mcp.json',
	);
	expect(paths({})).toContain('opencode (user) /home/ada/.local/share/opencode/mcp-local.json');
	expect(paths({ env: { XDG_DATA_HOME: '/d' } })).toContain(
		'JetBrains Copilot (user) /d/github-copilot/intellij/mcp.json',
	);
	const filesIn = (folder: string) => (folder === '/w/.continue/mcpServers' ? ['a.yaml', 'b.json'] : []);
	expect(paths({ filesIn }).filter((line) => line.startsWith('Continue (/w)'))).toEqual([
		'Continue (/w) /w/.continue/mcpServers/a.yaml',
		'Continue (/w) /w/.continue/mcpServers/b.json',
	]);
	expect(paths({}).join()).not.toContain('*');
});

test('a file that belongs to both the workspace and the user is listed once', () => {
	const paths = importSources({
		platform: 'linux',
		workspaceFolders: ['/home/ada'],
		home: '/home/ada',
		env: {},
	});
	expect(paths.filter(({ path }) => path === '/home/ada/.cursor/mcp.json')).toHaveLength(1);
});

test.each([
	['/w/.vscode/mcp.json', 'VS Code'],
	['/home/ada/.cursor/mcp.json', 'Cursor'],
	['/w/.mcp.json', 'Claude Code'],
	['/home/ada/.warp/.mcp.json', 'Warp'],
	['/home/ada/.claude.json', 'Claude Code'],
	['C:\\x\\claude_desktop_config.json', 'Claude Desktop'],
	['/home/ada/.codeium/windsurf/mcp_config.json', 'Windsurf'],
	['/u/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', 'Cline'],
	['/w/.roo/mcp.json', 'Roo Code'],
	['/w/.kiro/settings/mcp.json', 'Kiro'],
	['/w/.kiro/agents/backend.md', 'Kiro'],
	['/w/.continue/mcpServers/notes.yaml', 'Continue'],
	['/home/ada/.codex/config.toml', 'Codex'],
	['/home/ada/.config/goose/config.yaml', 'Goose'],
	['/w/opencode.jsonc', 'opencode'],
	['/w/.agents/mcp.json', 'opencode'],
	['/w/.github/agents/notes.agent.md', 'Copilot CLI'],
	['/backup/mcp.json', undefined],
	['/home/ada/servers.json', undefined],
])('the file %s is recognized as one of %s', (path, product) => {
	expect(productOf(path)).toBe(product);
});
