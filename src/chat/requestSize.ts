import { weakMemo } from '../common/memo.ts';
import { estimateDefinitionTokens, estimateTokens } from '../common/tokens.ts';
import {
	type AnswerPart,
	type ChatMessage,
	type ToolCallResult,
	userText,
} from '../discovery/catalog/message.ts';
import {
	type ImageContent,
	type ResultContent,
	resultText,
	type ToolDefinition,
} from '../discovery/catalog/tool.ts';

/** Estimated tokens of a picture; the real number depends on its size. */
const imageTokens = 1_500;
/** Characters of a text that are counted: estimating the tokens of 16 MB would block the extension host for a second. */
const sampleCharacters = 100_000;

export interface SizedRequest {
	readonly system: string;
	readonly tools: readonly ToolDefinition[];
	readonly messages: readonly ChatMessage[];
	/** If set, definitions in results are sent; otherwise they only repeat the text of the result. */
	readonly searchTool?: string;
}

/** A way to measure the parts of a conversation. */
export interface Measure {
	message(message: ChatMessage): number;
	/** The thoughts of an answer; 0 for any other message. */
	thought(message: ChatMessage): number;
	result(result: ToolCallResult): number;
	images(images: readonly ImageContent[]): number;
	text(text: string): number;
}

/** In estimated tokens, without the definitions in results. */
export const tokensOf: Measure = measure((part) => {
	if (part.type === 'image') return imageTokens;
	return textTokens(resultText({ content: [part], isError: false }));
});

/** In characters: about the size in memory, and in a request. */
export const charactersOf: Measure = measure((part) => (part.type === 'text' ? part.text : part.data).length);

export function requestTokens({ system, tools, messages, searchTool }: SizedRequest): number {
	const definitions = [...tools, ...(searchTool === undefined ? [] : messages.flatMap(loadedBy))];
	return (
		estimateTokens(system) +
		definitions.reduce((sum, tool) => sum + estimateDefinitionTokens(tool), 0) +
		messages.reduce((sum, message) => sum + tokensOf.message(message), 0)
	);
}

function measure(ofPart: (part: ResultContent) => number): Measure {
	const ofText = (text: string) => ofPart({ type: 'text', text });
	const ofParts = (parts: readonly ResultContent[]) => parts.reduce((sum, part) => sum + ofPart(part), 0);
	const result = weakMemo((answer: ToolCallResult) => ofParts(answer.result.content));
	const ofAnswerPart = (part: AnswerPart): number => {
		const data = part.origin === undefined ? 0 : ofText(JSON.stringify(part.origin.data));
		return data + ofText(part.type === 'toolCall' ? JSON.stringify(part.call.input) : part.text);
	};
	const thought = weakMemo((message: ChatMessage) =>
		message.role === 'assistant'
			? message.parts.reduce((sum, part) => sum + (part.type === 'thinking' ? ofAnswerPart(part) : 0), 0)
			: 0,
	);
	const count = (message: ChatMessage): number => {
		switch (message.role) {
			case 'user':
				return ofText(userText(message)) + ofParts(message.images ?? []);
			case 'assistant':
				return message.parts.reduce((sum, part) => sum + ofAnswerPart(part), 0);
			case 'tool':
				return message.results.reduce((sum, entry) => sum + result(entry), 0);
		}
	};
	// Memoized: messages are replaced, never changed, and each request measures most of them again.
	return { message: weakMemo(count), thought, result, images: ofParts, text: ofText };
}

function textTokens(text: string): number {
	if (text.length <= sampleCharacters) return estimateTokens(text);
	return Math.ceil((estimateTokens(text.slice(0, sampleCharacters)) * text.length) / sampleCharacters);
}

function loadedBy(message: ChatMessage): ToolDefinition[] {
	return message.role === 'tool' ? message.results.flatMap(({ loaded = [] }) => loaded) : [];
}
