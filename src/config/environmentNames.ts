/** Variables that make a process load or run somebody else's code, or find other programs than it meant to. */
const hijacking = new Set([
	'BASH_ENV',
	'CLASSPATH',
	'COMSPEC',
	'ELECTRON_RUN_AS_NODE',
	'ENV',
	'GIT_SSH_COMMAND',
	'JAVA_TOOL_OPTIONS',
	'JDK_JAVA_OPTIONS',
	'_JAVA_OPTIONS',
	'PATH',
	'PERL5LIB',
	'PERL5OPT',
	'PYTHONHOME',
	'PYTHONPATH',
	'PYTHONSTARTUP',
	'RUBYLIB',
	'RUBYOPT',
	'SHELL',
]);

/** True for names that hijack a process. Case is ignored, as Windows ignores it. */
export function hijacksProcess(name: string): boolean {
	const upper = name.toUpperCase();
	return hijacking.has(upper) || /^(LD_|DYLD_|NODE_)/.test(upper);
}

/** True for names that send a process's traffic somewhere else, or make it trust other certificates. */
export function redirectsTraffic(name: string): boolean {
	return /^((HTTP|HTTPS|ALL|NO|FTP)_PROXY|NPM_CONFIG_.*|SSL_CERT_(FILE|DIR))$/.test(name.toUpperCase());
}

/** Why no process can have a variable of this name, or nothing. */
export function environmentNameFault(name: string): string | undefined {
	if (name === '') return 'the name of an environment variable must not be empty';
	if (/[=\0]/.test(name)) return 'the name of an environment variable can hold no "=" and no NUL';
	return undefined;
}
