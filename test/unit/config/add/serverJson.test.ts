import { describe, expect, test } from 'vitest';
import { readPasted } from '../../../../src/config/add/pasted.ts';
import { launchText } from '../../../../src/config/add/serverDraft.ts';
import { addition, askedBy, proposed, told } from './fixtures.ts';

// The format: https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md and, with
// its schema of 2025-12-11, docs/reference/server-json/draft/server.schema.json there. The examples are its own, shortened.

const described = (parts: object) =>
	JSON.stringify({ name: 'io.github.example/weather-mcp', version: '0.5.0', ...parts });
const servers = (parts: object) => readPasted(described(parts)).servers.map(told);
const faults = (parts: object) => readPasted(described(parts)).faults;
const npm = (more: object) => ({
	packages: [{ registryType: 'npm', identifier: '@acme/weather', version: '1.0.2', ...more }],
});
const image = (more: object) => ({
	packages: [{ registryType: 'oci', identifier: 'docker.io/acme/weather', version: '1.0.2', ...more }],
});

describe('given a server.json', () => {
	test('when it has an npm package, then the user is asked only for its open argument', () => {
		const packageArguments = [
			{
				type: 'named',
				name: '--mode',
				description: 'Operation mode',
				default: 'local',
				choices: ['local', 'cached'],
				isRequired: true,
			},
			{ type: 'positional', value: 'start' },
		];
		expect(servers(npm({ packageArguments }))).toEqual([
			'weather: npx -y @acme/weather@1.0.2 --mode local start; asks MODE=local[local,cached]',
		]);
	});

	test('when it has a Python package, then its key is required and its setting is optional', () => {
		const environmentVariables = [
			{
				name: 'WEATHER_API_KEY',
				description: 'API key for weather service',
				isRequired: true,
				isSecret: true,
			},
			{ name: 'WEATHER_UNITS', default: 'celsius' },
		];
		const parts = {
			packages: [
				{
					registryType: 'pypi',
					identifier: 'weather-mcp-server',
					version: '0.5.0',
					runtimeHint: 'uvx',
					environmentVariables,
				},
			],
		};
		expect(servers(parts)).toEqual([
			`weather: uvx weather-mcp-server==0.5.0 {"WEATHER_API_KEY":"\${env:WEATHER_API_KEY}"}; asks WEATHER_API_KEY* WEATHER_UNITS?=celsius; keeps WEATHER_API_KEY`,
		]);
		const [planned] = addition(proposed(described(parts)), { WEATHER_UNITS: 'kelvin' }).servers;
		expect(planned?.server.entry.env).toEqual({
			WEATHER_API_KEY: `\${env:WEATHER_API_KEY}`,
			WEATHER_UNITS: 'kelvin',
		});
	});

	test('when it has an image, then its mount is filled in and its variables are passed on', () => {
		const parts = image({
			runtimeArguments: [
				{
					type: 'named',
					name: '--mount',
					value: 'type=bind,src={source_path},dst={target_path}',
					isRequired: true,
					variables: {
						source_path: { format: 'filepath', isRequired: true },
						target_path: { isRequired: true, default: '/project' },
					},
				},
			],
			packageArguments: [{ type: 'positional', valueHint: 'target_dir', value: '/project' }],
			environmentVariables: [
				{ name: 'TOKEN', isRequired: true, isSecret: true },
				{ name: 'LOG_LEVEL', default: 'info' },
			],
		});
		expect(servers(parts)).toEqual([
			`weather: docker run -i --rm --mount type=bind,src=given,dst=/project -e TOKEN docker.io/acme/weather:1.0.2 /project {"TOKEN":"\${env:TOKEN}"}; asks SOURCE_PATH TARGET_PATH=/project TOKEN* LOG_LEVEL?=info; keeps TOKEN`,
		]);
	});

	test('when it has a NuGet package, then its arguments follow “--”', () => {
		const packageArguments = [{ type: 'positional', value: 'mcp' }];
		const parts = {
			packages: [
				{ registryType: 'nuget', identifier: 'Acme.Weather', version: '0.4.0-beta', packageArguments },
			],
		};
		expect(servers(parts)).toEqual(['weather: dnx Acme.Weather@0.4.0-beta --yes -- mcp']);
	});

	test('when it has a remote, then the user is asked for URL variables and headers', () => {
		const headers = [
			{ name: 'X-API-Key', isRequired: true, isSecret: true },
			{ name: 'X-Region', default: 'us-east-1', choices: ['us-east-1', 'eu-west-1'] },
		];
		const remote = {
			type: 'streamable-http',
			url: 'https://{tenant}.example.com/mcp',
			variables: { tenant: { description: 'Your tenant' } },
			headers,
		};
		expect(servers({ remotes: [remote] })).toEqual([
			`weather: https://given.example.com/mcp {"X-API-Key":"\${env:X_API_KEY}"}; asks TENANT X_API_KEY* X_REGION?=us-east-1[us-east-1,eu-west-1]; keeps X_API_KEY`,
		]);
	});

	test('when it is a registry item with keys of 2025-07, then both its package and its remote are offered', () => {
		const server = {
			name: 'io.github.example/weather-mcp',
			version_detail: { version: '1.0.2' },
			packages: [
				{
					registry_type: 'npm',
					identifier: 'weather-mcp',
					environment_variables: [{ name: 'KEY', is_required: true, is_secret: true }],
				},
			],
			remotes: [{ transport_type: 'sse', url: 'https://weather.example.com/sse' }],
		};
		const { servers: ways } = readPasted(JSON.stringify({ server, _meta: {} }));
		expect(ways.map(({ way }) => way)).toEqual([
			'npm package weather-mcp@1.0.2',
			'https://weather.example.com/sse',
		]);
		expect(ways.map(told)[1]).toBe('weather: https://weather.example.com/sse "sse"');
	});

	test('when an optional option is left out, then its name is left out, too', () => {
		const packageArguments = [
			{ type: 'named', name: '--port', format: 'number', description: 'Port' },
			{ type: 'named', name: '--stdio' },
		];
		const proposal = proposed(described(npm({ packageArguments })));
		const started = (answers?: Readonly<Record<string, string>>) =>
			addition(proposal, answers).servers.map(({ server }) => launchText(server.entry));
		expect(askedBy(proposal)).toEqual(['PORT?']);
		expect(started()).toEqual(['npx -y @acme/weather@1.0.2 --stdio']);
		expect(started({ PORT: '80' })).toEqual(['npx -y @acme/weather@1.0.2 --port 80 --stdio']);
	});
});

