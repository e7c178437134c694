import { expect, test } from 'vitest';
import { importSources } from '../../../../src/config/import/importSources.ts';

const shown = (places: Parameters<typeof importSources>[0]) =>
	importSources(places).map(({ product, folder, path }) => `${product} (${folder ?? 'user'}) ${path}`);

test('on Linux, files are searched in the workspace and in the home folder', () => {
	expect(
		shown({
			platform: 'linux',
			workspaceFolders: ['/w/a', '/w/b'],
			home: '/home/ada',
			env: {},
			vscodeUserFolder: '/home/ada/.config/Code/User',
		}),
	).toEqual([
		'VS Code (/w/a) /w/a/.vscode/mcp.json',
		'VS Code (/w/b) /w/b/.vscode/mcp.json',
		'Claude Code (/w/a) /w/a/.mcp.json',
		'Claude Code (/w/b) /w/b/.mcp.json',
		'Cursor (/w/a) /w/a/.cursor/mcp.json',
		'Cursor (/w/b) /w/b/.cursor/mcp.json',
		'Roo Code (/w/a) /w/a/.roo/mcp.json',
		'Roo Code (/w/b) /w/b/.roo/mcp.json',
		'Kiro (/w/a) /w/a/.kiro/settings/mcp.json',
		'Kiro (/w/b) /w/b/.kiro/settings/mcp.json',
		'VS Code (user) /home/ada/.config/Code/User/mcp.json',
		'Cline (user) /home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
		'Roo Code (user) /home/ada/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
		'Claude Desktop (user) /home/ada/.config/Claude/claude_desktop_config.json',
		'Cursor (user) /home/ada/.cursor/mcp.json',
		'Windsurf (user) /home/ada/.codeium/windsurf/mcp_config.json',
		'Windsurf (user) /home/ada/.codeium/mcp_config.json',
		'Cline (user) /home/ada/.cline/data/settings/cline_mcp_settings.json',
		'Kiro (user) /home/ada/.kiro/settings/mcp.json',
	]);
});

test('Claude Desktop’s file is in the application data folder of each system', () => {
	const claude = (platform: NodeJS.Platform, home: string, env: Record<string, string>) =>
		shown({ platform, workspaceFolders: [], home, env })[0];
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

test('a file that belongs to both the workspace and the user is listed once', () => {
	const paths = importSources({
		platform: 'linux',
		workspaceFolders: ['/home/ada'],
		home: '/home/ada',
		env: {},
	});
	expect(paths.filter(({ path }) => path === '/home/ada/.cursor/mcp.json')).toHaveLength(1);
});
