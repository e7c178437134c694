import { weakMemo } from '../../common/memo.ts';
import { cleanText } from '../../common/text.ts';
import { cleanSchema } from './hiddenText.ts';
import { type Tool, type ToolDefinition, toolId } from './tool.ts';
import { allocateWireNames } from './wireNames.ts';

/** A server with the tools it lists. */
export interface CatalogServer {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
	readonly tools: readonly Tool[];
	/** Tools that are neither found nor called until the user accepts what they have become; not among {@link tools}. */
	readonly quarantined?: readonly WaitingTool[];
}

/** A tool that waits for the user to accept what it has become. */
export interface WaitingTool extends Tool {
	/** The tool as the user accepted it, as far as that is known: only this counts in a search. */
	readonly accepted?: Tool;
}

/** A tool with the names it goes by. */
export interface CatalogTool extends Tool {
	/** `server:tool`, for people. */
	readonly id: string;
	/** For models; see `wireNames.ts`. */
	readonly wireName: string;
}

/** An immutable snapshot of every server's tools. A change of any server makes a new catalog with a higher version. */
export class Catalog {
	static readonly empty = new Catalog([], 0);

	readonly version: number;
	readonly servers: readonly CatalogServer[];
	/** All tools, by server in the order of the servers. A name that a server lists twice counts once, the first time. */
	readonly tools: readonly CatalogTool[];
	/** Tools that wait for the user to accept them, by server. They have their wire names already, so that accepting one renames no other. */
	readonly quarantined: readonly (CatalogTool & WaitingTool)[];
	/** Tools that the user has disabled, by server; among neither of the others. */
	readonly disabled: readonly CatalogTool[];
	readonly #byWireName: ReadonlyMap<string, CatalogTool>;

	constructor(servers: readonly CatalogServer[], version: number, named: NamedTools = namedTools(servers)) {
		this.version = version;
		this.servers = servers;
		this.tools = named.tools;
		this.quarantined = named.quarantined;
		this.disabled = named.disabled;
		this.#byWireName = new Map(this.tools.map((tool) => [tool.wireName, tool]));
	}

	/** The same catalog with some tools only among {@link disabled}. All keep their wire names. */
	without(isDisabled: (tool: Tool) => boolean): Catalog {
		const disabled = [...this.tools, ...this.quarantined].filter(isDisabled);
		if (disabled.length === 0) return this;
		const isEnabled = (tool: Tool) => !isDisabled(tool);
		const servers = this.servers.map(({ quarantined, ...server }) => ({
			...server,
			tools: server.tools.filter(isEnabled),
			...(quarantined && { quarantined: quarantined.filter(isEnabled) }),
		}));
		const [tools, waiting] = [this.tools.filter(isEnabled), this.quarantined.filter(isEnabled)];
		return new Catalog(servers, this.version, { tools, quarantined: waiting, disabled });
	}

	/** The tool of that wire name, if the catalog has it. */
	get(wireName: string): CatalogTool | undefined {
		return this.#byWireName.get(wireName);
	}
}

type NamedTools = Pick<Catalog, 'tools' | 'quarantined' | 'disabled'>;

function namedTools(servers: readonly CatalogServer[]): NamedTools {
	const distinct = servers.flatMap((server) => distinctByName(server.tools));
	const all = [...distinct, ...servers.flatMap(({ quarantined = [] }) => quarantined)];
	const wireNames = allocateWireNames(all);
	const named = all.map((tool, i) => ({ ...tool, id: toolId(tool), wireName: wireNames[i] as string }));
	return { tools: named.slice(0, distinct.length), quarantined: named.slice(distinct.length), disabled: [] };
}

/** What a provider is told of a catalog's tool: its words as a model may read them. The same object each time. */
export const toolDefinition = weakMemo((tool: CatalogTool): ToolDefinition => {
	const { wireName: name, description, title, inputSchema } = tool;
	return { name, description: cleanText(description ?? title ?? ''), inputSchema: cleanSchema(inputSchema) };
});

function distinctByName(tools: readonly Tool[]): Tool[] {
	const seen = new Set<string>();
	return tools.filter((tool) => !seen.has(tool.name) && seen.add(tool.name));
}
