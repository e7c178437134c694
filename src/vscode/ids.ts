/** Every id that `package.json` contributes, once; a test compares both. */
export const ids = {
	participant: 'mcp-discovery.discovery',
	/** Vendor of our language models. */
	vendor: 'mcp-discovery',
	/**
	 * The language-model tools through which the tool loop runs MCP tools: one for tools that may change something, one for
	 * those that only read. They are two so that approving all that only reads approves nothing else.
	 */
	callTool: 'mcpDiscovery_callTool',
	readTool: 'mcpDiscovery_readTool',
	viewContainer: 'mcpDiscovery',
	serversView: 'mcpDiscovery.servers',
	loadedView: 'mcpDiscovery.loaded',
	/** Not contributed: the kind of panel that the context page is. */
	contextPage: 'mcpDiscovery.context',
	/** Not contributed: the editor keeps by it whether the user has hidden the item. */
	statusBarItem: 'mcpDiscovery.status',
} as const;

/** Commands, by what they do. */
export const commands = {
	ask: 'mcpDiscovery.ask',
	createConfig: 'mcpDiscovery.createConfig',
	openConfig: 'mcpDiscovery.openConfig',
	enableDiscovery: 'mcpDiscovery.enableDiscovery',
	searchTools: 'mcpDiscovery.searchTools',
	rebuildIndex: 'mcpDiscovery.rebuildIndex',
	copyManifest: 'mcpDiscovery.copyManifest',
	selectToolset: 'mcpDiscovery.selectToolset',
	resetSession: 'mcpDiscovery.resetSession',
	startServer: 'mcpDiscovery.startServer',
	stopServer: 'mcpDiscovery.stopServer',
	restartServer: 'mcpDiscovery.restartServer',
	showServerLog: 'mcpDiscovery.showServerLog',
	pinServer: 'mcpDiscovery.pinServer',
	deferServer: 'mcpDiscovery.deferServer',
	pinTool: 'mcpDiscovery.pinTool',
	deferTool: 'mcpDiscovery.deferTool',
	loadTool: 'mcpDiscovery.loadTool',
	unloadTool: 'mcpDiscovery.unloadTool',
	undoUnload: 'mcpDiscovery.undoUnload',
	setApiKey: 'mcpDiscovery.setApiKey',
	showContext: 'mcpDiscovery.showContext',
	takeSuggestion: 'mcpDiscovery.takeSuggestion',
	clearHistory: 'mcpDiscovery.clearHistory',
} as const;

/** Settings, below `mcpDiscovery`. */
export const settings = {
	section: 'mcpDiscovery',
	configFile: 'configFile',
	confirmTools: 'confirmTools',
} as const;

/** Context keys that welcome views and menus ask. */
export const contextKeys = {
	/** `loading` | `none` | `broken` | `ok`: see `ConfigState`. */
	configuration: 'mcpDiscovery.configuration',
	/** Whether the last used chat has unloaded something that can be loaded again. */
	canUndoUnload: 'mcpDiscovery.canUndoUnload',
} as const;

/** Commands of `@discovery`, as typed after the slash. */
export const slashCommands = [
	'find',
	'tools',
	'describe',
	'load',
	'unload',
	'context',
	'toolset',
	'agents',
	'reset',
] as const;
