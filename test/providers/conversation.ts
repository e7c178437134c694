import type { ChatMessage, ToolCallResult } from '../../src/discovery/catalog/message.ts';
import {
	errorResult,
	type ImageContent,
	type ToolDefinition,
	textResult,
} from '../../src/discovery/catalog/tool.ts';
import { plainAnswer } from '../../src/models/answerParts.ts';

/** A tool of one parameter. */
export function tool(name: string, description = `Does ${name}.`): ToolDefinition {
	return {
		name,
		description,
		inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
	};
}

/** A user's message. */
export function user(text: string, ...images: readonly ImageContent[]): ChatMessage {
	return { role: 'user', text, ...(images.length > 0 && { images }) };
}

/** An answer that calls a tool under each id. */
export function calls(text: string, ...ids: readonly string[]): ChatMessage {
	const toolCalls = ids.map((id) => ({ id, name: 'files__read', input: { path: `${id}.txt` } }));
	return plainAnswer(text, toolCalls);
}

/** Results of these calls. */
export function results(...all: readonly ToolCallResult[]): ChatMessage {
	return { role: 'tool', results: all };
}

/** A result of one text. */
export function succeeded(callId: string, text: string): ToolCallResult {
	return { callId, result: textResult(text) };
}

/** A result that says what went wrong. */
export function failed(callId: string, text: string): ToolCallResult {
	return { callId, result: errorResult(text) };
}

/** A picture of one kind, by the first bytes of its data. */
export function picture(kind: keyof typeof pictures, mimeType = `image/${kind}`): ImageContent {
	return { type: 'image', data: pictures[kind], mimeType };
}

const pictures = {
	png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
	jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP8=',
	gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	webp: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
	bmp: 'Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgA',
} as const;
