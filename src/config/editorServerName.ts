/** What the editor's own tools are a server by; a server of the configuration by the first name has it, and the second is the editor's. */
const names = ['editor', 'vscode'] as const;

/** The name of the editor's server beside those that are configured; `undefined` where both are taken. */
export function editorServerName(configured: { has(name: string): boolean }): string | undefined {
	return names.find((name) => !configured.has(name));
}
