import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { callToolName, runAgentName, searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import type { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import { decidedSurface } from '../../discovery/session/autoDiscovery.ts';
import type { Agent } from './agent.ts';

/** What an agent's list comes to among the tools that its caller has. */
export interface AgentTools {
	readonly permitted: readonly CatalogTool[];
	/** Entries that no tool here goes by, such as built-in tools of other programs, or that more than one does. */
	readonly unknown: readonly string[];
}

/** Entries by which VS Code, Claude Code and we let an agent call agents. */
const callingAgents = new Set([runAgentName, 'agent', 'Agent', 'Task', 'runSubagent', 'agent/runSubagent']);
/** Entries that mean what every agent has. */
const alwaysThere = new Set([searchToolsName, callToolName]);
const everything = '*';

/** Tools of one surface by what a list may call them. */
interface Forms {
	/** `server:tool`, `server/tool`, `mcp__server__tool`, and the wire name. */
	readonly full: ReadonlyMap<string, readonly CatalogTool[]>;
	/** By bare name. A name that can be read as a full name is not among them: it must not let in a tool of another server than it says. */
	readonly bare: ReadonlyMap<string, readonly CatalogTool[]>;
	/** All tools of a server: `server`, `server/*`, `mcp__server`. */
	readonly ofServer: ReadonlyMap<string, readonly CatalogTool[]>;
}

/** Which tools an agent may use, in the order of the surface. */
export function agentTools({ tools, disallowedTools }: Agent, surface: ToolSurface): AgentTools {
	if (tools === undefined && disallowedTools.length === 0) return { permitted: surface.tools, unknown: [] };
	const forms = formsOf(surface);
	const taken = (entry: string) => (entry === everything ? surface.tools : takenBy(entry, forms));
	const allowed = new Set(tools === undefined ? surface.tools : tools.flatMap(taken));
	const denied = new Set(disallowedTools.flatMap((entry) => meantBy(entry, surface, forms)));
	return {
		permitted: surface.tools.filter((tool) => allowed.has(tool) && !denied.has(tool)),
		unknown: (tools ?? []).filter((entry) => !isOwn(entry) && taken(entry).length === 0),
	};
}

/** Whether an agent may call agents: its list, where it has one, has to say so. */
export function mayCallAgents({ tools, disallowedTools }: Agent): boolean {
	const isNamed = (entry: string) => callingAgents.has(named(entry));
	if (disallowedTools.some(isNamed)) return false;
	return tools?.some((entry) => entry === everything || isNamed(entry)) ?? true;
}

/**
 * What an agent sees of its caller's surface: the same surface where it may use all of it. Kept for each agent and surface, since making
 * its index takes time.
 */
export function agentSurface(agent: Agent, caller: ToolSurface): ToolSurface {
	return surfacesOf(agent)(caller);
}

const surfacesOf = weakMemo((agent: Agent) =>
	weakMemo((caller: ToolSurface) => {
		const { permitted } = agentTools(agent, caller);
		if (permitted.length === caller.tools.length) return caller;
		const { policy } = caller;
		// What `"auto"` decides for all of the caller's tools need not hold for a few of them.
		const configured = policy.auto ? { ...policy, enabled: 'auto' as const } : policy;
		return decidedSurface(configured, (decided) => caller.narrowed(agent.name, permitted, decided));
	}),
);

/**
 * The tools that an entry lets in. An entry that fits several tools, tools of several servers, or a tool of one and another server lets in
 * none: the list is there to keep tools out, and no server is to get in by a name that was meant for another.
 */
function takenBy(entry: string, { full, bare, ofServer }: Forms): readonly CatalogTool[] {
	const called = full.get(entry) ?? bare.get(entry) ?? [];
	const its = ofServer.get(entry) ?? [];
	if (new Set([...called, ...its].map(({ server }) => server)).size !== 1) return [];
	if (called.length === 0) return its;
	return called.length === 1 ? called : [];
}

/** All tools that an entry can mean, which it keeps out: `*` in it stands for anything, and what follows in brackets is not read. */
function meantBy(written: string, { tools }: ToolSurface, { full, ofServer }: Forms): readonly CatalogTool[] {
	const entry = named(written);
	if (entry.includes('*')) {
		return tools.filter((tool) => [tool.name, ...fullForms(tool)].some((form) => fits(form, entry)));
	}
	const called = tools.filter(({ name }) => name === entry);
	return [...called, ...(full.get(entry) ?? []), ...(ofServer.get(entry) ?? [])];
}

/** Whether a name fits a pattern in which `*` stands for any text; in time that grows with both, whatever the pattern. */
function fits(name: string, pattern: string): boolean {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop() ?? '';
	if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
		return false;
	let at = first.length;
	for (const piece of rest) {
		const found = name.indexOf(piece, at);
		if (found === -1) return false;
		at = found + piece.length;
	}
	return at <= name.length - last.length;
}

const formsOf = weakMemo((surface: ToolSurface): Forms => {
	const { tools } = surface;
	return {
		full: byForm(tools, fullForms),
		bare: byForm(tools, ({ name }) => (isFull(name, surface) ? [] : [name])),
		ofServer: byForm(tools, serverForms),
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

function fullForms({ server, name, id, wireName }: CatalogTool): string[] {
	return [wireName, id, `${server}/${name}`, `mcp__${inClaude(server)}__${inClaude(name)}`];
}

function isFull(name: string, { names, servers }: ToolSurface): boolean {
	if (/^mcp__.+__/s.test(name) || names.namesServer(name)) return true;
	return servers.some((server) => name.startsWith(`${server.name}/`));
}

function serverForms({ server }: CatalogTool): string[] {
	const prefix = `mcp__${inClaude(server)}`;
	return [server, `${server}/*`, `${server}:*`, prefix, `${prefix}__*`];
}

/** A name as Claude Code writes it in the names of tools. */
function inClaude(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

function isOwn(entry: string): boolean {
	return callingAgents.has(named(entry)) || alwaysThere.has(entry);
}

/** `Task` of `Task(reviewer)`. */
function named(entry: string): string {
	return entry.replace(/\(.*$/s, '').trim();
}
