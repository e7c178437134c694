import { estimateTokenCount } from 'tokenx';
import type { ToolDefinition } from './tool.ts';

/** Estimated tokens of a text, by tokenx: within a few per cent of o200k for prose, without a vocabulary to load. */
export function estimateTokens(text: string): number {
	return estimateTokenCount(text);
}

const estimates = new WeakMap<object, number>();

/** Estimated tokens that a tool's definition adds to each request; computed once a definition. */
export function estimateDefinitionTokens(definition: ToolDefinition): number {
	let tokens = estimates.get(definition.inputSchema);
	if (tokens === undefined) {
		tokens = estimateTokens(JSON.stringify(definition.inputSchema));
		estimates.set(definition.inputSchema, tokens);
	}
	return tokens + estimateTokens(definition.name) + estimateTokens(definition.description);
}
