import type { AnswerPart } from '../src/discovery/catalog/message.ts';
import type { ChatModelEvent } from '../src/models/chatModel.ts';

/** What a scripted model says: a part of its answer, or something that it tells besides. */
export type Said = ChatModelEvent | AnswerPart;

/** An answer of such things, in order. Unlike a provider's, its calls keep their ids. */
export async function scriptedAnswer(
	said: Iterable<Said> | AsyncIterable<Said>,
	emit: (event: ChatModelEvent) => void,
	signal?: AbortSignal,
): Promise<readonly AnswerPart[]> {
	const parts: AnswerPart[] = [];
	for await (const one of said) {
		signal?.throwIfAborted();
		if (one.type === 'toolCall') parts.push(one);
		else if (one.type === 'text' || one.type === 'thinking') {
			parts.push(one);
			if (one.text !== '') emit({ type: one.type, text: one.text });
		} else emit(one);
	}
	return parts;
}
