import { expect, test } from 'vitest';
import { productOf } from '../../../../src/vscode/import/productOf.ts';
import { shownPath } from '../../../../src/vscode/import/shownPath.ts';

const linux = { platform: 'linux', home: '/home/ada', workspaceFolders: ['/home/ada/work'] } as const;

test.each([
	['/home/ada/work/.vscode/mcp.json', '.vscode/mcp.json'],
	['/home/ada/.cursor/mcp.json', '~/.cursor/mcp.json'],
	['/home/ada2/mcp.json', '/home/ada2/mcp.json'],
	['/home/ada/work2/.mcp.json', '~/work2/.mcp.json'],
])('%s is shown as %s', (path, shown) => {
	expect(shownPath(path, linux)).toBe(shown);
});

test('of several folders each is shown in full, for their files have the same names', () => {
	const several = { ...linux, workspaceFolders: ['/w/a', '/w/b'] };
	expect(shownPath('/w/a/.mcp.json', several)).toBe('/w/a/.mcp.json');
});

test('on Windows, too', () => {
	const windows = { platform: 'win32', home: 'C:\\Users\\Ada', workspaceFolders: ['D:\\w'] } as const;
	expect(shownPath('C:\\Users\\Ada\\.cursor\\mcp.json', windows)).toBe('~\\.cursor\\mcp.json');
	expect(shownPath('E:\\mcp.json', windows)).toBe('E:\\mcp.json');
});

test.each([
	['/w/.vscode/mcp.json', 'VS Code'],
	['/home/ada/.cursor/mcp.json', 'Cursor'],
	['/w/.mcp.json', 'Claude Code'],
	['/home/ada/.claude.json', 'Claude Code'],
	['C:\\x\\claude_desktop_config.json', 'Claude Desktop'],
	['/backup/claude_desktop_config.old.json', 'Claude Desktop'],
	['/home/ada/.codeium/windsurf/mcp_config.json', 'Windsurf'],
	['/home/ada/servers.json', 'VS Code'],
])('a file %s is taken for one of %s', (path, product) => {
	expect(productOf(path)).toBe(product);
});
