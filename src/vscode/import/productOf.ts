import type { Product } from '../../config/import/importSources.ts';

/** Whose files end so; the first that fits counts. */
const endings: readonly (readonly [ending: RegExp, product: Product])[] = [
	[/[\\/]\.vscode[\\/]mcp\.json$/i, 'VS Code'],
	[/[\\/]\.cursor[\\/]mcp\.json$/i, 'Cursor'],
	[/[\\/](\.mcp|\.claude)\.json$/i, 'Claude Code'],
	[/[\\/]mcp_config\.json$/i, 'Windsurf'],
	[/[\\/]claude_desktop_config[^\\/]*\.json$/i, 'Claude Desktop'],
];

/** The program that a file the user has chosen is most likely of, by its path; VS Code's own form if it tells nothing. */
export function productOf(path: string): Product {
	return endings.find(([ending]) => ending.test(path))?.[1] ?? 'VS Code';
}
