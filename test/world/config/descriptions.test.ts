import { expect, test } from 'vitest';
import { env, inFile, offered, pasted } from './servers.ts';

const npm = (more: object) => ({ registryType: 'npm', identifier: '@acme/notes', version: '1.2.0', ...more });
const described = (...packages: readonly object[]) =>
	JSON.stringify({ name: 'io.github.acme/notes', description: 'Notes', version: '1.2.0', packages });

/** What the MCP registry says about a server, as files and answers contain it. */
test.each<[source: string, text: string, servers: object]>([
	[
		'io.github.brave/brave-search-mcp-server',
		described(
			npm({
				transport: { type: 'stdio' },
				environmentVariables: [
					{ name: 'NOTES_KEY', description: 'Your key', isRequired: true, isSecret: true },
				],
			}),
		),
		{ notes: { command: 'npx', args: ['-y', '@acme/notes@1.2.0'], env: { NOTES_KEY: env('NOTES_KEY') } } },
	],
	[
		'modelcontextprotocol/registry: docs/reference/server-json/generic-server-json.md, keys of 2025-07',
		JSON.stringify({
			name: 'io.github.acme/notes',
			version_detail: { version: '1.2.0' },
			packages: [
				{
					registry_type: 'nuget',
					identifier: 'Acme.Notes',
					version: '1.2.0',
					package_arguments: [{ type: 'positional', value: 'mcp' }],
				},
			],
		}),
		{ notes: { command: 'dnx', args: ['Acme.Notes@1.2.0', '--yes', '--', 'mcp'] } },
	],
	[
		'com.pulsemcp/remote-filesystem, in an answer of the registry: what is optional is left out',
		JSON.stringify({
			servers: [
				{
					server: JSON.parse(
						described(
							npm({
								runtimeHint: 'npx',
								runtimeArguments: [{ value: '-y', type: 'positional' }],
								environmentVariables: [
									{ name: 'BUCKET', isRequired: true },
									{ name: 'PRIVATE_KEY', isSecret: true },
									{ name: 'MAKE_PUBLIC', default: 'false' },
									{ name: 'LEVEL' },
								],
							}),
						),
					),
				},
			],
			metadata: { count: 1 },
		}),
		{
			notes: {
				command: 'npx',
				args: ['-y', '@acme/notes@1.2.0'],
				env: { BUCKET: env('BUCKET'), PRIVATE_KEY: env('PRIVATE_KEY'), MAKE_PUBLIC: 'false' },
			},
		},
	],
	[
		'modelcontextprotocol/registry: generic-server-json.md, an image with a mount',
		described({
			registryType: 'oci',
			identifier: 'acme/notes',
			version: '1.2.0',
			runtimeArguments: [
				{
					type: 'named',
					name: '--mount',
					value: 'type=bind,src={source},dst={target}',
					variables: { source: { isRequired: true, format: 'filepath' }, target: { value: '/data' } },
				},
			],
			packageArguments: [{ type: 'positional', valueHint: 'dir', value: '/data' }],
			environmentVariables: [{ name: 'LEVEL', default: 'info' }],
		}),
		{
			notes: {
				command: 'docker',
				args: [
					...['run', '-i', '--rm', '--mount', `type=bind,src=${env('SOURCE')},dst=/data`],
					...['-e', 'LEVEL', 'acme/notes:1.2.0', '/data'],
				],
				env: { LEVEL: 'info' },
			},
		},
	],
	[
		'io.github.Canticle-AI-Research/seam-suite: a package that is not the name of the command',
		described({
			registryType: 'pypi',
			identifier: 'acme-notes',
			version: '1.2.0',
			runtimeHint: 'uvx',
			runtimeArguments: [{ type: 'positional', value: '--from' }],
			packageArguments: [{ type: 'positional', value: 'notes-mcp' }],
		}),
		{ notes: { command: 'uvx', args: ['--from', 'acme-notes==1.2.0', 'notes-mcp'] } },
	],
	[
		'https://modelcontextprotocol.io/registry/remote-servers, a header with a variable that is described nowhere',
		JSON.stringify({
			name: 'com.acme/notes',
			remotes: [
				{
					type: 'streamable-http',
					url: 'https://{tenant}.n.example/mcp',
					variables: { tenant: { isRequired: true } },
					headers: [{ name: 'Authorization', value: 'Bearer {token}', isRequired: true, isSecret: true }],
				},
			],
		}),
		{
			notes: {
				url: `https://${env('TENANT')}.n.example/mcp`,
				headers: { Authorization: `Bearer ${env('TOKEN')}` },
			},
		},
	],
])('a description of the registry: %s', (_, text, servers) => {
	expect(pasted(text)).toMatchObject({ servers, faults: [], secrets: [] });
	expect(inFile(text)).toMatchObject({ servers, faults: [], secrets: [] });
});

