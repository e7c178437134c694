import type { ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import type { Rank } from './candidate.ts';
import { decide } from './decide.ts';
import { offlinePlannerDescription } from './description.ts';
import { nextCallId } from './turn.ts';

/** What the planner cannot do itself. */
export interface OfflinePlannerOptions {
	/** Orders tools for a query where there is no `search_tools`, and among tools that are always loaded. */
	readonly rank: Rank;
	/** Most tools that whoever calls it passes on; any number if absent. */
	readonly maxTools?: number;
}

/**
 * A chat model of fixed rules, without any AI: it searches with the user's words, takes the best tool, fills its
 * parameters from what the prompt says, asks for what is missing, calls, and shows what came back. It keeps nothing
 * between calls; the conversation is all it knows. Nothing is billed, so there are no usage events.
 */
export class OfflinePlanner implements ChatModel {
	readonly id = offlinePlannerDescription.id;
	readonly name = offlinePlannerDescription.name;
	readonly maxTools: number | undefined;
	readonly maxInputTokens = undefined;
	/** Its rules look for tools among those that it is given. */
	readonly loadings = ['append'] as const;
	readonly #rank: Rank;

	constructor({ rank, maxTools }: OfflinePlannerOptions) {
		this.#rank = rank;
		this.maxTools = maxTools;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		if (signal.aborted) return;
		const decision = decide(request, this.#rank);
		if (decision.kind === 'call') {
			const { name, input } = decision;
			yield { type: 'toolCall', call: { id: nextCallId(request.messages), name, input } };
			return;
		}
		for (const text of pieces(decision.text)) {
			if (signal.aborted) return;
			yield { type: 'text', text };
		}
	}
}

/** Line by line, each with its line breaks. */
function pieces(text: string): readonly string[] {
	return text.match(/[^\n]*\n+|[^\n]+/g) ?? [];
}
