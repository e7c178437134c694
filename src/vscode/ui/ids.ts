import { offlinePlannerDescription } from '../../models/planner/description.ts';

/** Every id that `package.json` contributes, once; a test compares both. */
export const ids = {
	participant: 'mcp-discovery.discovery',
	/** Vendor of our language models. */
	vendor: 'mcp-discovery',
	/** The language-model tool through which the tool loop runs MCP tools. */
	callTool: 'mcpDiscovery_callTool',
	/** Language-model tools with which, besides `callTool`, every chat of the editor can find and call our servers' tools. */
	searchTools: 'mcpDiscovery_searchTools',
	listTools: 'mcpDiscovery_listTools',
	toolDetails: 'mcpDiscovery_toolDetails',
	/** The server for other agents, as VS Code's own agents are offered it. */
	gateway: 'mcpDiscovery.gateway',
	serversView: 'mcpDiscovery.servers',
	loadedView: 'mcpDiscovery.loaded',
	walkthrough: 'mcpDiscovery.start',
	/** Not contributed: the extension itself. */
	extension: 'mcp-discovery.mcp-discovery',
	/** Not contributed: the documents with results of tools. */
	resultScheme: 'mcp-discovery-result',
	/** Not contributed: documents with a model's thinking, and the command that opens one. */
	thinkingScheme: 'mcp-discovery-thinking',
	showThinking: '_mcpDiscovery.showThinking',
	/** Not contributed: the command of the links in an answer that open its calls. */
	showCall: '_mcpDiscovery.showCall',
	/** Not contributed: the documents with definitions of tools that have changed. */
	definitionScheme: 'mcp-discovery-definition',
	/** Not contributed: the documents with the details of tools. */
	toolScheme: 'mcp-discovery-tool',
	/** Not contributed: the documents with resources of servers. */
	resourceScheme: 'mcp-discovery-resource',
	/** Markdown as text: no link provider works in it. */
	markdownLanguage: 'mcp-markdown',
	/** Not contributed: the URI scheme of dimmed rows. */
	dimmedScheme: 'mcp-discovery-dimmed',
	/** Not contributed: the view type of the context page. */
	contextPage: 'mcpDiscovery.context',
	/** Not contributed: the view type of the review. */
	reviewPage: 'mcpDiscovery.review',
	/** Not contributed: the source of our marks in the configuration file. */
	diagnostics: 'Discovery',
	/** Not contributed: the command that quick fixes of the configuration file run, with what they are to do. */
	applyFix: '_mcpDiscovery.applyFix',
	/** Not contributed: VS Code remembers by id whether the user has hidden the item. */
	statusBarItem: 'mcpDiscovery.status',
} as const;

export function isPlanner({ vendor, id }: { readonly vendor: string; readonly id: string }): boolean {
	return vendor === ids.vendor && id === offlinePlannerDescription.id;
}

/** The id of a command is `mcpDiscovery.` and its name. `package.json` contributes the commands with a title in the table of actions. */
export const commandNames = [
	'ask',
	'addServer',
	'addModel',
	'openConfig',
	'enableDiscovery',
	'searchTools',
	'rebuildIndex',
	'selectToolset',
	'resetSession',
	'reviewServers',
	'startServer',
	'stopServer',
	'restartServer',
	'signIn',
	'signOut',
	'pasteSignInAddress',
	'showServerLog',
	'browseResources',
	'managePermissions',
	'reviewChanges',
	'acceptChange',
	'pinServer',
	'deferServer',
	'loadTool',
	'unloadTool',
	'disable',
	'enable',
	'setValue',
	'moveKeys',
	'dismiss',
	'removeServer',
	'undo',
	'runTool',
	'showTool',
	'copyName',
	'manageSecrets',
	'showContext',
	'teachSearch',
	'forget',
	'connectAgents',
] as const;

export type CommandName = (typeof commandNames)[number];

/** Ids of commands, by name. Built from the names, because the code that every window loads must stay small. */
export const commands = Object.fromEntries(commandNames.map((name) => [name, `mcpDiscovery.${name}`])) as {
	readonly [Name in CommandName]: `mcpDiscovery.${Name}`;
};

/** Settings, below `mcpDiscovery`. */
export const settings = {
	section: 'mcpDiscovery',
	configFile: 'configFile',
	userConfigFile: 'userConfigFile',
	confirmTools: 'confirmTools',
	largeResult: 'largeResult',
	learnFromUse: 'learnFromUse',
	gateway: 'gateway',
	/** Below it, those of `limitSettings`. */
	limits: 'limits',
} as const;

/** Context keys of welcome views and menus. */
export const contextKeys = {
	/** `loading` | `none` | `broken` | `ok`: see `ConfigState`. */
	configuration: 'mcpDiscovery.configuration',
	canUndo: 'mcpDiscovery.canUndo',
	/** Below it, the names of actions: the pages of tools that they apply to. */
	pages: 'mcpDiscovery.pages',
	/** Whether a server is approved, and whether the last used chat has a message: they complete steps of the walkthrough. */
	approved: 'mcpDiscovery.approved',
	asked: 'mcpDiscovery.asked',
	/** Whether a server needs approval. */
	unapproved: 'mcpDiscovery.unapproved',
	/** Whether the configuration is valid and gives the view no row. */
	empty: 'mcpDiscovery.empty',
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
	'prompt',
	'reset',
] as const;
