import { estimateDefinitionTokens, estimateTokens } from '../discovery/tokens.ts';
import type { ToolDefinition } from '../discovery/tool.ts';
import { resultText, textResult } from '../discovery/toolResult.ts';
import type { ChatMessage, ToolCallResult } from '../models/chatModel.ts';

/** Share of the model's context that a request may fill before it is trimmed: estimates are not exact, and the answer needs room. */
const fullShare = 0.85;
/** Share that is left filled: trimming breaks the provider's cache, so it is done seldom and thoroughly. */
const trimmedShare = 0.6;
/** Results that are shorter than so many tokens are not worth it. */
const worthTrimming = 200;
/** Estimated tokens of a picture, whose price depends on its size. */
const imageTokens = 1_500;

/** What stands in place of a result that was trimmed. */
const placeholder = '[This result was removed to make room. Call the tool again if you need it.]';

/** The parts of a request that count. */
export interface SizedRequest {
	readonly system: string;
	readonly tools: readonly ToolDefinition[];
	readonly messages: readonly ChatMessage[];
}

/** Estimated tokens of a request. */
export function requestTokens({ system, tools, messages }: SizedRequest): number {
	const definitions = tools.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
	return (
		estimateTokens(system) + definitions + messages.reduce((sum, message) => sum + messageTokens(message), 0)
	);
}

/**
 * Makes room in a conversation that is about to outgrow the model: replaces results of tools, the oldest first, in place; never those of the
 * last round. Returns how many. What a search has loaded stays.
 */
export function trimResults(
	request: SizedRequest & { readonly messages: ChatMessage[] },
	maxInputTokens: number,
): number {
	const tokens = requestTokens(request);
	return tokens <= maxInputTokens * fullShare
		? 0
		: trimTo(request.messages, tokens, maxInputTokens * trimmedShare);
}

/** {@link trimResults} where the provider has said that the request is too long, whatever the estimate says. */
export function trimHarder(request: SizedRequest & { readonly messages: ChatMessage[] }): number {
	const tokens = requestTokens(request);
	return trimTo(request.messages, tokens, tokens / 2);
}

function trimTo(messages: ChatMessage[], tokens: number, target: number): number {
	const last = messages.findLastIndex(({ role }) => role === 'tool');
	let left = tokens;
	let trimmed = 0;
	for (let i = 0; i < last && left > target; i++) {
		const message = messages[i];
		if (message?.role !== 'tool') continue;
		const results = message.results.map((result) => {
			const price = resultTokens(result);
			if (price < worthTrimming || left <= target) return result;
			left -= price;
			trimmed++;
			return { ...result, result: { ...textResult(placeholder), isError: result.result.isError } };
		});
		messages[i] = { role: 'tool', results };
	}
	return trimmed;
}

function messageTokens(message: ChatMessage): number {
	switch (message.role) {
		case 'user':
			return estimateTokens(message.text) + (message.images?.length ?? 0) * imageTokens;
		case 'assistant':
			return (
				estimateTokens(message.text) +
				message.toolCalls.reduce((sum, call) => sum + estimateTokens(JSON.stringify(call.input)), 0)
			);
		case 'tool':
			return message.results.reduce((sum, result) => sum + resultTokens(result) + loadedTokens(result), 0);
	}
}

function resultTokens({ result }: ToolCallResult): number {
	const images = result.content.filter(({ type }) => type === 'image').length;
	return estimateTokens(resultText(result)) + images * imageTokens;
}

function loadedTokens({ loaded = [] }: ToolCallResult): number {
	return loaded.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0);
}
