import { describe, expect, test } from 'vitest';
import { childEnvironment, type EditorProxy } from '../../../../src/mcp/stdio/childEnvironment.ts';

const environment = {
	PATH: '/bin',
	HOME: '/home/ada',
	OPENAI_API_KEY: 'sk',
	NODE_OPTIONS: '--inspect',
	LANG: '() { evil; }',
	ELECTRON_RUN_AS_NODE: '1',
	VSCODE_PID: '7',
};

const network = {
	HTTPS_PROXY: 'http://proxy:8080',
	http_proxy: 'http://proxy:8080',
	NO_PROXY: 'localhost',
	NODE_EXTRA_CA_CERTS: '/etc/company.pem',
	SSL_CERT_FILE: '/etc/company.pem',
	NODE_USE_SYSTEM_CA: '1',
};
const tools = {
	SSH_AUTH_SOCK: '/run/agent',
	DOCKER_HOST: 'ssh://build',
	JAVA_HOME: '/opt/java',
	VOLTA_HOME: '/home/ada/.volta',
	PIP_INDEX_URL: 'https://pypi.test/simple',
	npm_config_registry: 'https://npm.test',
};
const display = {
	DISPLAY: ':0',
	WAYLAND_DISPLAY: 'wayland-0',
	DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
};

function inherited(
	environment: Readonly<Record<string, string>>,
	platform: NodeJS.Platform,
	inherits?: true | readonly string[],
): Record<string, string> {
	return childEnvironment({ env: {}, ...(inherits && { inherits }) }, { environment, platform });
}

describe('a server inherits what programs need', () => {
	test.each(['linux', 'darwin'] as const)('on %s', (platform) => {
		const needed = { ...network, ...tools, ...display, PATH: '/bin', HOME: '/home/ada' };
		expect(inherited({ ...environment, ...needed }, platform)).toEqual(needed);
	});

	test('on Windows, where names are found in any case and there is no display', () => {
		const needed = {
			...network,
			...tools,
			Path: 'C:\\bin',
			SystemRoot: 'C:\\Windows',
			'ProgramFiles(x86)': 'C:\\x86',
			NVM_HOME: 'C:\\nvm',
		};
		const { PATH: _path, HOME: _home, ...others } = environment;
		expect(inherited({ ...others, ...needed, ...display }, 'win32')).toEqual(needed);
	});

	test('and neither keys nor what hijacks a process', () => {
		expect(inherited(environment, 'linux')).toEqual({ PATH: '/bin', HOME: '/home/ada' });
	});
});

describe('what its entry declares', () => {
	test('is added and wins', () => {
		const declared = { PATH: '/opt', TOKEN: 't' };
		expect(childEnvironment({ env: declared }, { environment, platform: 'linux' })).toMatchObject(declared);
	});

	test('replaces a proxy in both cases, and on Windows any variable in another case', () => {
		const proxied = {
			environment: { ...environment, ...network, https_proxy: 'http://proxy:8080' },
			platform: 'linux',
		} as const;
		const { HTTPS_PROXY, https_proxy, http_proxy } = childEnvironment(
			{ env: { https_proxy: 'http://mine:1' } },
			proxied,
		);
		expect([HTTPS_PROXY, https_proxy, http_proxy]).toEqual([undefined, 'http://mine:1', network.http_proxy]);
		const windows = { environment: { PATH: 'C:\\bin' }, platform: 'win32' } as const;
		expect(childEnvironment({ env: { Path: 'D:\\' } }, windows)).toEqual({ Path: 'D:\\' });
	});
});

describe('with "inherit_env"', () => {
	test('it inherits the variables that are named, and on Windows in any case', () => {
		expect(inherited(environment, 'linux', ['NODE_OPTIONS', 'NOT_SET'])).toEqual({
			PATH: '/bin',
			HOME: '/home/ada',
			NODE_OPTIONS: '--inspect',
		});
		expect(inherited({ Aws_Profile: 'p', OTHER: 'o' }, 'win32', ['AWS_PROFILE'])).toEqual({
			Aws_Profile: 'p',
		});
	});

	test('it inherits everything that is not VS Code’s own', () => {
		const { ELECTRON_RUN_AS_NODE: _electron, VSCODE_PID: _pid, LANG: _shellFunction, ...users } = environment;
		expect(inherited(environment, 'linux', true)).toEqual(users);
	});
});

describe('VS Code’s proxy', () => {
	const editorProxy: EditorProxy = { proxy: 'http://corp:3128', noProxy: ['.corp.test'] };
	const proxyOf = (environment: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') =>
		childEnvironment({ env: {} }, { environment, platform, editorProxy });

	test('is followed where the environment has none, but not on the way to this machine', () => {
		const noProxy = 'localhost,127.0.0.1,::1,.corp.test';
		const capitals = { HTTP_PROXY: 'http://corp:3128', HTTPS_PROXY: 'http://corp:3128', NO_PROXY: noProxy };
		expect(proxyOf({}, 'win32')).toEqual({ ...capitals, NODE_USE_ENV_PROXY: '1' });
		expect(proxyOf({})).toEqual({
			...capitals,
			http_proxy: 'http://corp:3128',
			https_proxy: 'http://corp:3128',
			no_proxy: noProxy,
			NODE_USE_ENV_PROXY: '1',
		});
	});

	test('gives way to one of the environment, for which the exceptions still count', () => {
		expect(proxyOf({ all_proxy: 'socks5://mine:1' })).toEqual({
			all_proxy: 'socks5://mine:1',
			NO_PROXY: '.corp.test',
			no_proxy: '.corp.test',
		});
		expect(proxyOf(network)).toEqual(network);
	});

	test('is none while it is not set', () => {
		const unset = { environment: {}, platform: 'linux', editorProxy: { proxy: '', noProxy: [] } } as const;
		expect(childEnvironment({ env: {} }, unset)).toEqual({});
	});
});
