import type { StdioLaunch } from '../../config/servers/launch.ts';

/** What VS Code's own settings say about proxies. */
export interface EditorProxy {
	/** `http.proxy`; empty: none. */
	readonly proxy: string;
	/** `http.noProxy`: hosts that are reached without it. */
	readonly noProxy: readonly string[];
}

/** What a server's environment is made of. */
interface Surroundings {
	readonly own?: NodeJS.ProcessEnv;
	readonly platform?: NodeJS.Platform;
	readonly editorProxy?: EditorProxy | undefined;
}

/** Reaching the network: proxies, in the capitals that are shown here and in small letters, and whether Node.js follows them. */
const proxies = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** What programs need on every platform, and what is no secret but for a password in an address. */
const shared = [
	...proxies,
	'NODE_USE_ENV_PROXY',
	// Certificates.
	'CURL_CA_BUNDLE',
	'NODE_EXTRA_CA_CERTS',
	'NODE_USE_SYSTEM_CA',
	'REQUESTS_CA_BUNDLE',
	'SSL_CERT_DIR',
	'SSL_CERT_FILE',
	// Agents and daemons.
	'DOCKER_CERT_PATH',
	'DOCKER_CONTEXT',
	'DOCKER_HOST',
	'DOCKER_TLS_VERIFY',
	'SSH_AUTH_SOCK',
	// Where languages and their version managers are installed, and where they keep packages.
	'ASDF_DATA_DIR',
	'ASDF_DIR',
	'CARGO_HOME',
	'GOPATH',
	'GOROOT',
	'JAVA_HOME',
	'MISE_CONFIG_DIR',
	'MISE_DATA_DIR',
	'NVM_DIR',
	'PYENV_ROOT',
	'RUSTUP_HOME',
	'UV_CACHE_DIR',
	'UV_PYTHON_INSTALL_DIR',
	'UV_TOOL_BIN_DIR',
	'UV_TOOL_DIR',
	'VOLTA_HOME',
	// Registries of packages.
	'NPM_CONFIG_REGISTRY',
	'PIP_EXTRA_INDEX_URL',
	'PIP_INDEX_URL',
	'UV_DEFAULT_INDEX',
	'UV_EXTRA_INDEX_URL',
	'UV_INDEX',
	'UV_INDEX_URL',
];

/** The first lines are the SDK's own list, which is sudo's; what follows finds caches, temporary files, the language and the display. */
const posixVariables = new Set([
	'HOME',
	'LOGNAME',
	'PATH',
	'SHELL',
	'TERM',
	'USER',
	'LANG',
	'LANGUAGE',
	'LC_ALL',
	'LC_CTYPE',
	'TMPDIR',
	'TZ',
	'XDG_CACHE_HOME',
	'XDG_CONFIG_HOME',
	'XDG_DATA_HOME',
	'XDG_RUNTIME_DIR',
	'DBUS_SESSION_BUS_ADDRESS',
	'DISPLAY',
	'WAYLAND_DISPLAY',
	'XAUTHORITY',
	...shared,
	...proxies.map((name) => name.toLowerCase()),
	'npm_config_registry',
]);

/** In capitals: Windows writes the same name in several cases, `Path` for one. */
const windowsVariables = new Set([
	'APPDATA',
	'HOMEDRIVE',
	'HOMEPATH',
	'LOCALAPPDATA',
	'PATH',
	'PROCESSOR_ARCHITECTURE',
	'SYSTEMDRIVE',
	'SYSTEMROOT',
	'TEMP',
	'USERNAME',
	'USERPROFILE',
	'COMSPEC',
	'PATHEXT',
	'PROGRAMDATA',
	'PROGRAMFILES',
	'PROGRAMFILES(X86)',
	'PROGRAMW6432',
	'TMP',
	'WINDIR',
	'NVM_HOME',
	'NVM_SYMLINK',
	'PYENV',
	'PYENV_HOME',
	...shared,
]);

/**
 * What VS Code gives its extension host and its own terminals: it would turn an Electron program into Node.js, or steer this window.
 * VS Code takes the same out of what it starts.
 */
const ofEditor = /^(ELECTRON|VSCODE|CODE_SERVER|SNAP|GDK_PIXBUF|APPLICATION_INSIGHTS)(_|$)/i;

/**
 * The environment of a server: of ours what programs need, or what its entry asks for with `inherit_env`; what VS Code's settings say about
 * proxies, where the environment says nothing; and over all of it what its entry declares.
 */
export function childEnvironment(
	{ env: declared, inherits = [] }: Pick<StdioLaunch, 'env' | 'inherits'>,
	{ own = process.env, platform = process.platform, editorProxy }: Surroundings = {},
): Record<string, string> {
	const isWindows = platform === 'win32';
	const known = (name: string) => (isWindows ? name.toUpperCase() : name);
	const wellKnown = isWindows ? windowsVariables : posixVariables;
	const named = new Set(inherits === true ? [] : inherits.map(known));
	const isInherited = (name: string) =>
		named.has(known(name)) || (inherits === true ? !ofEditor.test(name) : wellKnown.has(known(name)));
	// For programs a proxy is the same in both cases: one that is declared replaces both.
	const spelling = (name: string) =>
		proxies.includes(name.toUpperCase()) ? name.toUpperCase() : known(name);
	const replaced = new Set(Object.keys(declared).map(spelling));
	const inherited = Object.entries(own).filter(
		(entry): entry is [string, string] =>
			// A value that starts so is a shell's function.
			isInherited(entry[0]) && !replaced.has(spelling(entry[0])) && !entry[1]?.startsWith('()'),
	);
	const ours = Object.fromEntries(inherited);
	return { ...proxyVariables(editorProxy, { ...ours, ...declared }, isWindows), ...ours, ...declared };
}

/** Hosts that VS Code itself reaches without its proxy, whatever the settings say. */
const loopback = ['localhost', '127.0.0.1', '::1'];

/** VS Code's settings as variables, each where the environment says nothing. */
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
		// Many programs read one of the two only.
		...(isWindows ? [] : variables.map(([name, value]) => [name.toLowerCase(), value] as const)),
		// Node.js follows proxies where it is told to. In a terminal that is the user's choice; VS Code's own requests all go that way.
		...(isOurs ? [['NODE_USE_ENV_PROXY', '1'] as const] : []),
	]);
}
