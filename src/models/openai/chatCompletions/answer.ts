import type { TokenUsage } from '../../../discovery/cost.ts';
import { isRecord, type JsonRecord } from '../../../discovery/record.ts';
import type { ToolCall } from '../../chatModel.ts';
import { tokens, usageDetails } from '../usageDetails.ts';
import { CallAssembly } from './calls.ts';

/** How an answer came to its end: as it should, at the model's output limit, by a filter, by a failure, or not at all. */
export type Ending = 'complete' | 'outOfTokens' | 'filtered' | 'failed' | 'none';

/** An answer of Chat Completions as it comes in, chunk by chunk. Nothing is taken for granted: servers differ in all of it. */
export class ChatAnswer {
	readonly #calls = new CallAssembly();
	#finishReason: string | undefined;
	#isDone = false;
	#usage: TokenUsage | undefined;

	/** Takes a chunk; returns the text in it. */
	add(chunk: JsonRecord | 'done'): string {
		if (chunk === 'done') {
			this.#isDone = true;
			return '';
		}
		this.#usage = usageIn(chunk.usage) ?? this.#usage;
		const choice = Array.isArray(chunk.choices) ? chunk.choices.find(isRecord) : undefined;
		if (!choice) return '';
		if (typeof choice.finish_reason === 'string' && choice.finish_reason) {
			this.#finishReason = choice.finish_reason;
		}
		const delta = isRecord(choice.delta) ? choice.delta : {};
		this.#calls.add(delta.tool_calls);
		return textOf(delta.content) + textOf(delta.refusal);
	}

	get ending(): Ending {
		switch (this.#finishReason) {
			case undefined:
				return this.#isDone ? 'complete' : 'none';
			case 'length':
				return 'outOfTokens';
			case 'content_filter':
				return 'filtered';
			case 'error':
				return 'failed';
			default:
				return 'complete';
		}
	}

	/** Tokens of request and answer; where they came several times, they had grown, and the last counts. */
	get usage(): TokenUsage | undefined {
		return this.#usage;
	}

	/** The calls, with ids that are not in `taken`. */
	calls(taken: ReadonlySet<string>): ToolCall[] {
		return this.#calls.calls(taken, this.ending === 'outOfTokens');
	}
}

/** A text, or the texts of a list of parts. */
function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function usageIn(usage: unknown): TokenUsage | undefined {
	if (!isRecord(usage)) return undefined;
	const inputTokens = tokens(usage.prompt_tokens);
	// No prompt is empty: a server that says so has not counted.
	if (!inputTokens) return undefined;
	const said = tokens(usage.completion_tokens) ?? 0;
	const details = usageDetails(usage);
	// Gemini and Grok count what they thought in the total only, and are paid for it as for the rest of the answer.
	const unsaid = Math.max(0, (tokens(usage.total_tokens) ?? 0) - inputTokens - said);
	return {
		inputTokens,
		outputTokens: said + unsaid,
		...(unsaid > 0 && { thoughtTokens: unsaid }),
		...details,
	};
}
