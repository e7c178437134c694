/** The text of a fresh `casual_mcp_config.json`: one real server, deferred, and discovery on. */
export const configTemplate = `{
	// MCP servers, by a name of your own. A server with "command" is started here, one with "url" is reached there.
	"servers": {
		"files": {
			"command": "npx",
			"args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"],
			// The model sees the names of this server's tools, and gets a tool's schema when it searches for it.
			"defer_loading": true
			// "pinned": ["read_file"]     these tools are always loaded
			// "env": { "KEY": "\${env:KEY}" }     secrets stay in the environment, or in .env beside this file
		}
		// "remote": { "url": "https://example.com/mcp" }
	},

	"tool_discovery": {
		// false: every tool of every server is sent with every request.
		"enabled": true
	}
}
`;
