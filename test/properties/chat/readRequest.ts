import type { ChatMessage, ToolCallResult } from '../../../src/discovery/catalog/message.ts';
import { resultText, type ToolDefinition } from '../../../src/discovery/catalog/tool.ts';
import { callsOf } from '../../../src/models/answerParts.ts';
import type { ChatRequest } from '../../../src/models/chatModel.ts';

/** How a model writes a tool's name: as it was told, or as people do, or without the server. */
export type NameForm = 'wire' | 'id' | 'bare';

export function inForm(wireName: string, form: NameForm): string {
	const [server, name] = wireName.split('__');
	return { wire: wireName, id: `${server}:${name}`, bare: `${name}` }[form];
}

export function sentNames({ tools }: ChatRequest): string[] {
	return tools.map(({ name }) => name).filter((name) => name.includes('__'));
}

export function toldTools(messages: readonly ChatMessage[]): ToolDefinition[] {
	return resultsIn(messages).flatMap(({ loaded = [] }) => loaded);
}

export function resultsIn(messages: readonly ChatMessage[]): ToolCallResult[] {
	return messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
}

/** What a model was told of tools that are not as they were. */
export function noted(messages: readonly ChatMessage[]): string {
	const texts = [
		...messages.map((message) => (message.role === 'user' ? (message.news ?? '') : '')),
		...resultsIn(messages).map(({ result }) => resultText(result)),
	];
	return texts
		.flatMap((text) => text.match(/(?:Changed since you loaded it|no longer available): .*/g) ?? [])
		.join('\n');
}

/** Whether one list begins with another, byte for byte. */
export function continues(before: readonly unknown[], now: readonly unknown[]): boolean {
	return JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before);
}

/** Whether every call has one result, in the message that follows it, and every result a call. */
export function paired(messages: readonly ChatMessage[]): boolean {
	return messages.every((message, i) => {
		const next = messages[i + 1];
		if (message.role === 'tool') return messages[i - 1]?.role === 'assistant';
		if (message.role === 'user') return next?.role !== 'tool';
		const results = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
		return JSON.stringify(results) === JSON.stringify(callsOf(message.parts).map(({ id }) => id));
	});
}
