import * as l10n from '@vscode/l10n';

/** Variables that make a process load or run other code, or find other programs than intended. */
const hijacking = [
	// Of the system and its shells: where programs, libraries and settings are found, and what runs at the start.
	/^(PATH|PATHEXT|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|SYSTEMROOT|WINDIR|COMSPEC|PSMODULEPATH|SHELL|SHELLOPTS|BASHOPTS)$/,
	/^(ENV|BASH_ENV|BASH_FUNC_.*|ZDOTDIR|FPATH|CDPATH|IFS|PS4|PROMPT_COMMAND|TERMINFO|TERMCAP|LOCPATH|NLSPATH|GCONV_PATH)$/,
	/^(LD_|DYLD_|GLIBC_|MALLOC_|XDG_(CONFIG|DATA|CACHE|STATE|RUNTIME)_)/,
	/^(OPENSSL_(CONF|ENGINES|MODULES)|GTK_MODULES|GTK_PATH|GIO_(MODULE_DIR|EXTRA_MODULES)|QT_PLUGIN_PATH|LIBGL_DRIVERS_PATH)$/,
	// Programs that others start: for a password, an editor, a pager, a browser, a compiler.
	/(^|_)(ASKPASS|EDITOR|PAGER|BROWSER|EXECUTABLE|EXECUTABLE_PATH)$/,
	/^(VISUAL|LESSOPEN|LESSCLOSE|CHROME_PATH|CHROME_BIN|CC|CXX|CPP|LD|AR|MAKE|MAKEFLAGS|MFLAGS|CFLAGS|CXXFLAGS|LDFLAGS|CGO_.*|CMAKE_.*)$/,
	/^GIT_(EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|CONFIG.*|TEMPLATE_DIR|EXTERNAL_DIFF|PROXY_COMMAND|DIR|COMMON_DIR|WORK_TREE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|ALLOW_PROTOCOL|ATTR_SOURCE)$/,
	// Of languages: options, libraries, hooks.
	/^NODE_(?!ENV$)/,
	/^(ELECTRON_RUN_AS_NODE|BUN_OPTIONS|BUN_INSPECT.*|DENO_DIR|DENO_INSTALL_ROOT|COREPACK_(HOME|ROOT))$/,
	/^PYTHON(BREAKPOINT|HOME|INSPECT|PATH|STARTUP|USERBASE|EXECUTABLE|PLATLIBDIR|WARNINGS|PYCACHEPREFIX|CASEOK)$/,
	/^(VIRTUAL_ENV|CONDA_(EXE|PREFIX|PYTHON_EXE)|PIPX_.*|UV_(PYTHON|TOOL|PROJECT|WORKING|ENV_FILE|CACHE_DIR).*|POETRY_HOME)$/,
	/^(PERL5(DB|LIB|OPT|SHELL)|PERLLIB|PERL_(MM|MB)_OPT|PERL_LOCAL_LIB_ROOT|RUBY(LIB|OPT|SHELL|PATH)|GEM_(HOME|PATH)|BUNDLE_(GEMFILE|PATH|BIN.*))$/,
	/^(PHPRC|PHP_INI_SCAN_DIR|LUA_(INIT|PATH|CPATH)(_\d+)*|GUILE_(SYSTEM_)?LOAD_.*|TCLLIBPATH|R_(PROFILE|ENVIRON|HOME|LIBS)(_\w+)?|JULIA_(LOAD|DEPOT|PROJECT).*)$/,
	/^(CLASSPATH|_JAVA_OPTIONS|(JAVA|JDK_JAVA|MAVEN|GRADLE|SBT|KOTLIN|SCALA|ANT|CATALINA)_(TOOL_)?(OPTS|OPTIONS|ARGS|HOME|USER_HOME)|M2_HOME|JAVA_HOME)$/,
	/^(DOTNET_(STARTUP_HOOKS|ROOT.*|ADDITIONAL_DEPS|SHARED_STORE|HOST_PATH|BUNDLE.*|GC\w*)|CORECLR_.*|COR_.*|NUGET_PACKAGES|MSBUILD.*)$/,
	/^(RUSTC|RUSTDOC|RUSTFLAGS|RUSTC_(WORKSPACE_)?WRAPPER|RUSTUP_(HOME|TOOLCHAIN)|CARGO_(HOME|BUILD_.*|ENCODED_RUSTFLAGS|TARGET_.*|ALIAS_.*))$/,
	/^(GO(FLAGS|ENV|ROOT|PATH|BIN|TOOLCHAIN|TOOLDIR|AUTH|WORK|CACHE|CACHEPROG|MODCACHE|TMPDIR|DEBUG|GCCFLAGS|EXPERIMENT)|(ELIXIR_)?ERL_\w*(FLAGS|OPTIONS|LIBS|COMPILER\w*))$/,
];

