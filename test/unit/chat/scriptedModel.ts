import type { ChatModel, ChatModelEvent, ChatRequest, ToolCall } from '../../../src/models/chatModel.ts';

/** What a model says in one round: events in order; a promise is waited for; a thrown error ends the stream. */
export type Round = (
	request: ChatRequest,
	signal: AbortSignal,
) => Iterable<ChatModelEvent> | AsyncIterable<ChatModelEvent>;

/** A model that says what the test wrote down, one round after the other, and keeps what it was asked. */
export class ScriptedModel implements ChatModel {
	readonly id = 'scripted';
	readonly name = 'Scripted';
	readonly maxTools: number | undefined;
	maxInputTokens: number | undefined;
	readonly loadings: ChatModel['loadings'] = ['append', 'native', 'call'];
	readonly requests: ChatRequest[] = [];
	readonly #rounds: readonly Round[];

	/** After its last round the model repeats it. */
	constructor(rounds: readonly Round[], maxTools?: number) {
		this.#rounds = rounds;
		this.maxTools = maxTools;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		const round = this.#rounds[Math.min(this.requests.length, this.#rounds.length - 1)];
		this.requests.push({ ...request, messages: [...request.messages] });
		if (round) yield* round(request, signal);
	}
}

let calls = 0;

/** A call with an id of its own. */
export function call(name: string, input: Readonly<Record<string, unknown>> = {}): ToolCall {
	calls++;
	return { id: `call_${calls}`, name, input };
}

/** A round that makes calls. */
export function asks(...made: readonly ToolCall[]): Round {
	return () => made.map((one) => ({ type: 'toolCall', call: one }));
}

/** A round that says something and ends. */
export function says(text: string): Round {
	return () => [{ type: 'text', text }];
}
