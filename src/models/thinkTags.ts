import * as l10n from '@vscode/l10n';
import type { AnswerPart } from '../discovery/catalog/message.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { answerText, callsOf, type SpokenPart } from './answerParts.ts';
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
	#held = '';
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
	add(text: string, isThought = false): SpokenPart[] {
		this.#isMarked ||= isThought;
		if (isThought && !this.#takes(text)) return thinking(text);
		this.#held += text;
		if (this.#state === 'beginning') this.#begin();
		return [...this.#think(), ...this.#speak()];
	}

	/** Whether the next text is in a thought, or begins one, judging by the marks alone. */
	#takes(text: string): boolean {
		if (this.#state !== 'beginning') return this.#state === 'thinking';
		const said = (this.#held + text).trimStart();
		return marks.some(({ opening }) => said.startsWith(opening));
	}

	/** The rest of the text once the answer has ended. */
	end(): SpokenPart[] {
		if (this.#state === 'gap') return this.#thought();
		if (this.#state === 'thinking') return [...thinking(this.#take(this.#held.length)), ...this.#thought()];
		this.#state = 'text';
		return this.#speak();
	}

	#begin(): void {
		// There may be any amount, and each new piece is compared with what is held.
		this.#takeBlanks();
		const held = this.#held;
		this.#marks = marks.find(({ opening }) => held.startsWith(opening));
		if (this.#marks) {
			this.#state = 'thinking';
			this.#take(this.#marks.opening.length);
		} else if (!marks.some(({ opening }) => opening.startsWith(held))) this.#state = 'text';
	}

	#think(): SpokenPart[] {
		if (this.#state !== 'thinking') return [];
		const { closing = '' } = this.#marks ?? {};
		const at = this.#held.indexOf(closing);
		// The text may end with the first characters of the closing mark.
		let open = at < 0 ? Math.min(this.#held.length, closing.length - 1) : 0;
		while (at < 0 && !closing.startsWith(this.#held.slice(this.#held.length - open))) open--;
		const thought = this.#take(at < 0 ? this.#held.length - open : at);
		if (at >= 0) {
			this.#take(closing.length);
			this.#state = 'gap';
		}
		return thinking(thought);
	}

	#speak(): SpokenPart[] {
		const isAfterThought = this.#state === 'gap';
		if (isAfterThought) {
			this.#takeBlanks();
			const { answer = '' } = this.#marks ?? {};
			if (answer !== this.#held && answer.startsWith(this.#held)) return [];
			if (this.#held.startsWith(answer)) this.#take(answer.length);
			this.#takeBlanks();
		} else if (this.#state !== 'text') return [];
		const text = isAfterThought ? this.#held : this.#raw + this.#held;
		if (text === '') return [];
		const thought = isAfterThought ? this.#thought() : [];
		this.#state = 'text';
		this.#raw = '';
		this.#held = '';
		return [...thought, { type: 'text', text }];
	}

	/** The end of the thought. */
	#thought(): SpokenPart[] {
		const origin = this.#isMarked ? undefined : this.#thinker?.origin({ raw: this.#raw });
		return origin ? [{ type: 'thinking', text: '', origin }] : [];
	}

	#takeBlanks(): void {
		this.#take(this.#held.length - this.#held.trimStart().length);
	}

	#take(length: number): string {
		const taken = this.#held.slice(0, length);
		this.#held = this.#held.slice(length);
		this.#raw += taken;
		return taken;
	}
}

function thinking(text: string): SpokenPart[] {
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
	const before = marks
		.filter(({ closing }) => closing.startsWith('</') && text.includes(closing))
		.map(({ opening, closing }) => ({ opening, said: text.slice(0, text.indexOf(closing)) }))
		.find(({ opening, said }) => !said.includes(opening));
	if (!before || isCode(before.said)) return undefined;
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
