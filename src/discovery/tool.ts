/** A JSON Schema object as a server supplied it; never evaluated by the engine, only read for names and types. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Behaviour hints of an MCP tool (MCP specification, `ToolAnnotations`). They are claims of the server, not facts. */
export interface ToolAnnotations {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
}

/** One MCP tool of one server, as the server describes it. */
export interface Tool {
	/** Name of the server in the configuration. */
	readonly server: string;
	/** Name the server knows the tool by. */
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly inputSchema: JsonSchema;
	readonly annotations?: ToolAnnotations;
	/** A phrase of the user's that search ranks higher than the description. */
	readonly searchHint?: string;
}

/** How people see a tool: `server:tool`. */
export function toolId(tool: Pick<Tool, 'server' | 'name'>): string {
	return `${tool.server}:${tool.name}`;
}

/** What a model provider is told of a tool. */
export interface ToolDefinition {
	/** The wire name: `[A-Za-z0-9_-]`, at most 64 characters. */
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
}
