import type { JsonRecord } from '../../common/json.ts';
import { addressKey } from '../servers/address.ts';

/** Words that only say that a package is a server. */
const affix = /(^|[-_.\s])(mcp|mcpserver|server|servers|model-?context-?protocol|stdio)(?=$|[-_.\s])/gi;
/** Common parts of paths and addresses that do not distinguish servers. */
const generic =
	/^(index|main|app|cli|run|start|dist|build|out|src|bin|lib|target|release|debug|package|packages|node_modules|api|v\d+|sse|http|stream|latest|examples?|users|home|absolute|path|to|your|parent|folder|dir|opt|usr|local|cmd|exe)$/i;

/**
 * A name from the parts of a package or path, the most specific last. `@scope/server-files@1.0` gives `files`; `@scope/mcp`, which says
 * nothing itself, gives `scope`.
 */
function nameFromParts(parts: readonly string[]): string {
	const names = parts.map(simpleName).filter((name) => name !== '');
	return (
		names.findLast((name) => !generic.test(name)) ?? (names.length === 1 ? names[0] : undefined) ?? 'server'
	);
}

function simpleName(part: string): string {
	return part
		.replace(/\$\{[^{}]*\}/g, '')
		.replace(/^@/, '')
		.replace(/(@|==|>=|~=|:(?=[\w.]*$)|\[|#).*$/, '')
		.replace(/\.(git|[cm]?[jt]s|py|exe|jar|cmd|sh|dll|wasm)$/i, '')
		.replace(affix, '')
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-+|-+$/g, '')
		.toLowerCase();
}

/** A name from a package's identifier: `@scope/name@1.0`, `name[extra]==1.0`, `ghcr.io/owner/image:tag`, a Git address. */
export function nameOfPackage(name: string): string {
	const path = name.replace(/^(git\+)?(https?|ssh):\/\/[^/]*/, '').replace(/^(npm|jsr|github):/, '');
	const parts = path.split(/[\\/]/);
	// The host of an image's registry.
	return nameFromParts(parts.length > 1 && /[.:]/.test(parts[0] ?? '') ? parts.slice(1) : parts);
}

/** Hosting services whose first label tells more than the rest. */
const sharedHost =
	/\.(workers\.dev|pages\.dev|vercel\.app|netlify\.app|github\.io|run\.app|azurewebsites\.net|azurecontainerapps\.io|onrender\.com|herokuapp\.com|fly\.dev|railway\.app|ngrok(-free)?\.(app|dev|io)|hf\.space|amazonaws\.com|run\.tools)$/i;
/** The second part of a two-part domain, such as `co.uk`. */
const secondLevel = /^(co|com|org|net|gov|edu|ac)$/i;

/** A name from an address: `https://mcp.notion.com/mcp` gives `notion`; on this machine, the path or the port. */
export function nameOfAddress(address: string): string {
	const url = URL.parse(address);
	if (!url) return 'server';
	const labels = url.hostname.split('.').filter((label) => label !== '');
	const isNumber = /^\[|^\d+(\.\d+){3}$/.test(url.hostname);
	if (isNumber || labels.length < 2 || labels.at(-1) === 'localhost') {
		const host = isNumber || labels.at(-1) === 'localhost' ? [] : labels;
		const name = nameFromParts([...host, ...url.pathname.split('/')]);
		return generic.test(name) || name === 'server' ? `local${url.port && `-${url.port}`}` : name;
	}
	if (sharedHost.test(url.hostname)) return nameFromParts(labels.slice(0, 1));
	const isShort = labels.length > 2 && secondLevel.test(labels.at(-2) ?? '');
	return nameFromParts(labels.slice(0, isShort ? -2 : -1).slice(-1));
}

export function isAddress(text: string | undefined): boolean {
	return /^https?:\/\//i.test(text ?? '');
}

/** A name from what an entry runs or reaches. */
export function nameOfEntry(entry: JsonRecord): string {
	const address = Object.keys(entry).find((key) => addressKey.test(key) && typeof entry[key] === 'string');
	if (address !== undefined) return nameOfAddress(String(entry[address]));
	const { kind, text } = runBy(wordsOf(entry));
	switch (kind) {
		case 'address':
			return nameOfAddress(text);
		case 'package':
			return nameOfPackage(text);
		case 'path':
			return nameFromParts(text.split(/[\\/]/));
	}
}

/** A package as it is installed below a folder. */
const installed = /[\\/]?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** The package or image that an entry runs, without its version; `undefined`: it runs something else. */
export function packageOfEntry(entry: JsonRecord): string | undefined {
	const { kind, text } = runBy(wordsOf(entry));
	if (kind === 'address') return undefined;
	if (kind === 'path') return installed.exec(text)?.[1]?.replaceAll('\\', '/');
	// A Python module is named like its package, with underscores.
	return text.replace(/(?<=.)(@|==|>=|~=|\[|:(?=[\w.-]*$)).*$/, '').replaceAll('_', '-') || undefined;
}

/** The words of an entry's command line. */
function wordsOf({ command, args }: JsonRecord): readonly string[] {
	const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
	return words.flatMap((word, index) => (index === 0 ? word.trim().split(/\s+/) : [word]));
}

/** Options of `docker run` that take a value. */
const containerValue =
	/^(-e|--env|--env-file|-v|--volume|--mount|-p|--publish|--name|--network|--net|-w|--workdir|-u|--user|--platform|--entrypoint|--add-host|--pull|-l|--label|-m|--memory|--cpus|--gpus|--shm-size|--device|--security-opt|--cap-add|--cap-drop|--ipc|--pid|-h|--hostname|--dns|--tmpfs|--restart|--ulimit|--stop-timeout)$/;

/** Whether a command starts a container: `docker run`, `/usr/bin/podman container run`. */
export function startsContainer(command: string, args: readonly string[]): boolean {
	const program = command.split(/[\\/]/).at(-1) ?? '';
	return (
		/^(docker|podman|nerdctl)(\.exe)?$/i.test(program) && args[args[0] === 'container' ? 1 : 0] === 'run'
	);
}

/** The index of the image in the words of `docker run`; past the end if there is none. */
export function imageIndex(args: readonly string[]): number {
	return positional(args, args.indexOf('run') + 1, containerValue);
}

/** The first word from `start` on that is neither an option nor an option's value. */
function positional(words: readonly string[], start: number, withValue: RegExp): number {
	let at = start;
	while (at < words.length && words[at]?.startsWith('-')) {
		if (words[at] === '--') return at + 1;
		at += withValue.test(words[at] ?? '') ? 2 : 1;
	}
	return at;
}

const uvValue = /^(--from|--with|--directory|--project|--python|-p)$/;

/** `uv --directory FOLDER run server.py`, `uv tool run package`. */
function runByUv(args: readonly string[]): RunThing {
	const verb = positional(args, 0, uvValue);
	const isTool = args[verb] === 'tool';
	const run = isTool ? verb + 1 : verb;
	const folder = args[args.findIndex((word) => /^--(directory|project)$/.test(word)) + 1] ?? '';
	const script = args[positional(args, run + 1, uvValue)] ?? '';
	if (isTool) return { kind: 'package', text: script };
	return { kind: 'path', text: folder === args[0] ? script : `${folder}/${script}` };
}

/** What a command runs: a package, an image or a module, a path, or what it forwards to an address. */
interface RunThing {
	readonly kind: 'address' | 'package' | 'path';
	readonly text: string;
}

function runBy(words: readonly string[]): RunThing {
	const [command = '', ...args] = words;
	const program = (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(exe|cmd)$/i, '').toLowerCase();
	const [first = ''] = args;
	const address = args.find(isAddress);
	const named = (text = command): RunThing => ({ kind: 'package', text });
	const packageAt = (start: number, withValue: RegExp) => named(args[positional(args, start, withValue)]);
	switch (true) {
		case address !== undefined &&
			args.some((word) => /(^|\/)(mcp-remote|supergateway|mcp-proxy)(@|$)/.test(word)):
		case address !== undefined && /^(mcp-remote|mcp-proxy|supergateway)$/.test(program):
			return { kind: 'address', text: address };
		case /^(npx|bunx|pnpx)$/.test(program):
			return packageAt(0, /^(-p|--package|-c|--call|--registry)$/);
		case /^(npm|pnpm|yarn|bun|pipx|deno)$/.test(program) && /^(exec|x|dlx|run)$/.test(first):
			return packageAt(1, /^(--package|-p|--spec|--config)$/);
		case program === 'uvx':
			return packageAt(0, /^(--from|--with|--python|-p|--index-url|--index|--with-editable)$/);
		case program === 'uv':
			return runByUv(args);
		case startsContainer(command, args):
			return named(args[imageIndex(args)] ?? program);
		case /^(python[\d.]*|py)$/.test(program) && args.includes('-m'):
			return named(args[args.indexOf('-m') + 1] ?? program);
		case /^(node|tsx|bun|deno|python[\d.]*|py|ruby|php|java|go|dotnet|dnx|sh|bash|pwsh|powershell)$/.test(
			program,
		):
			return {
				kind: 'path',
				text: args.find((word) => !word.startsWith('-') && !/^(run|x)$/.test(word)) ?? program,
			};
		default:
			return { kind: 'path', text: command };
	}
}
