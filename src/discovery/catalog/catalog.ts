import { weakMemo } from '../../common/memo.ts';
import { cleanText } from '../../common/text.ts';
import { estimateDefinitionTokens } from '../../common/tokens.ts';
import { cleanSchema } from './hiddenText.ts';
import { type Tool, type ToolDefinition, toolId } from './tool.ts';
import { wireName } from './wireNames.ts';

/**
 * Tokens of all definitions that servers may have loaded always. Beyond, the configuration alone decides: a server that wants it for each of its
 * tools must not undo what deferring saves.
 */
const wishedTokens = 2_500;

/** A server with the tools it lists. */
export interface CatalogServer {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly instructions?: string;
	readonly tools: readonly Tool[];
	/** Quarantined tools: neither found nor called until the user accepts their change; not among {@link tools}. */
	readonly quarantined?: readonly WaitingTool[];
}

export interface WaitingTool extends Tool {
	/** The version that the user accepted, if known: only that one is searched. */
	readonly accepted?: Tool;
}

/** A tool with its names. */
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
	/** All tools, in the order of the servers. If a server lists a name twice, the first one counts. */
	readonly tools: readonly CatalogTool[];
	/** Quarantined tools, by server. They already have wire names, so that accepting one renames no other. */
	readonly quarantined: readonly (CatalogTool & WaitingTool)[];
	/** Disabled tools, by server; not in the other lists. */
	readonly disabled: readonly CatalogTool[];
	readonly #byWireName: ReadonlyMap<string, CatalogTool>;

	constructor(servers: readonly CatalogServer[], version: number, lists: ToolLists = toolLists(servers)) {
		this.version = version;
		this.servers = servers;
		this.tools = lists.tools;
		this.quarantined = lists.quarantined;
		this.disabled = lists.disabled;
		this.#byWireName = new Map(this.tools.map((tool) => [tool.wireName, tool]));
	}

	/** The same catalog with some tools moved to {@link disabled}. Wire names stay the same. */
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

	get(wireName: string): CatalogTool | undefined {
		return this.#byWireName.get(wireName);
	}
}

type ToolLists = Pick<Catalog, 'tools' | 'quarantined' | 'disabled'>;

function toolLists(servers: readonly CatalogServer[]): ToolLists {
	const withNames = <T extends Tool>(tool: T) => ({ ...tool, id: toolId(tool), wireName: wireName(tool) });
	const usedNames = new Set<string>();
	let room = wishedTokens;
	const tools = servers
		.flatMap((server) => server.tools.map(withNames))
		.filter((tool) => !usedNames.has(tool.wireName) && usedNames.add(tool.wireName))
		.map((tool) => {
			if (!tool.alwaysLoad) return tool;
			room -= estimateDefinitionTokens(toolDefinition(tool));
			const { alwaysLoad: _, ...plain } = tool;
			return room < 0 ? plain : tool;
		});
	const quarantined = servers.flatMap((server) => (server.quarantined ?? []).map(withNames));
	return { tools, quarantined, disabled: [] };
}

/** The definition sent to providers, with cleaned texts. Always the same object for a tool. */
export const toolDefinition = weakMemo((tool: CatalogTool): ToolDefinition => {
	const { wireName: name, description, title, inputSchema } = tool;
	return { name, description: cleanText(description ?? title ?? ''), inputSchema: cleanSchema(inputSchema) };
});
