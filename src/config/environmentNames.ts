import * as l10n from '@vscode/l10n';

/** Variables that make a process load or run somebody else's code, or find other programs than it meant to. */
const hijacking = new Set([
	'BASH_ENV',
	'BUN_OPTIONS',
	'CLASSPATH',
	'COMSPEC',
	'DOTNET_STARTUP_HOOKS',
	'ELECTRON_RUN_AS_NODE',
	'ENV',
	'GCONV_PATH',
	'GIT_EXEC_PATH',
	'GIT_SSH',
	'GIT_SSH_COMMAND',
	'GLIBC_TUNABLES',
	'HOME',
	'IFS',
	'JAVA_OPTS',
	'JAVA_TOOL_OPTIONS',
	'JDK_JAVA_OPTIONS',
	'_JAVA_OPTIONS',
	'LUA_INIT',
	'MAVEN_OPTS',
	'OPENSSL_CONF',
	'PATH',
	'PATHEXT',
	'PERL5DB',
	'PERL5LIB',
	'PERL5OPT',
	'PERLLIB',
	'PHPRC',
	'PHP_INI_SCAN_DIR',
	'PROMPT_COMMAND',
	'PS4',
	'PYTHONBREAKPOINT',
	'PYTHONHOME',
	'PYTHONINSPECT',
	'PYTHONPATH',
	'PYTHONSTARTUP',
	'PYTHONUSERBASE',
	'RUBYLIB',
	'RUBYOPT',
	'RUSTC_WRAPPER',
	'SHELL',
	'USERPROFILE',
	'XDG_CONFIG_HOME',
	'ZDOTDIR',
]);

/** True for names that hijack a process. Case is ignored, as Windows ignores it. */
export function hijacksProcess(name: string): boolean {
	const upper = name.toUpperCase();
	return hijacking.has(upper) || /^(LD_|DYLD_|NODE_(?!ENV$)|CORECLR_|COR_|GIT_CONFIG)/.test(upper);
}

/** True for names by which Node.js is steered, those among them that tell a program how it is meant to run. */
export function steersNode(name: string): boolean {
	return /^NODE_/.test(name.toUpperCase());
}

/** True for names that send a process's traffic somewhere else, or make it trust other certificates. */
export function redirectsTraffic(name: string): boolean {
	return /^((HTTP|HTTPS|ALL|NO|FTP)_PROXY|NPM_CONFIG_.*|PIP_.*INDEX_URL|UV_.*INDEX.*|SSL_CERT_(FILE|DIR))$/.test(
		name.toUpperCase(),
	);
}

/** Why no process can have a variable of this name, or nothing. */
export function environmentNameFault(name: string): string | undefined {
	if (name === '') return l10n.t('the name of an environment variable must not be empty');
	if (/[=\0]/.test(name)) {
		return l10n.t('the name of an environment variable can hold no "=" and no NUL');
	}
	return undefined;
}

/** Names of the environment variables that stand as `${env:NAME}` in the texts of a JSON value, each once. */
export function variablesIn(value: unknown): readonly string[] {
	if (typeof value === 'string') {
		return [...new Set([...value.matchAll(/\$\{env:([^{}]*)\}/g)].map(([, name = '']) => name))];
	}
	if (typeof value !== 'object' || value === null) return [];
	return [...new Set(Object.values(value).flatMap(variablesIn))];
}
