import { efforts } from '../../common/answers/answerSettings.ts';
import type { ChatRequest } from '../../models/chatModel.ts';

/** How an answer is to be made, by the options that callers of VS Code's models pass; their names are OpenAI's, in one spelling or another. */
export function answersIn(options: Readonly<Record<string, unknown>> = {}): ChatRequest['answers'] {
	const number = (...names: readonly string[]) => names.map((name) => options[name]).find(isNumber);
	const temperature = number('temperature');
	const topP = number('top_p', 'topP');
	const maxOutputTokens = number(
		'max_tokens',
		'max_completion_tokens',
		'max_output_tokens',
		'maxTokens',
		'maxOutputTokens',
	);
	const wished = options.reasoning_effort ?? options.reasoningEffort;
	const reasoningEffort = efforts.find((effort) => effort === wished);
	const parallel = options.parallel_tool_calls ?? options.parallelToolCalls;
	const answers: ChatRequest['answers'] = {
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { topP }),
		...(maxOutputTokens !== undefined &&
			maxOutputTokens >= 1 && { maxOutputTokens: Math.floor(maxOutputTokens) }),
		...(reasoningEffort !== undefined && { reasoningEffort }),
		...(typeof parallel === 'boolean' && { parallelToolCalls: parallel }),
	};
	return Object.keys(answers).length > 0 ? answers : undefined;
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
