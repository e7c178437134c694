import type { StdioLaunch } from '../../config/servers/launch.ts';

/** VS Code's proxy settings. */
export interface EditorProxy {
	/** `http.proxy`; empty: none. */
	readonly proxy: string;
	/** `http.noProxy`: hosts that are reached directly. */
	readonly noProxy: readonly string[];
}

interface Surroundings {
	readonly environment?: NodeJS.ProcessEnv;
	readonly platform?: NodeJS.Platform;
	readonly editorProxy?: EditorProxy | undefined;
}

/** Proxy variables. Programs read them in capitals and in lower case. */
const proxies = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

const wordsOf = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

/** What programs need on every platform. Nothing here is secret, except for a password in an address. */
const shared = [
	...proxies,
	...wordsOf(
		// Proxies and certificates.
		'NODE_USE_ENV_PROXY NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA CURL_CA_BUNDLE REQUESTS_CA_BUNDLE SSL_CERT_DIR SSL_CERT_FILE',
		// Agents and daemons.
		'DOCKER_CERT_PATH DOCKER_CONTEXT DOCKER_HOST DOCKER_TLS_VERIFY SSH_AUTH_SOCK',
		// Where languages and version managers are installed, and where they keep packages.
		'ASDF_DATA_DIR ASDF_DIR CARGO_HOME GOPATH GOROOT JAVA_HOME MISE_CONFIG_DIR MISE_DATA_DIR NVM_DIR PYENV_ROOT RUSTUP_HOME',
		'UV_CACHE_DIR UV_PYTHON_INSTALL_DIR UV_TOOL_BIN_DIR UV_TOOL_DIR VOLTA_HOME',
		// Package registries.
		'NPM_CONFIG_REGISTRY PIP_EXTRA_INDEX_URL PIP_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_INDEX UV_INDEX_URL',
	),
];

/** The first line is the SDK's own list, which is sudo's. The rest locates caches, temporary files, the language and the display. */
const posixVariables = new Set([
	...wordsOf(
		'HOME LOGNAME PATH SHELL TERM USER',
		'LANG LANGUAGE LC_ALL LC_CTYPE TMPDIR TZ XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR',
		'DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY npm_config_registry',
	),
	...shared,
	...proxies.map((name) => name.toLowerCase()),
]);

/** In capitals: Windows spells the same name in different ways, such as `Path`. */
const windowsVariables = new Set([
	...wordsOf(
		'APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE',
		'COMSPEC PATHEXT PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 TMP WINDIR NVM_HOME NVM_SYMLINK PYENV PYENV_HOME',
	),
	...shared,
]);

/**
 * What VS Code sets for its extension host and terminals. It would turn an Electron program into Node.js, or control this window. VS Code
 * itself removes these variables from the processes it starts.
 */
const editorVariables = /^(ELECTRON|VSCODE|CODE_SERVER|SNAP|GDK_PIXBUF|APPLICATION_INSIGHTS)(_|$)/i;

/**
 * The environment of a server: the parts of ours that programs need, or that its entry asks for with `inherit_env`; VS Code's proxy
 * settings, unless the environment has its own; and on top what its entry declares.
 */
export function childEnvironment(
	{ env: declared, inherits = [] }: Pick<StdioLaunch, 'env' | 'inherits'>,
	{ environment = process.env, platform = process.platform, editorProxy }: Surroundings = {},
): Record<string, string> {
	const isWindows = platform === 'win32';
	const normalizedName = (name: string) => (isWindows ? name.toUpperCase() : name);
	const wellKnown = isWindows ? windowsVariables : posixVariables;
	const inheritedNames = new Set(inherits === true ? [] : inherits.map(normalizedName));
	const isInherited = (name: string) =>
		inheritedNames.has(normalizedName(name)) ||
		(inherits === true ? !editorVariables.test(name) : wellKnown.has(normalizedName(name)));
	// Programs read a proxy variable in either case, so a declared one replaces both spellings.
	const spelling = (name: string) =>
		proxies.includes(name.toUpperCase()) ? name.toUpperCase() : normalizedName(name);
	const replaced = new Set(Object.keys(declared).map(spelling));
	const inherited = Object.entries(environment).filter(
		(entry): entry is [string, string] =>
			// Such a value is a shell function.
			isInherited(entry[0]) && !replaced.has(spelling(entry[0])) && !entry[1]?.startsWith('()'),
	);
	const inheritedVariables = Object.fromEntries(inherited);
	return {
		...proxyVariables(editorProxy, { ...inheritedVariables, ...declared }, isWindows),
		...inheritedVariables,
		...declared,
	};
}

/** Hosts that VS Code never reaches through its proxy. */
const loopback = ['localhost', '127.0.0.1', '::1'];

/** VS Code's proxy settings as variables, unless the environment sets them. */
function proxyVariables(
	editorProxy: EditorProxy | undefined,
	environment: Readonly<Record<string, string>>,
	isWindows: boolean,
): Record<string, string> {
	if (editorProxy === undefined) return {};
	const { proxy, noProxy } = editorProxy;
	const isSet = new Set(Object.keys(environment).map((name) => name.toUpperCase()));
	const hasProxy = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => isSet.has(name));
	const isOurs = proxy !== '' && !hasProxy;
	const exceptions = isOurs ? [...loopback, ...noProxy] : noProxy;
	const variables = [
		...(isOurs ? [['HTTP_PROXY', proxy] as const, ['HTTPS_PROXY', proxy] as const] : []),
		...(exceptions.length > 0 && !isSet.has('NO_PROXY') ? [['NO_PROXY', exceptions.join(',')] as const] : []),
	];
	return Object.fromEntries([
		...variables,
		// Many programs read only one spelling.
		...(isWindows ? [] : variables.map(([name, value]) => [name.toLowerCase(), value] as const)),
		// Node.js uses proxies only if told to. In a terminal that is the user's choice, but VS Code sends all its own requests through them.
		...(isOurs ? [['NODE_USE_ENV_PROXY', '1'] as const] : []),
	]);
}
