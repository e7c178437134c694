import type { ChatMessage, ToolCall } from '../../discovery/catalog/message.ts';
import { type Picture, picturesIn } from '../pictures.ts';
import { sentMessages } from '../sentMessages.ts';
import type { Thinker } from '../thinker.ts';
import type { functionTools } from '../wireCalls.ts';

/**
 * The part of Ollama's own API that is used here (github.com/ollama/ollama, `api/types.go`, `docs/api.md`).
 */

/** A message of `/api/chat`. */
export interface OllamaMessage {
	readonly role: 'system' | 'user' | 'assistant' | 'tool';
	readonly content: string;
	readonly images?: readonly string[];
	readonly thinking?: string;
	readonly tool_calls?: readonly {
		readonly id: string;
		readonly function: Pick<ToolCall, 'name'> & { readonly arguments: object };
	}[];
	/** Of a result. */
	readonly tool_name?: string;
	readonly tool_call_id?: string;
}

/** The body of `POST /api/chat`; its fields in their order on the wire, beginning with what changes least. */
export interface OllamaBody {
	readonly model: string;
	readonly tools?: ReturnType<typeof functionTools>;
	readonly messages: readonly OllamaMessage[];
	readonly stream: true;
	/** Refuses a prompt over `num_ctx` instead of silently dropping the oldest messages. */
	readonly truncate: false;
	/** Ends an answer that fills the context instead of silently dropping the first half of the context. */
	readonly shift: false;
	/** Whether the model thinks, or how much; models that cannot think refuse it. */
	readonly think?: boolean | string;
	readonly options: {
		readonly num_ctx: number;
		readonly num_predict?: number;
		readonly temperature?: number;
		readonly top_p?: number;
	};
}

/** What the origin of a part contains; nothing for a thought that came separately from the text. */
export interface OllamaOrigin {
	/** A thought in the text of the answer, including its tags. */
	readonly raw?: string;
	/** Ollama's id of the call; may be empty. */
	readonly id?: string;
}

/**
 * A conversation in Ollama's format. Models without vision get placeholders for pictures. `thinker`: whose thoughts are sent back.
 */
export function ollamaMessages(
	system: string,
	messages: readonly ChatMessage[],
	images: boolean,
	thinker?: Thinker,
): OllamaMessage[] {
	const wire: OllamaMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
	for (const message of sentMessages<OllamaOrigin>(messages, { images, thinker })) {
		if (message.role === 'user') {
			wire.push({ role: 'user', content: message.text, ...imagesOf(message.pictures) });
			continue;
		}
		const { parts, text, calls } = message;
		if (parts.length === 0) continue;
		const thoughts = parts.flatMap((part) => (part.type === 'thinking' && part.data ? [part] : []));
		const thinking = thoughts.map((part) => (part.data?.raw === undefined ? part.text : '')).join('');
		const rawThoughts = thoughts.map(({ data }) => data?.raw ?? '').join('');
		const tool_calls = calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } }));
		wire.push({
			role: 'assistant',
			content: rawThoughts + text,
			...(thinking && { thinking }),
			...(calls.length > 0 && { tool_calls }),
		});
		// In the order of the calls: many chat templates pair them by position only.
		for (const { id, name, result } of calls) {
			const pictures = imagesOf(picturesIn(result.content));
			wire.push({ role: 'tool', content: result.text, ...pictures, tool_name: name, tool_call_id: id });
		}
	}
	return wire;
}

function imagesOf(pictures: readonly Picture[]): Pick<OllamaMessage, 'images'> {
	return pictures.length > 0 ? { images: pictures.map(({ data }) => data) } : {};
}