test('what is left out of a description is named', () => {
	const text = described(npm({ environmentVariables: [{ name: 'LEVEL' }, { name: 'REGION' }] }));
	expect(pasted(text).notes).toEqual([expect.stringContaining('LEVEL, REGION')]);
});

// modelcontextprotocol/registry: docs/modelcontextprotocol-io/package-types.mdx
test.each([
	[
		'mcpb',
		{ registryType: 'mcpb', identifier: 'https://github.com/acme/notes/releases/notes.mcpb' },
		'"mcpb"',
	],
	['cargo', { registryType: 'cargo', identifier: 'notes' }, '"cargo"'],
	[
		'over HTTP',
		npm({ transport: { type: 'streamable-http', url: 'http://localhost:3000/mcp' } }),
		'paste its URL',
	],
])('a package that cannot be started here says why: %s', (_, one, words) => {
	expect(pasted(described(one))).toMatchObject({ servers: {}, faults: [expect.stringContaining(words)] });
	// Another way to run the server is enough.
	expect(pasted(described(one, npm({})))).toMatchObject({
		servers: { notes: { command: 'npx' } },
		faults: [],
	});
});

/** The manifest of a bundle (https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md). */
const manifest = (launch: object, user_config: object) =>
	JSON.stringify({
		manifest_version: '0.3',
		name: 'notes',
		version: '1.2.0',
		author: { name: 'Acme', url: 'https://acme.example' },
		server: { type: 'node', entry_point: 'server/index.js', mcp_config: launch },
		user_config,
	});

test('a manifest of a bundle asks for its folder and for what its user configures', () => {
	const text = manifest(
		{
			command: 'node',
			args: [`\${__dirname}/server/index.js`, `\${user_config.folders}`, `\${HOME}/notes`],
			env: { KEY: `\${user_config.api_key}`, LEVEL: `\${user_config.level}` },
		},
		{
			api_key: { type: 'string', title: 'Key', sensitive: true, required: true },
			folders: { type: 'directory', title: 'Folders', multiple: true, required: true },
			level: { type: 'number', title: 'Level', default: 3 },
		},
	);
	expect(offered(text)).toMatchObject({
		servers: {
			notes: {
				command: 'node',
				args: [`${env('BUNDLE')}/server/index.js`, env('FOLDERS'), `\${userHome}/notes`],
				env: { KEY: env('API_KEY'), LEVEL: env('LEVEL') },
			},
		},
		faults: [],
	});
});

test('what a manifest has for other systems is named, and the folder is that of its file', () => {
	const text = manifest(
		{ command: `\${__dirname}/notes`, platform_overrides: { win32: { command: 'notes.exe' } } },
		{},
	);
	expect(inFile(text, undefined, '/home/ada/bundle/manifest.json')).toMatchObject({
		servers: { notes: { command: '/home/ada/bundle/notes' } },
		notes: [expect.stringContaining('"platform_overrides"')],
	});
});

// https://docs.docker.com/reference/compose-file/services/: most services that could be servers by their keys are databases or games.
test('a file of Docker Compose is named as what it is', () => {
	const text = 'services:\n  notes:\n    image: acme/notes\n    command: node x.js\n    stdin_open: true\n';
	expect(pasted(text)).toMatchObject({ servers: {}, faults: [expect.stringContaining('Docker Compose')] });
});

// An agent's file may have services of its own.
test('a file with both services and servers defines the servers', () => {
	const text =
		'kind: agent\nmcp_servers:\n  files:\n    command: ["npx", "-y", "notes"]\nservices:\n  demo:\n    image: agent:updated\n';
	expect(pasted(text)).toMatchObject({ servers: { files: { command: 'npx' } }, faults: [] });
});

// The documentation of a router with "mcpProxy"
test('the address of a gateway without servers is none of them', () => {
	const text = '{"mcpProxy":{"baseURL":"http://localhost","addr":":8080"},"mcpServers":{}}';
	expect(pasted(text)).toMatchObject({ servers: {}, faults: [expect.stringContaining('defines no server')] });
});

// Stacklok's instructions for descriptions: a part of one
test('packages without the rest of their description are enough', () => {
	const text =
		'{"packages":[{"registryType":"oci","identifier":"ghcr.io/acme/notes:v1","transport":{"type":"stdio"}}]}';
	expect(pasted(text)).toMatchObject({
		servers: { notes: { command: 'docker', args: ['run', '-i', '--rm', 'ghcr.io/acme/notes:v1'] } },
		faults: [],
	});
});
