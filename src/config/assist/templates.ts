/** The text of a new `casual_mcp_config.json`: one real server, deferred, with discovery on. */
export const configTemplate = `// MCP servers for @discovery. Changes take effect when you save.
// "Discovery: Add Servers…" copies the servers of other programs.
{
	// Names are yours to choose. "command" starts a server on this machine, "url" connects to a remote one.
	"servers": {
		// Reads and writes the files of this folder. It needs Node.js.
		"files": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"],
			// The model must search for this server's tools before it gets them.
			"defer_loading": true,
			// Tools to load in every chat:
			// "pinned": ["read_text_file"],
		},
		// "notes": {
		// 	"url": "https://example.com/mcp",
		// 	"headers": { "Authorization": "Bearer \${env:NOTES_KEY}" },
		// },
	},

	"tool_discovery": {
		// true: defer tools. false: send every tool with every message. "auto": defer while that saves at least a third.
		"enabled": "auto",
	},
}
`;

/** The text of a new user configuration. Everything in it is commented out. */
export const userConfigTemplate = `// Your own MCP servers and models for @discovery, in all workspaces. Changes take effect when you save.
// A workspace's entry overrides the entry of the same name here.
{
	"servers": {
		// "memory": {
		// 	"command": "npx",
		// 	"args": ["-y", "@modelcontextprotocol/server-memory"],
		// 	"defer_loading": true,
		// },
	},

	// Used in workspaces whose configuration has no "tool_discovery":
	// "tool_discovery": { "enabled": "auto" },
}
`;