/** Variables that redirect a process's traffic or downloads, or make it trust other certificates. */
const redirecting = [
	/(^|_)(HTTP|HTTPS|ALL|NO|FTP|RSYNC|SOCKS|SOCKS5|WS|WSS|GRPC)_?PROXY$/,
	/(^|_)CA_(BUNDLE|CERTS?|FILE|PATH|STORE)$|(^|_)CAINFO$|^SSL_CERT_(FILE|DIR)$|^GIT_SSL_|^(DENO|PIP|CURL|HTTPLIB2)_(CERT|CA_CERTS|HOME|SSL_BACKEND)$/,
	/^(WGETRC|SYSTEM_WGETRC|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|DENO_(TLS_CA_STORE|AUTH_TOKENS))$/,
	// Package registries. Their passwords and tokens are ordinary values.
	/^(NPM_CONFIG_.*|(NPM|YARN|PNPM|BUN|BUN_CONFIG|COREPACK_NPM)_(?!.*TOKEN)\w*REGISTRY.*|YARN_(RC|YARN_PATH|PLUGINS|IGNORE)\w*)$/,
	/^(PIP_.*INDEX_URL|PIP_(CONFIG_FILE|FIND_LINKS|TRUSTED_HOST|TARGET|PREFIX|REQUIREMENT|CONSTRAINT)|PIPENV_PYPI_MIRROR|POETRY_REPOSITORIES_.*)$/,
	/^UV_(.*INDEX.*|FIND_LINKS|CONFIG_FILE|INSECURE_HOST|OVERRIDE|CONSTRAINT|.*MIRROR)$/,
	/^(GO(PROXY|SUMDB|NOSUMDB|NOSUMCHECK|INSECURE|PRIVATE|NOPROXY|VCS)|CARGO_(HTTP|NET|SOURCE|REGISTR(Y|IES)_(?!.*TOKEN)).*|RUSTUP_(DIST_SERVER|UPDATE_ROOT))$/,
	/^(BUNDLE_MIRROR.*|RUBYGEMS_HOST|COMPOSER(_HOME|_REPO_PACKAGIST)?|HOMEBREW_.*(DOMAIN|REMOTE|MIRROR)|MAVEN_REPO.*|NUGET_.*(SOURCE|ENDPOINT)S?|HF_ENDPOINT)$/,
	// Which daemon or cluster is used; some of these files name programs too.
	/^(DOCKER_(HOST|CONTEXT|CONFIG|CERT_PATH|TLS|TLS_VERIFY)|CONTAINER_HOST|BUILDKIT_HOST|KUBECONFIG|LIBVIRT_DEFAULT_URI)$/,
	/^(AWS_(CONFIG_FILE|SHARED_CREDENTIALS_FILE|ENDPOINT_URL.*|CONTAINER_CREDENTIALS_.*URI|EC2_METADATA_SERVICE_ENDPOINT)|CLOUDSDK_(API_ENDPOINT.*|PYTHON.*|CONFIG|PROXY.*|AUTH_.*)|SSH_AUTH_SOCK)$/,
];

/** Whether a variable can hijack a process. Case is ignored, as on Windows. */
export function hijacksProcess(name: string): boolean {
	return hijacking.some((names) => names.test(name.toUpperCase()));
}

/** Whether Node.js reads a variable; also `NODE_ENV`, which tells programs how to run. */
export function steersNode(name: string): boolean {
	return /^NODE_/.test(name.toUpperCase());
}

/** Whether a variable redirects a process's traffic, or makes it trust other certificates. */
export function redirectsTraffic(name: string): boolean {
	return redirecting.some((names) => names.test(name.toUpperCase()));
}

/** Why this cannot be the name of an environment variable; `undefined`: it can. */
export function environmentNameFault(name: string): string | undefined {
	if (name === '') return l10n.t('an environment variable name must not be empty');
	if (/[=\0]/.test(name)) {
		return l10n.t('an environment variable name cannot contain "=" or NUL');
	}
	return undefined;
}

/** Why a name cannot be that of a stored secret, as a sentence. */
export function secretNameFault(name: string): string | undefined {
	if (!/^[A-Za-z_]\w*$/.test(name))
		return l10n.t('Use letters, digits and “_”. The first character must not be a digit.');
	return hijacksProcess(name) || redirectsTraffic(name)
		? l10n.t('This variable changes how programs run, so it cannot be a secret.')
		: undefined;
}

/** Names of the variables read as `${env:NAME}` in any text of a JSON value, each once. */
export function variablesIn(value: unknown): readonly string[] {
	if (typeof value === 'string') {
		return [...new Set([...value.matchAll(/\$\{env:([^{}]*)\}/g)].map(([, name = '']) => name))];
	}
	if (typeof value !== 'object' || value === null) return [];
	return [...new Set(Object.values(value).flatMap(variablesIn))];
}
