import { expect, test } from 'vitest';
import { env, pasted } from './servers.ts';

const fleet = { fleet: { command: 'uvx', args: ['agents-fleet', 'mcp'] } };
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');

/** Links of buttons in readmes. */
const rows: readonly (readonly [source: string, link: string, servers: object])[] = [
	[
		'lion-zhang/fleet: Cursor',
		'https://cursor.com/en/install-mcp?name=fleet&config=eyJjb21tYW5kIjoidXZ4IiwiYXJncyI6WyJhZ2VudHMtZmxlZXQiLCJtY3AiXX0%3D',
		fleet,
	],
	[
		'lion-zhang/fleet: VS Code Insiders',
		'https://insiders.vscode.dev/redirect/mcp/install?name=fleet&config=%7B%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22agents-fleet%22%2C%22mcp%22%5D%7D&quality=insiders',
		fleet,
	],
	[
		'microsoft/wassette, its page about clients: a link within a link, encoded once',
		'https://vscode.dev/redirect?url=vscode:mcp/install?%7B%22name%22%3A%22fleet%22%2C%22gallery%22%3Afalse%2C%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22agents-fleet%22%2C%22mcp%22%5D%7D',
		fleet,
	],
	[
		'lion-zhang/fleet: Visual Studio',
		'https://vs-open.link/mcp-install?%7B%22name%22%3A%22fleet%22%2C%22type%22%3A%22stdio%22%2C%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22agents-fleet%22%2C%22mcp%22%5D%7D',
		fleet,
	],
	[
		'github/github-mcp-server: README.md, Visual Studio',
		'https://aka.ms/vs/mcp-install?%7B%22name%22%3A%22github%22%2C%22gallery%22%3Atrue%2C%22url%22%3A%22https%3A%2F%2Fapi.githubcopilot.com%2Fmcp%2F%22%7D',
		{ github: { url: 'https://api.githubcopilot.com/mcp/' } },
	],
	[
		'lion-zhang/fleet: Kiro',
		'https://kiro.dev/launch/mcp/add?name=fleet&config=%7B%22command%22%3A%22uvx%22%2C%22args%22%3A%5B%22agents-fleet%22%2C%22mcp%22%5D%7D',
		fleet,
	],
	[
		'lion-zhang/fleet: LM Studio',
		'https://lmstudio.ai/install-mcp?name=fleet&config=eyJjb21tYW5kIjoidXZ4IiwiYXJncyI6WyJhZ2VudHMtZmxlZXQiLCJtY3AiXX0%3D',
		fleet,
	],
	[
		'lion-zhang/fleet: Goose',
		'goose://extension?cmd=uvx&arg=agents-fleet&arg=mcp&id=fleet&name=fleet&description=fleet&timeout=300',
		fleet,
	],
	[
		'thatdudealso/musicwire: docs/launch-packet.md, Goose, remote',
		'goose://extension?url=https%3A%2F%2Fm.example%2Fmcp&type=streamable_http&id=musicwire&name=Musicwire&description=x',
		{ Musicwire: { url: 'https://m.example/mcp' } },
	],
	[
		'https://block.github.io/goose: an extension with a key',
		'[Launch the installer](goose://extension?cmd=npx&arg=-y&arg=exa-mcp-server&id=exa&name=Exa&env=EXA_API_KEY%3DExa%20API%20Key)',
		{ Exa: { command: 'npx', args: ['-y', 'exa-mcp-server'], env: { EXA_API_KEY: '' } } },
	],
	[
		'tago-io/mcp: README.md, inputs inside the entry',
		`https://lmstudio.ai/install-mcp?name=%40tago-io%2Fmcp&config=${base64({ type: 'http', url: 'https://mcp.ai.tago.io', headers: { Authorization: `\${input:tagoio-token}` }, inputs: [{ id: 'tagoio-token', type: 'promptString', password: true }] })}`,
		{ '@tago-io/mcp': { url: 'https://mcp.ai.tago.io', headers: { Authorization: env('TAGOIO_TOKEN') } } },
	],
	[
		'upstash/context7: README.md, Markdown around a badge and a link',
		'[![Add to Kiro](https://kiro.dev/images/add-to-kiro.svg)](https://kiro.dev/launch/mcp/add?name=fleet&config=%7B%22command%22%3A%20%22uvx%22%2C%20%22args%22%3A%20%5B%22agents-fleet%22%2C%20%22mcp%22%5D%2C%20%22disabled%22%3A%20false%2C%20%22autoApprove%22%3A%20%5B%5D%7D)',
		fleet,
	],
	[
		'jmrplens/gitlab-mcp-server: README.md, HTML with an escaped sign',
		`<a href="https://lmstudio.ai/install-mcp?name=fleet&amp;config=${base64(fleet.fleet)}"><img alt="Add"/></a>`,
		fleet,
	],
	[
		'containers/kubernetes-mcp-server: README.md, encoded twice',
		`https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent(encodeURIComponent(JSON.stringify({ name: 'fleet', ...fleet.fleet })))}`)}`,
		fleet,
	],
	[
		'CherryHQ/cherry-studio: a list of servers',
		`cherrystudio://mcp/install?servers=${base64({ mcpServers: fleet })}`,
		fleet,
	],
	[
		'https://manual.raycast.com/model-context-protocol',
		`raycast://mcp/install?${encodeURIComponent(JSON.stringify({ name: 'fleet', type: 'stdio', ...fleet.fleet }))}`,
		fleet,
	],
	[
		'url-safe Base64 without padding: https://docs.qoder.com',
		`qoder://aicoding.aicoding-deeplink/mcp/add?name=fleet&config=${Buffer.from(encodeURIComponent(JSON.stringify(fleet.fleet))).toString('base64url')}`,
		fleet,
	],
];

test.each(rows)('%s', (_, link, servers) => {
	expect(pasted(link)).toMatchObject({ faults: [] });
	expect(pasted(link).servers).toEqual(servers);
});

test.each([
	[
		'a button without its configuration: lmstudio docs',
		'https://lmstudio.ai/install-mcp?name=date-mcp&config=<base64-config>',
	],
	[
		'https://cursor.com/docs/mcp/install-links',
		'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=$BASE64_ENCODED_CONFIG',
	],
	[
		'https://vscode.dev',
		'https://vscode.dev/redirect?url=vscode:extension/ms-azuretools.vscode-azure-mcp-server',
	],
	[
		'https://www.shields.io',
		'![badge](https://img.shields.io/badge/VS_Code-Install-0098FF?style=flat-square)',
	],
])('a link’s address never becomes a server: %s', (_, link) => {
	expect(pasted(link)).toMatchObject({ servers: {} });
	expect(pasted(link).faults).toHaveLength(1);
});

test('an address whose parameters look like those of a link is still a server: smithery-ai/cli', () => {
	const url = `https://server.smithery.ai/exa/mcp?config=${base64({ debug: false })}&profile=acme`;
	expect(pasted(url)).toMatchObject({ servers: { smithery: { url } }, faults: [] });
});
