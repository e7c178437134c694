import { applyEdits } from 'jsonc-parser';
import { readForeignServers } from '../../../../src/config/add/readers/json.ts';
import type { Drafts } from '../../../../src/config/add/serverDraft.ts';
import { convertServers, type ImportedServer } from '../../../../src/config/import/importedServer.ts';
import type { ImportPlan } from '../../../../src/config/import/importPlan.ts';
import type { ImportSource, Product } from '../../../../src/config/import/importSources.ts';

/** Invented, in the form of a real key. */
export const githubToken = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
export const braveKey = 'BSAq7Zt2mXw9Lk4Vn8Rd3Hs6';

/** `.vscode/mcp.json`, as "MCP: Add Server" and the gallery write it, with a comment of the user's. */
export const vscodeFile = `{
	"inputs": [
		{ "type": "promptString", "id": "github_mcp_pat", "description": "GitHub Personal Access Token", "password": true },
	],
	"servers": {
		// the official one
		"github": {
			"type": "http",
			"url": "https://api.githubcopilot.com/mcp/",
			"headers": { "Authorization": "Bearer \${input:github_mcp_pat}" },
			"gallery": "https://api.mcp.github.com",
			"version": "0.13.0"
		},
		"playwright": {
			"type": "stdio",
			"command": "npx",
			"args": ["@playwright/mcp@latest", "--output-dir=\${workspaceFolder}\${/}out"],
			"envFile": "\${workspaceFolder}/.env",
			"env": { "PORT": 8931, "DEBUG": null },
			"dev": { "watch": "src/**/*.ts", "debug": { "type": "node" } },
		},
	}
}`;

/** `.mcp.json`, as "claude mcp add --scope project" writes it and its page documents it. */
export const claudeCodeFile = `{
  "mcpServers": {
    "api-server": {
      "type": "sse",
      "url": "\${API_BASE_URL:-https://api.example.com}/mcp",
      "headers": { "Authorization": "Bearer \${API_KEY}" }
    },
    "database-tools": {
      "type": "stdio",
      "command": "\${CLAUDE_PROJECT_DIR:-.}/servers/db",
      "args": ["--config", "\${HOME}/db.toml"],
      "env": { "LEVEL": "\${LEVEL:-info}" }
    }
  }
}`;

/** `claude_desktop_config.json`, with the app's own settings beside the servers. */
export const claudeDesktopFile = `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "${githubToken}" }
    },
    "brave-search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": { "BRAVE_API_KEY": "YOUR_API_KEY_HERE" }
    },
    "postgres": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-postgres", "postgresql://ada:hunter2hunter2@db.test/prod"]
    }
  },
  "preferences": { "sidebarMode": "chat" }
}`;

/** `~/.cursor/mcp.json`, with a command as a shell would take it, Smithery's way of passing a key, and mcp-remote. */
export const cursorFile = `\uFEFF{
  "mcpServers": {
    "brave": {
      "command": "npx",
      "args": ["-y", "@smithery/cli@latest", "run", "brave", "--config", "{\\"braveApiKey\\":\\"${braveKey}\\"}"]
    },
    "notes": { "command": "npx -y notes-mcp --vault \${userHome}\${pathSeparator}notes" },
    "linear": {
      "command": "npx",
      "args": ["mcp-remote", "https://mcp.linear.app/sse", "--header", "Authorization: Bearer lin_9f8e7d6c5b4a39281706"]
    },
    "oauth": { "url": "https://mcp.example.com/mcp", "auth": { "CLIENT_ID": "abc", "CLIENT_SECRET": "def-9f8e7d6c5b4a3928", "scopes": ["read"] } }
  }
}`;

/** `mcp_config.json` of Windsurf. */
export const windsurfFile = `{
  "mcpServers": {
    "remote-http-mcp": {
      "serverUrl": "https://mcp.example.com/mcp?api_key=q1w2e3r4t5y6&region=eu",
      "headers": { "API_KEY": "Bearer \${env:AUTH_TOKEN}" },
      "disabledTools": ["delete_all"]
    },
    "old": { "serverUrl": "https://old.example.com/sse", "disabled": true, "alwaysAllow": ["read", "read", "", 7], "team": { "x": "y" } }
  }
}`;

export function sourceOf(product: Product, path = `/${product}.json`): ImportSource {
	return { product, path };
}

export function read(product: Product, text: string): Drafts {
	return readForeignServers(sourceOf(product), text);
}

/** All servers of several files, as one import has them. */
export function imported(
	files: readonly (readonly [Product, string])[],
	env: Readonly<Record<string, string>> = {},
): readonly ImportedServer[] {
	const servers = files.flatMap(([product, text]) => read(product, text).servers);
	return convertServers(servers, { env, platform: 'linux' });
}

/** The server that Cursor's entry becomes. */
export function importedEntry(entry: object, env: Readonly<Record<string, string>> = {}): ImportedServer {
	const [server] = imported([['Cursor', JSON.stringify({ mcpServers: { acme: entry } })]], env);
	if (!server) throw new Error('the entry could not be read');
	return server;
}

/** The text of the configuration after an import that must be possible. */
export function afterImport(text: string | undefined, plan: ImportPlan | undefined): string {
	if (!plan) throw new Error('the import is not possible');
	return applyEdits(text ?? '', [...plan.edits]);
}
