import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import type { Provider } from '../../../../src/common/providers.ts';
import type { ToolDefinition } from '../../../../src/discovery/catalog/tool.ts';
import type { DialectName } from '../../../../src/models/schemas/dialects.ts';
import { ToolAdapter } from '../../../../src/models/toolAdapter.ts';

export const providers: readonly Provider[] = ['openai', 'anthropic', 'ollama'];

/** A tool with this schema, as a server has it. */
export function tool(inputSchema: JsonSchema, description = 'Does a thing.'): ToolDefinition {
	return { name: 'server__tool', description, inputSchema };
}

/** What a provider is sent of tools, and what it is not. */
export function sendableTools(given: readonly ToolDefinition[], dialect: DialectName) {
	const asked = { system: '', messages: [], tools: given };
	const { request, dropped } = new ToolAdapter(dialect).adaptRequest(asked);
	return { tools: request.tools, dropped };
}

/** What a provider is sent of a tool with this schema. */
export function sent(inputSchema: JsonSchema, provider: DialectName = 'openai'): ToolDefinition {
	const { tools, dropped } = sendableTools([tool(inputSchema)], provider);
	const [only] = tools;
	if (!only) throw new Error(`It was dropped: ${dropped[0]?.reason}`);
	return only;
}

/** What a provider is sent in the place of one argument's schema. */
export function sentArgument(schema: unknown, provider: DialectName = 'openai'): unknown {
	const { inputSchema } = sent({ type: 'object', properties: { argument: schema } }, provider);
	return (inputSchema.properties as JsonSchema).argument;
}

/** Why a tool with this schema is not sent. */
export function reasonFor(inputSchema: JsonSchema, provider: DialectName = 'openai'): string | undefined {
	return sendableTools([tool(inputSchema)], provider).dropped[0]?.reason;
}

/** A schema as it comes from a server. */
export function parsed(json: string): JsonSchema {
	return JSON.parse(json);
}
