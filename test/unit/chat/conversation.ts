import type { LoopEnd, LoopEvent } from '../../../src/chat/loopEvent.ts';
import type { LoopOptions } from '../../../src/chat/loopOptions.ts';
import { runToolLoop } from '../../../src/chat/toolLoop.ts';
import type {
	AnswerPart,
	ChatMessage,
	ToolCall,
	ToolCallResult,
} from '../../../src/discovery/catalog/message.ts';
import { resultText, textResult } from '../../../src/discovery/catalog/tool.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../../../src/models/chatModel.ts';
import { type Said, scriptedAnswer } from '../../scriptedAnswer.ts';
import { sessionOf } from '../discovery/fixtures.ts';

/** What a model says in one round: events in order; a promise is waited for; a thrown error ends the stream. */
export type Round = (request: ChatRequest, signal: AbortSignal) => Iterable<Said> | AsyncIterable<Said>;

/** A model that says what the test wrote down, one round after the other, and keeps what it was asked. */
export class ScriptedModel implements ChatModel {
	readonly id = 'scripted';
	readonly name = 'Scripted';
	readonly maxTools: number | undefined;
	maxInputTokens: number | undefined;
	loadings: ChatModel['loadings'] = ['append', 'native', 'call'];
	readonly requests: ChatRequest[] = [];
	readonly #rounds: readonly Round[];

	/** After its last round the model repeats it. */
	constructor(rounds: readonly Round[], maxTools?: number) {
		this.#rounds = rounds;
		this.maxTools = maxTools;
	}

	async answer(
		request: ChatRequest,
		signal: AbortSignal,
		emit: (event: ChatModelEvent) => void,
	): Promise<readonly AnswerPart[]> {
		const round = this.#rounds[Math.min(this.requests.length, this.#rounds.length - 1)];
		this.requests.push({ ...request, messages: [...request.messages] });
		return scriptedAnswer(round?.(request, signal) ?? [], emit, signal);
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

/** A turn to its end; `onEvent` sees each event before the loop goes on. */
export async function turn(
	model: ChatModel,
	{
		session = sessionOf(),
		messages = [{ role: 'user', text: 'Do it.' }],
		onEvent = () => undefined,
		...more
	}: Partial<Omit<LoopOptions, 'model' | 'system' | 'message'>> & {
		/** What was said so far, the user's message last; gets all that is said. */
		readonly messages?: ChatMessage[];
		readonly onEvent?: (event: LoopEvent) => void;
	} = {},
): Promise<{ events: LoopEvent[]; end: LoopEnd | undefined }> {
	const events: LoopEvent[] = [];
	const { log } = session;
	for (const one of messages.slice(log.messages.length, -1)) log.append({ kind: 'message', message: one });
	const message = messages.at(-1);
	if (message?.role !== 'user') throw new Error('A turn begins with what the user says.');
	const loop = runToolLoop({
		model,
		session,
		runTool: async (tool) => textResult(`${tool.id} done`),
		checkArguments: async () => ({ faults: [], concerns: [] }),
		resultFormat: 'result',
		signal: new AbortController().signal,
		system: 'Be brief.',
		message,
		...more,
	});
	for await (const event of loop) {
		events.push(event);
		onEvent(event);
	}
	messages.splice(0, messages.length, ...log.messages);
	const last = events.at(-1);
	return { events, end: last?.type === 'end' ? last : undefined };
}

/** Results that the model got with its last request. */
export function lastResults(model: ScriptedModel): readonly ToolCallResult[] {
	const message = model.requests.at(-1)?.messages.at(-1);
	return message?.role === 'tool' ? message.results : [];
}

/** The texts of these results, in order. */
export function lastTexts(model: ScriptedModel): string[] {
	return lastResults(model).map(({ result }) => resultText(result));
}
