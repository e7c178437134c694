import { searchToolsName } from '../discovery/syntheticTool.ts';

/** Longest name of a server; with a tool's name it has to fit into a wire name of 64 characters. */
export const maxServerNameLength = 64;

/** Names of tools that the extension answers itself; a server of that name would read as one of them. */
const syntheticToolNames = new Set([searchToolsName, 'list_available_tools', 'list_tool_details']);

/** Line breaks, control characters, and those that turn the direction of the text around them. */
export const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Why a server cannot have this name, or nothing. Spaces, emoji and other scripts are allowed. */
export function serverNameFault(name: string): string | undefined {
	if (name.trim() === '') return 'the name of a server must not be empty';
	if (name.length > maxServerNameLength) {
		return `the name of a server has at most ${maxServerNameLength} characters, this one has ${name.length}`;
	}
	if (unprintable.test(name)) return 'the name of a server can hold no control characters';
	if (/[/\\]/.test(name)) return 'the name of a server can hold no slashes';
	if (name === '.' || name === '..' || name === '__proto__')
		return 'no server can have this name; choose another';
	if (syntheticToolNames.has(name))
		return 'this is the name of one of the extension’s own tools; choose another';
	return undefined;
}

/** What is left of a name where only `[A-Za-z0-9_-]` is legal; two servers alike in it are hard to tell apart. */
export function legibleName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/gu, '_');
}
