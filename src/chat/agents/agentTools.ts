import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import {
	fullNames,
	isInClaude,
	wholeServerNames,
	withoutOrigin,
} from '../../discovery/catalog/nameSpellings.ts';
import { callToolName, runAgentName, searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import { decidedSurface } from '../../discovery/session/autoDiscovery.ts';
import type { Agent } from './agent.ts';

/** An agent's list of tools, applied to the tools of its caller. */
export interface AgentTools {
	readonly permitted: readonly CatalogTool[];
	/** Entries that match no tool, such as built-in tools of other programs, or more than one. */
	readonly unknown: readonly string[];
}

/** Entries in VS Code, Claude Code and here that allow an agent to call agents, in lower case. */
const callingAgents = new Set([runAgentName, 'agent', 'task', 'runsubagent', 'agent/runsubagent']);
/** Tools that every agent has. */
const alwaysAllowed = new Set([searchToolsName, callToolName]);
const everything = '*';

/** Tools of one surface by the names that a list may use. */
interface ToolsByName {
	/** By every full name. */
	readonly full: ReadonlyMap<string, readonly CatalogTool[]>;
	/** By bare name. Excludes names that look like full names: such a name must not allow another server's tool. */
	readonly bare: ReadonlyMap<string, readonly CatalogTool[]>;
	/** All tools of a server: `server`, `server/*`, `mcp__server`. */
	readonly byServer: ReadonlyMap<string, readonly CatalogTool[]>;
}

/** The tools that an agent may use, in the order of the surface. */
export function agentTools(agent: Agent, surface: ToolSurface): AgentTools {
	const { tools, disallowedTools, serverTools } = agent;
	if (tools === undefined && disallowedTools.length + serverTools.length === 0)
		return { permitted: surface.tools, unknown: [] };
	const forms = formsOf(surface);
	const matching = (entry: string) => (entry === everything ? surface.tools : toolsAllowedBy(entry, forms));
	const allowed = new Set(tools === undefined ? surface.tools : tools.flatMap(matching));
	const denials = disallowedTools.map((entry) => ({ entry, tools: toolsDeniedBy(entry, surface) }));
	const denied = new Set(denials.flatMap((denial) => denial.tools));
	return {
		permitted: surface.tools.filter(
			(tool) => allowed.has(tool) && !denied.has(tool) && isOfServer(tool, serverTools),
		),
		unknown: [
			...(tools ?? []).filter((entry) => matching(entry).length === 0),
			...denials.filter((denial) => denial.tools.length === 0).map(({ entry }) => entry),
		].filter((entry) => !isOwn(entry)),
	};
}

/** Whether each list of the tool's server has it. */
function isOfServer(tool: CatalogTool, lists: Agent['serverTools']): boolean {
	const names = [everything, tool.name, ...fullNames(tool)];
	return lists
		.filter(({ server }) => looseForm(server) === looseForm(tool.server))
		.every(({ tools }) => tools.some((entry) => names.includes(entry)));
}

/**
 * The agents that an agent may call. If it has a list of tools, the list must permit them: `agent` for all, `Task(reviewer)` for one. `agents`
 * restricts them further.
 */
export function callableAgents(
	{ tools = [everything], disallowedTools, agents = [everything] }: Agent,
	all: readonly Agent[],
): readonly Agent[] {
	return all.filter(({ name }) => {
		const isAmong = (names: readonly string[]) =>
			names.some((entry) => entry === everything || entry.toLowerCase() === name.toLowerCase());
		const isDenied = isAmong(disallowedTools.flatMap(agentsOf));
		return isAmong(tools.flatMap(agentsOf)) && isAmong(agents) && !isDenied;
	});
}

/** The agents that an entry is about: `reviewer` and `planner` of `Task(reviewer, planner)`, all of `Task`, none of other tools. */
function agentsOf(entry: string): readonly string[] {
	if (entry !== everything && !callsAgents(entry)) return [];
	const [, names] = /\((.*)\)\s*$/s.exec(entry) ?? [];
	return names === undefined ? [everything] : names.split(',').map((name) => name.trim());
}

/**
 * The part of its caller's surface that an agent may use; the same surface if that is all of it. Memoized, because building its index takes time.
 */
export function agentSurface(agent: Agent, caller: ToolSurface): ToolSurface {
	return surfacesOf(agent)(caller);
}

const surfacesOf = weakMemo((agent: Agent) =>
	weakMemo((caller: ToolSurface) => {
		const { permitted } = agentTools(agent, caller);
		if (permitted.length === caller.tools.length) return caller;
		const { policy } = caller;
		// `"auto"` may decide differently for fewer tools.
		const configured = policy.auto ? { ...policy, enabled: 'auto' as const } : policy;
		return decidedSurface(configured, (decided) => caller.narrowed(agent.name, permitted, decided));
	}),
);

/**
 * The tools that an entry allows. An ambiguous entry, which matches several tools, tools of several servers, or a tool and another server, allows
 * none: the list restricts the agent, and no server may gain anything by a name that was meant for another.
 */
function toolsAllowedBy(
	listEntry: string,
	{ full, bare, byServer: ofServer }: ToolsByName,
): readonly CatalogTool[] {
	const entry = full.has(listEntry) || ofServer.has(listEntry) ? listEntry : withoutOrigin(listEntry);
	const called = full.get(entry) ?? bare.get(entry) ?? [];
	const tools = ofServer.get(entry) ?? [];
	if (new Set([...called, ...tools].map(({ server }) => server)).size !== 1) return [];
	if (called.length === 0) return tools;
	return called.length === 1 ? called : [];
}

/**
 * All tools that an entry of `disallowedTools` may mean. Case, and the characters between words, do not matter: excluding too many tools is better
 * than too few. `*` matches anything; text in brackets is ignored.
 */
function toolsDeniedBy(listEntry: string, surface: ToolSurface): readonly CatalogTool[] {
	const entries = [withoutBrackets(listEntry), withoutOrigin(withoutBrackets(listEntry))].map(looseForm);
	return looseNames(surface).flatMap(({ tool, names }) =>
		names.some((name) => entries.some((entry) => fits(name, entry))) ? [tool] : [],
	);
}

const looseNames = weakMemo(({ tools }: ToolSurface) =>
	tools.map((tool) => ({
		tool,
		names: [tool.name, ...fullNames(tool), ...wholeServerNames(tool.server)].map(looseForm),
	})),
);

function looseForm(name: string): string {
	return name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}*]+/gu, '_');
}

