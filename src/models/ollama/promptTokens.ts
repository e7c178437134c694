import { estimateDefinitionTokens, estimateTokens } from '../../discovery/tokens.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { WireMessage } from './wire.ts';

/** Tokens by which a chat template marks a message or a tool. */
const framingTokens = 12;
/** Tokens of an image, as Ollama itself estimates them (`server/prompt.go`). */
const imageTokens = 768;

/** Estimated tokens of a prompt. */
export function promptTokens(messages: readonly WireMessage[], tools: readonly ToolDefinition[]): number {
	let tokens = 0;
	for (const message of messages) tokens += framingTokens + messageTokens(message);
	for (const tool of tools) tokens += framingTokens + estimateDefinitionTokens(tool);
	return tokens;
}

function messageTokens(message: WireMessage): number {
	const text = estimateTokens(message.content);
	switch (message.role) {
		case 'system':
			return text;
		case 'assistant':
			return (
				text +
				estimateTokens(message.thinking ?? '') +
				(message.tool_calls ? estimateTokens(JSON.stringify(message.tool_calls)) : 0)
			);
		default:
			return text + imageTokens * (message.images?.length ?? 0);
	}
}
