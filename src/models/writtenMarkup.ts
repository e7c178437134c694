import * as l10n from '@vscode/l10n';
import type { AnswerPart } from '../discovery/catalog/message.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { answerText, callsOf } from './answerParts.ts';
import { loneClosingIn } from './thinkTags.ts';

/**
 * How the templates of models begin a call: Hermes, Qwen and GLM; Llama; Mistral; DeepSeek; Kimi; harmony; MiniMax; Seed; LFM; Phi. A server
 * with the right tool-call parser turns these into calls. Examples: `test/world/writtenMarkup.test.ts`.
 */
const callMarks =
	/<tool_call>|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<｜tool▁calls?▁begin｜>|<｜DSML｜|<\|tool_calls?_section_begin\|>|<\|channel\|>commentary to=functions\.|<(?:minimax|seed):tool_call>|<\|tool_call(?:_start)?\|>/;

/** What ends a call in any of these forms: its arguments, or a mark. */
const callEnd = /[}\])>]$/;

/** A notice if an answer ends with a call of one of these tools that the server has left in the text. No parser of ours makes a call of it. */
export function writtenCallNotice(
	parts: readonly AnswerPart[],
	tools: readonly ToolDefinition[],
	model: string,
): string | undefined {
	const text = answerText(parts);
	const at = text.search(callMarks);
	if (at < 0 || callsOf(parts).length > 0 || isCode(text.slice(0, at))) return undefined;
	const call = text.slice(at).trimEnd();
	if (!callEnd.test(call) || !tools.some(({ name }) => call.includes(name))) return undefined;
	return l10n.t(
		'“{0}” wrote a tool call as text, so nothing was called: its server did not recognise it. If the server is yours, set {1} (vLLM), {2} (SGLang) or {3} (llama.cpp).',
		model,
		'--enable-auto-tool-choice --tool-call-parser …',
		'--tool-call-parser …',
		'--jinja',
	);
}

/**
 * A notice if a thought ends in the text of an answer without having begun there: the template of some models begins it in the prompt. The model
 * gets the text back as it wrote it.
 */
export function loneThoughtNotice(parts: readonly AnswerPart[], model: string): string | undefined {
	const text = answerText(parts);
	const at = loneClosingIn(text);
	if (at < 0 || isCode(text.slice(0, at))) return undefined;
	return l10n.t(
		'“{0}” began with its thinking, which its server did not mark as such. If the server is yours, set {1} (vLLM, SGLang) or {2} (llama.cpp).',
		model,
		'--reasoning-parser …',
		'--reasoning-format deepseek',
	);
}

/** Whether what follows a text is a quotation of code in it. */
function isCode(before: string): boolean {
	return (before.match(/`+/g) ?? []).length % 2 === 1;
}
