/**
 * Variables that a server inherits from us; all others may hold somebody else's secret, or hijack the process. The
 * list is the SDK's own (which is sudo's) plus what programs need to find their caches, language and temporary folder.
 */
const posixVariables = [
	'HOME',
	'LANG',
	'LANGUAGE',
	'LC_ALL',
	'LC_CTYPE',
	'LOGNAME',
	'PATH',
	'SHELL',
	'TERM',
	'TMPDIR',
	'TZ',
	'USER',
	'XDG_CACHE_HOME',
	'XDG_CONFIG_HOME',
	'XDG_DATA_HOME',
	'XDG_RUNTIME_DIR',
];

const windowsVariables = [
	'APPDATA',
	'COMSPEC',
	'HOMEDRIVE',
	'HOMEPATH',
	'LOCALAPPDATA',
	'PATH',
	'PATHEXT',
	'PROCESSOR_ARCHITECTURE',
	'PROGRAMDATA',
	'PROGRAMFILES',
	'SYSTEMDRIVE',
	'SYSTEMROOT',
	'TEMP',
	'TMP',
	'USERNAME',
	'USERPROFILE',
];

/** The environment of a server: the allowed part of ours, and over it what its launch declares. */
export function childEnvironment(
	declared: Readonly<Record<string, string>>,
	own: NodeJS.ProcessEnv = process.env,
	platform: NodeJS.Platform = process.platform,
): Record<string, string> {
	const allowed = new Set(platform === 'win32' ? windowsVariables : posixVariables);
	const inherited = Object.entries(own).filter((entry): entry is [string, string] => {
		const [name, value] = entry;
		// Windows writes the same name in several cases, `Path` for one. A value that starts so is a shell's function.
		return allowed.has(platform === 'win32' ? name.toUpperCase() : name) && !value?.startsWith('()');
	});
	return { ...Object.fromEntries(inherited), ...declared };
}
