import { efforts } from '../../common/answerSettings.ts';
import { defined } from '../../common/json.ts';
import type { ChatMessage, ToolCallResult } from '../../discovery/catalog/message.ts';
import type { ChatRequest } from '../../models/chatModel.ts';

/** Answer settings from the options of a request. Callers use OpenAI's names, in snake or camel case. */
export function answerSettingsIn(options: Readonly<Record<string, unknown>> = {}): ChatRequest['answers'] {
	const number = (...names: readonly string[]) => names.map((name) => options[name]).find(isNumber);
	const maxOutputTokens = number(
		'max_tokens',
		'max_completion_tokens',
		'max_output_tokens',
		'maxTokens',
		'maxOutputTokens',
	);
	const wished = options.reasoning_effort ?? options.reasoningEffort;
	const parallel = options.parallel_tool_calls ?? options.parallelToolCalls;
	const answers = defined({
		temperature: number('temperature'),
		topP: number('top_p', 'topP'),
		maxOutputTokens: maxOutputTokens && maxOutputTokens >= 1 ? Math.floor(maxOutputTokens) : undefined,
		reasoningEffort: efforts.find((effort) => effort === wished),
		parallelToolCalls: typeof parallel === 'boolean' ? parallel : undefined,
	});
	return Object.keys(answers).length > 0 ? answers : undefined;
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/**
 * Moves all results of an assistant's calls into one message right after it, as providers require. Callers may send each result in its own
 * message, with text in between, which then follows.
 */
export function joinedToolResults(messages: readonly ChatMessage[]): ChatMessage[] {
	const turns: ChatMessage[][] = [[]];
	for (const message of messages) {
		if (message.role === 'assistant') turns.push([]);
		turns.at(-1)?.push(message);
	}
	return turns.flatMap(turnJoined);
}

/** `turn`: an assistant's message (except in the first turn) with everything up to the next. */
function turnJoined(turn: readonly ChatMessage[]): ChatMessage[] {
	const results = turn.flatMap((message): readonly ToolCallResult[] =>
		message.role === 'tool' ? message.results : [],
	);
	const others = turn.filter(({ role }) => role !== 'tool');
	if (results.length === 0) return others;
	const [first, ...rest] = others;
	const answers: ChatMessage = { role: 'tool', results };
	if (first?.role === 'assistant') return [first, answers, ...rest];
	return [answers, ...others];
}
