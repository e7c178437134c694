import * as l10n from '@vscode/l10n';
import type { AnswerPart } from '../discovery/catalog/message.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { answerText, callsOf, type TextOrThinking } from './answerParts.ts';
import type { Thinker } from './thinker.ts';

/** How a model's template marks a thought before an answer. `answer`: the mark between thought and answer, which is no part of either. */
interface ThoughtMarks {
	readonly opening: string;
	readonly closing: string;
	readonly answer?: string;
}

const tagged = (name: string): ThoughtMarks => ({ opening: `<${name}>`, closing: `</${name}>` });

/** The marks of models, as servers' parsers know them; rows in `test/world/oddStreams.test.ts`. */
const marks: readonly ThoughtMarks[] = [
	...['think', 'thinking', 'thought', 'reasoning', 'seed:think', 'mm:think'].map(tagged),
	{ opening: '[THINK]', closing: '[/THINK]' },
	{ opening: '◁think▷', closing: '◁/think▷' },
	{
		opening: '<|channel|>analysis<|message|>',
		closing: '<|end|>',
		answer: '<|start|>assistant<|channel|>final<|message|>',
	},
	{ opening: '<|channel>thought\n', closing: '<channel|>' },
	{ opening: '<|START_THINKING|>', closing: '<|END_THINKING|>', answer: '<|START_RESPONSE|>' },
	{ opening: '<|inner_prefix|>', closing: '<|inner_suffix|>' },
];

/**
 * Separates thoughts from text if the server does not: local models write `<think>…</think>` before their answers. The last piece of a thought
 * has an origin with everything before the answer exactly as the model wrote it, including the tags. It is sent back.
 */
export class ThinkTags {
	readonly #thinker: Thinker | undefined;
	#state: 'beginning' | 'thinking' | 'gap' | 'text' = 'beginning';
	/** Text that may turn out to be either. */
	#pendingText = '';
	/** Of the thought that has come. */
	#marks: ThoughtMarks | undefined;
	/** What came before the text: white space, and the thought as the model wrote it. */
	#raw = '';
	/** Whether the server marks thoughts as well. Then they are summaries for people, and nothing is sent back. */
	#isMarked = false;

	/** Without `thinker`, nothing is sent back. */
	constructor(thinker?: Thinker) {
		this.#thinker = thinker;
	}

	/** The pieces of the text so far that are clear. `isThought`: the server marks this text as a thought, as Gemini's does, mostly also within tags. */
	add(text: string, isThought = false): TextOrThinking[] {
		this.#isMarked ||= isThought;
		if (isThought && !this.#takes(text)) return thinking(text);
		this.#pendingText += text;
		if (this.#state === 'beginning') this.#begin();
		return [...this.#think(), ...this.#speak()];
	}

	/** Whether the next text is in a thought, or begins one, judging by the marks alone. */
	#takes(text: string): boolean {
		if (this.#state !== 'beginning') return this.#state === 'thinking';
		const pending = (this.#pendingText + text).trimStart();
		return marks.some(({ opening }) => pending.startsWith(opening));
	}

	/** The rest of the text once the answer has ended. */
	end(): TextOrThinking[] {
		if (this.#state === 'gap') return this.#thought();
		if (this.#state === 'thinking')
			return [...thinking(this.#take(this.#pendingText.length)), ...this.#thought()];
		this.#state = 'text';
		return this.#speak();
	}

	#begin(): void {
		// There may be any amount, and each new piece is compared with what is held.
		this.#takeBlanks();
		const pending = this.#pendingText;
		this.#marks = marks.find(({ opening }) => pending.startsWith(opening));
		if (this.#marks) {
			this.#state = 'thinking';
			this.#take(this.#marks.opening.length);
		} else if (!marks.some(({ opening }) => opening.startsWith(pending))) this.#state = 'text';
	}

	#think(): TextOrThinking[] {
		if (this.#state !== 'thinking') return [];
		const { closing = '' } = this.#marks ?? {};
		const at = this.#pendingText.indexOf(closing);
		// The text may end with the first characters of the closing mark.
		let open = at < 0 ? Math.min(this.#pendingText.length, closing.length - 1) : 0;
		while (at < 0 && !closing.startsWith(this.#pendingText.slice(this.#pendingText.length - open))) open--;
		const thought = this.#take(at < 0 ? this.#pendingText.length - open : at);
		if (at >= 0) {
			this.#take(closing.length);
			this.#state = 'gap';
		}
		return thinking(thought);
	}

	#speak(): TextOrThinking[] {
		const isAfterThought = this.#state === 'gap';
		if (isAfterThought) {
			this.#takeBlanks();
			const { answer = '' } = this.#marks ?? {};
			if (answer !== this.#pendingText && answer.startsWith(this.#pendingText)) return [];
			if (this.#pendingText.startsWith(answer)) this.#take(answer.length);
			this.#takeBlanks();
		} else if (this.#state !== 'text') return [];
		const text = isAfterThought ? this.#pendingText : this.#raw + this.#pendingText;
		if (text === '') return [];
		const thought = isAfterThought ? this.#thought() : [];
		this.#state = 'text';
		this.#raw = '';
		this.#pendingText = '';
		return [...thought, { type: 'text', text }];
	}

	/** The end of the thought. */
	#thought(): TextOrThinking[] {
		const origin = this.#isMarked ? undefined : this.#thinker?.origin({ raw: this.#raw });
		return origin ? [{ type: 'thinking', text: '', origin }] : [];
	}

	#takeBlanks(): void {
		this.#take(this.#pendingText.length - this.#pendingText.trimStart().length);
	}

	#take(length: number): string {
		const taken = this.#pendingText.slice(0, length);
		this.#pendingText = this.#pendingText.slice(length);
		this.#raw += taken;
		return taken;
	}
}

function thinking(text: string): TextOrThinking[] {
	return text === '' ? [] : [{ type: 'thinking', text }];
}

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
	const loneThought = marks
		.filter(({ closing }) => closing.startsWith('</') && text.includes(closing))
		.map(({ opening, closing }) => ({ opening, thought: text.slice(0, text.indexOf(closing)) }))
		.find(({ opening, thought }) => !thought.includes(opening));
	if (!loneThought || isCode(loneThought.thought)) return undefined;
	return l10n.t(
		'“{0}” began with its thinking, which its server did not mark as such. If the server is yours, set {1} (vLLM, SGLang) or {2} (llama.cpp).',
		model,
		'--reasoning-parser …',
		'--reasoning-format deepseek',
	);
}

/** Whether what follows a text is a quotation of code in it. */
function isCode(precedingText: string): boolean {
	return (precedingText.match(/`+/g) ?? []).length % 2 === 1;
}