/** Whether a name matches a pattern with `*`, in linear time. */
function fits(name: string, pattern: string): boolean {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return name === pattern;
	if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
		return false;
	let at = first.length;
	for (const piece of rest) {
		const index = name.indexOf(piece, at);
		if (index === -1) return false;
		at = index + piece.length;
	}
	return at <= name.length - last.length;
}

const formsOf = weakMemo((surface: ToolSurface): ToolsByName => {
	const { tools } = surface;
	return {
		full: byForm(tools, fullNames),
		bare: byForm(tools, ({ name }) => (isFull(name, surface) ? [] : [name])),
		byServer: byForm(tools, ({ server }) => wholeServerNames(server)),
	};
});

function byForm(
	tools: readonly CatalogTool[],
	formsOfTool: (tool: CatalogTool) => readonly string[],
): Map<string, CatalogTool[]> {
	const byName = new Map<string, CatalogTool[]>();
	for (const tool of tools) {
		for (const form of new Set(formsOfTool(tool))) {
			const same = byName.get(form);
			if (same) same.push(tool);
			else byName.set(form, [tool]);
		}
	}
	return byName;
}

function isFull(name: string, { names }: ToolSurface): boolean {
	return isInClaude(name) || names.namesServer(name);
}

function isOwn(entry: string): boolean {
	return callsAgents(entry) || alwaysAllowed.has(entry);
}

function callsAgents(entry: string): boolean {
	return callingAgents.has(withoutBrackets(entry).toLowerCase());
}

/** `Task` of `Task(reviewer)`. */
function withoutBrackets(entry: string): string {
	return entry.replace(/\(.*$/s, '').trim();
}
