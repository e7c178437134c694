import { expect, test } from 'vitest';
import { type LineMeaning, meaningOf } from '../../src/mcp/stdio/startWatch.ts';

/** What processes write before they have answered anything. */
const rows: readonly (readonly [from: string, line: string, meaning: LineMeaning])[] = [
	['sulaiman013/powerbi-mcp#8', 'INFO: Uvicorn running on http://0.0.0.0:8000', 'serves'],
	['mediar-ai/MCP-server-client-computer-use-ai-sdk#4', 'Proxy server listening on port 3000', 'talks'],
	[
		'mediar-ai/MCP-server-client-computer-use-ai-sdk#4',
		'🔍 MCP Inspector is up and running at http://localhost:5173 🚀',
		'talks',
	],
	['anthropics/claude-code#84136', 'Downloading botocore (14.8MiB)', 'prepares'],
	['alioshr/memory-bank-mcp#20', "Unable to find image 'memory-bank-mcp:local' locally", 'prepares'],
	['GoogleCloudPlatform/cloud-run-mcp#25', 'latest: Pulling from cloudrun/container/mcp', 'prepares'],
	['GoogleCloudPlatform/cloud-run-mcp#25', '40361bc5801b: Pull complete', 'prepares'],
	[
		'GoogleCloudPlatform/cloud-run-mcp#25',
		'Digest: sha256:ae28ef457d5f91b181c6634274353526c769f2ccd830d910bd6a4b58d4210563',
		'prepares',
	],
	['GongRzhe/Gmail-MCP-Server#25', 'Waiting for authentication in the browser…', 'prepares'],
	['punkpeye/mcp-remote#316', 'Using specified callback port: 3334', 'talks'],
	['modelcontextprotocol/servers#133', '> tsc && s', 'prepares'],
	['supermemoryai/apple-mcp#36', '- Contacts module loaded successfully', 'prepares'],
	[
		'oraios/serena#333',
		'INFO  2025-07-23 13:32:14,748 [SerenaAgentExecutor_0] serena.agent:start:324 - Language server initialization starting ...',
		'talks',
	],
	[
		'oraios/serena#1390',
		'INFO  2026-04-21 12:57:27,645 [MainThread] serena.config:from_config_file:821 - Loading Serena configuration',
		'prepares',
	],
	['brightdata/brightdata-mcp#42', 'Starting server...', 'talks'],
	['RLabs-Inc/gemini-mcp#31', 'INFO: Starting MCP Gemini Server...', 'talks'],
	['hustcc/mcp-mermaid#25', 'STDIO MCP Server started', 'talks'],
	['baruchiro/paperless-mcp#15', 'MCP server running with stdio transport', 'talks'],
	['lkm1developer/apollo-io-mcp-server#2', 'Apollo.io MCP server started', 'talks'],
	['run-llama/mcp-server-llamacloud#5', 'Created index tool for tool-a', 'prepares'],
	['firecrawl/firecrawl-mcp-server#98', '[DEBUG] 2025-09-11', 'talks'],
];

test.each(rows)('%s: %s', (_, line, meaning) => {
	expect(meaningOf(line)).toBe(meaning);
});
