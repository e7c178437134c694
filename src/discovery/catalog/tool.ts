import type { JsonSchema } from '../../common/jsonSchema.ts';
import { sentence } from '../../common/text.ts';
import type { ToolExpansion } from './expansion.ts';

/** Behaviour annotations of an MCP tool (MCP specification, `ToolAnnotations`). They are claims by the server, not facts. */
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
	/** Its server wants it loaded from the start of each chat. */
	readonly alwaysLoad?: true;
	/** A phrase from the user that search ranks above the description. */
	readonly searchHint?: string;
	readonly expansion?: ToolExpansion;
}

/** A tool's name for people: `server:tool`. */
export function toolId(tool: Pick<Tool, 'server' | 'name'>): string {
	return `${tool.server}:${tool.name}`;
}

/** A tool's definition as sent to providers. */
export interface ToolDefinition {
	/** The wire name: `[A-Za-z0-9_-]`, at most 64 characters. */
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
}

/** A picture; data is base64, as MCP carries it. */
export interface ImageContent {
	readonly type: 'image';
	readonly data: string;
	readonly mimeType: string;
}

/** Any other bytes, for the user to save or open; data is base64. */
export interface FileContent {
	readonly type: 'file';
	/** The server's own name, to show. Never used as a path. */
	readonly name: string;
	readonly data: string;
	readonly mimeType: string;
}

/** One piece of a tool's answer. Data is base64, as MCP carries it. */
export type ResultContent =
	/** `isNote`: our note for the model, not the tool's text. */
	| { readonly type: 'text'; readonly text: string; readonly isNote?: true }
	| ImageContent
	| { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
	| FileContent;

/** The result of a tool call. A failure is a result too, so that the model can react to it. */
export interface ToolResult {
	readonly content: readonly ResultContent[];
	readonly isError: boolean;
	readonly declined?: true;
}

/**
 * How a result is written for the model (`TOOL_RESULT_FORMAT`). `result`: unchanged. `function_result`: after a line with the tool's name.
 * `function_args_result`: after a line with name and arguments. The latter two help models that lose track of which result answers which call.
 */
export type ToolResultFormat = 'result' | 'function_result' | 'function_args_result';

export function textResult(text: string): ToolResult {
	return { content: [{ type: 'text', text }], isError: false };
}

/** Adds a note for the model, which is not from the tool. */
export function withText(result: ToolResult, text: string): ToolResult {
	return { ...result, content: [...result.content, { type: 'text', text, isNote: true }] };
}

/** A failed result; `text` says what happened and what to do. */
export function errorResult(text: string): ToolResult {
	return { content: [{ type: 'text', text }], isError: true };
}

export function declinedResult(tool: string): ToolResult {
	return { ...errorResult(sentence`The user declined to run ${tool}.`), declined: true };
}

/** The result of a call that the user has forbidden for good. */
export function forbiddenResult(tool: string): ToolResult {
	return {
		...errorResult(
			sentence`The user does not allow calls of ${tool}. It was not called. Do not try it again; continue without it.`,
		),
		declined: true,
	};
}

/** The tool's own texts, without our notes; see {@link withText}. */
export function ownResultText(result: ToolResult): string {
	const content = result.content.filter((part) => part.type !== 'text' || part.isNote === undefined);
	return resultText({ ...result, content });
}

/** The texts of a result, one per line; other content as a placeholder such as `[image image/png]`. */
export function resultText(result: ToolResult): string {
	return result.content.map((part) => (part.type === 'text' ? part.text : placeholder(part))).join('\n');
}

/** Content that is no text, for a model that cannot see it. */
export function placeholder(part: Exclude<ResultContent, { readonly type: 'text' }>): string {
	if (part.type !== 'file') return `[${part.type} ${part.mimeType}]`;
	const bytes = Buffer.byteLength(part.data, 'base64');
	return `[file ${part.name}, ${part.mimeType}, ${bytes} bytes. You cannot read it, but the user can open and save it.]`;
}