describe('the check that a server.json runs only what it shows', () => {
	const lie = 'cannot be used: its description would run something else.';
	const argument = (type: string, more: object) => ({ runtimeArguments: [{ type, ...more }] });
	test.each([
		['another package of npm', npm(argument('named', { name: '--package', value: 'evil' }))],
		['a command for npx', npm(argument('named', { name: '-c', value: 'evil' }))],
		['a package before it', npm(argument('positional', { value: 'evil' }))],
		['another image', image(argument('positional', { value: 'evil/image' }))],
		['an option of docker without the value that it has', image(argument('named', { name: '-v' }))],
		['another program of the image', image(argument('named', { name: '--entrypoint', value: 'sh' }))],
		['all rights', image(argument('named', { name: '--privileged' }))],
		['all rights, set', image(argument('named', { name: '--privileged', value: 'true' }))],
		['devices of this machine', image(argument('named', { name: '--gpus', value: 'all' }))],
		[
			'another address for a host',
			image(argument('named', { name: '--add-host', value: 'a.example:1.2.3.4' })),
		],
		['a life beyond the window', image(argument('named', { name: '--restart', value: 'always' }))],
		['all rights, glued', image(argument('positional', { value: '--privileged=true' }))],
		['a device', image(argument('named', { name: '--device', value: '/dev/sda' }))],
		['more rights', image(argument('named', { name: '--cap-add', value: 'ALL' }))],
		['the processes of this machine', image(argument('named', { name: '--pid', value: 'host' }))],
		['its network', image(argument('named', { name: '--network', value: 'host' }))],
		['its network, glued', image(argument('positional', { value: '--net=host' }))],
		['a file of variables', image(argument('named', { name: '--env-file', value: '.env' }))],
		['an option that is none', image(argument('named', { name: 'evil/image' }))],
	])('%s', (_, parts) => {
		expect(servers(parts)).toEqual([]);
		expect(faults(parts).join()).toContain(lie);
	});

	test.each<[string, object, string]>([
		[
			'an address as package',
			npm({ identifier: 'https://evil.example.com/x.tgz' }),
			'is not a package name.',
		],
		...['.', '..', '~', './x', 'x.tgz', 'x.tar.gz', '@./x'].map((identifier): [string, object, string] => [
			`${identifier} as package`,
			npm({ identifier }),
			'is not a package name.',
		]),
		['a file as version', npm({ version: '1.tgz' }), 'is not a package name.'],
		...(
			[
				['npm_config_registry', { value: 'https://evil.example.com' }],
				['NODE_OPTIONS', { value: '--require ./evil.js' }],
				['UV_INDEX_URL', { default: 'https://evil.example.com' }],
				['PIP_INDEX_URL', { choices: ['https://evil.example.com'] }],
				['DOCKER_HOST', { value: 'tcp://evil.example.com' }],
			] as const
		).map(([name, more]): [string, object, string] => [
			name,
			npm({ environmentVariables: [{ name, ...more }] }),
			`sets "${name}", which decides what runs or where it comes from.`,
		]),
		['an option as package', npm({ identifier: '--yes' }), 'is not a package name.'],
		['an option as version', npm({ version: '1 --evil' }), 'is not a package name.'],
		[
			'another host',
			npm({ registryBaseUrl: 'https://packages.evil.example.com' }),
			'which is not a supported registry.',
		],
		[
			'another kind',
			{ packages: [{ registryType: 'mcpb', identifier: 'https://example.com/x.mcpb' }] },
			'cannot be run.',
		],
		['nothing', { packages: [] }, 'It has no package and no URL.'],
	])('%s', (_, parts, words) => {
		expect(servers(parts)).toEqual([]);
		expect(faults(parts).join()).toContain(words);
	});

	test('runs the package once when npx arguments repeat it', () => {
		const parts = npm({
			runtimeArguments: [
				{ type: 'positional', value: '-y' },
				{ type: 'positional', value: '@acme/weather@1.0.0' },
			],
		});
		expect(servers(parts)).toEqual(['weather: npx -y @acme/weather@1.0.2']);
	});

	test.each([
		[['--volume', '/:/host'], ['/']],
		[['-v', '/var/run/docker.sock:/var/run/docker.sock:ro'], ['/var/run/docker.sock']],
		[['--mount=type=bind,src=/etc,dst=/x'], ['/etc']],
		[['-v', 'data:/data'], []],
	])('notes the paths that %j lets a container access', (words, paths) => {
		const runtimeArguments = words.map((value) => ({ type: 'positional', value }));
		const [found] = readPasted(described(image({ runtimeArguments }))).servers;
		expect(found?.notes).toEqual(paths.map((path) => `It gives the container access to "${path}".`));
	});

	test('allows a sensitive variable that the user is asked for', () => {
		const environmentVariables = [{ name: 'HTTPS_PROXY', isRequired: true }];
		expect(faults(npm({ environmentVariables }))).toEqual([]);
	});

	test('escapes names with the characters that end a variable', () => {
		const environmentVariables = [
			{ name: 'A_B', value: `{x}\${env:HOME}`, variables: { x: { isRequired: true } } },
			{ name: `C}\${D`, isRequired: true },
		];
		expect(servers(npm({ environmentVariables }))).toEqual([
			`weather: npx -y @acme/weather@1.0.2 {"A_B":"given\${env:HOME}"}; asks X`,
		]);
	});
});
