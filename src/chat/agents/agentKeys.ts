import { nearestName, typoTolerance } from '../../common/nearestName.ts';
import { FileFault } from './fileFault.ts';
import type { FrontMatter, FrontMatterEntry } from './frontMatter.ts';

/** Keys that are read here, in the spelling of the docs. Case, dashes and underscores do not matter. */
const keys = [
	'name',
	'description',
	'tools',
	'disallowedTools',
	'agents',
	'maxTurns',
	'inherit_active_mcp',
	'disable-model-invocation',
	'infer',
	'permissionMode',
	'mcpServers',
] as const;
export type AgentKey = (typeof keys)[number];
const byLetters = new Map<string, AgentKey>(keys.map((key) => [keyLetters(key), key]));

/** The words of keys that restrict what an agent may do, in all the programs that have agents, and in what people make up. */
const restricting =
	/tool|allow|den(?:y|ied)|forbid|block|exclu|except|restrict|permi(?:t|ssion)|limit|sandbox|scope|access|capabilit|read(?:only|write)|blacklist|whitelist|banned|polic(?:y|ies)|enabl|disabl|without|approv|confirm|grant|authori[sz]|mcp|servers?$/;
/** Keys of other programs that have such a word, and restrict nothing: what runs after a call. */
const harmless = new Set(['posttooluse', 'posttoolusefailure']);
/** Values of Claude Code's `permissionMode` that allow more than we do: here the user is asked in any case. */
const looseModes = ['default', 'acceptedits', 'auto', 'bypasspermissions'];

/**
 * The entries that are read here, and the tools that the agent may use of some servers. A restriction must never be dropped in silence: throws a
 * {@link FileFault} for any other key that looks like one, and for one at a place where it is not read.
 */
export function agentEntries({ entries = [] }: FrontMatter): {
	readonly entries: ReadonlyMap<AgentKey, FrontMatterEntry>;
	readonly serverTools: readonly FrontMatterEntry[];
} {
	const byKey = new Map<AgentKey, FrontMatterEntry>();
	const serverTools: FrontMatterEntry[] = [];
	for (const entry of entries) {
		const [outermost, ...others] = entry.path;
		const key = byLetters.get(keyLetters(outermost ?? entry.key));
		if (key === 'mcpServers' && outermost !== undefined) {
			// A server's definition. It is not started, but its restrictions apply to our server of that name.
			if (others.length === 1 && keyLetters(entry.key) === 'tools') serverTools.push(entry);
			else if (others.length === 1 && /tools?$/.test(keyLetters(entry.key))) throw restriction(entry);
		} else if (outermost !== undefined || key === undefined) {
			if (isRestricting(entry)) throw restriction(entry);
		} else if (byKey.has(key)) throw new FileFault(`${key} is given twice. Write it once.`, entry);
		else byKey.set(key, entry);
	}
	refuseModes(byKey);
	return { entries: byKey, serverTools };
}

function isRestricting({ key, path }: FrontMatterEntry): boolean {
	const letters = keyLetters(key);
	if (harmless.has(letters)) return false;
	// Keys such as `name` mean something else inside others.
	const isKnown = byLetters.has(letters) && (path.length === 0 || restricting.test(letters));
	// `<<` merges other keys.
	return letters === '' || isKnown || restricting.test(letters) || isMixed(letters) || isTypo(key, path);
}

function isTypo(key: string, path: readonly string[]): boolean {
	return path.length === 0 && nearestName(key, ['tools', 'disallowedTools'], typoTolerance) !== undefined;
}

function restriction({ key, path, ...place }: FrontMatterEntry): FileFault {
	const keyPath = path.length === 0 ? '' : ` inside "${path.join('.')}"`;
	return new FileFault(
		`"${key}"${keyPath} looks like a restriction, but cannot be read, so the agent is left out. Write "tools" or "disallowedTools" instead, as keys of their own, or remove it.`,
		place,
	);
}

function refuseModes(byKey: ReadonlyMap<AgentKey, FrontMatterEntry>): void {
	const mode = byKey.get('permissionMode');
	if (mode && (typeof mode.value !== 'string' || !looseModes.includes(keyLetters(mode.value)))) {
		throw new FileFault(
			'permissionMode: this mode cannot be read, so the agent is left out. Name the tools that it may use in "tools", and remove the mode.',
			mode,
		);
	}
	const servers = byKey.get('mcpServers');
	if (servers?.value !== undefined && servers.value.length > 0 && !byKey.has('tools')) {
		throw new FileFault(
			'mcpServers may restrict the agent to these servers, so it is left out. Name the tools that it may use in "tools", as in: tools: ["github/*"].',
			servers,
		);
	}
}

/** Whether letters of other scripts are among Latin ones, as in `tооls` with two Cyrillic letters. */
function isMixed(letters: string): boolean {
	return /\p{Script=Latin}/u.test(letters) && /[^\p{Script=Latin}\P{L}]/u.test(letters);
}

function keyLetters(key: string): string {
	return key
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}
