/** The text of a fresh `casual_mcp_config.json`: one real server, deferred, and discovery on. */
export const configTemplate = `// MCP servers for @discovery. A saved change takes effect at once.
// "Discovery: Import Servers…" copies those of other programs here.
{
	// By names of your own: "command" starts one here, "url" reaches one.
	"servers": {
		// Reads and writes the files of this folder. It needs Node.js.
		"files": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"],
			// The model gets a tool of this server once it has searched for it.
			"defer_loading": true,
			// These would be loaded in every chat:
			// "pinned": ["read_text_file"],
		},
		// "notes": {
		// 	"url": "https://example.com/mcp",
		// 	"headers": { "Authorization": "Bearer \${env:NOTES_KEY}" },
		// },
	},

	"tool_discovery": {
		// false: every tool is sent with every message.
		"enabled": true,
	},
}
`;
