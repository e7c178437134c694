import type { SpokenPart } from './answerParts.ts';
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

/** Where the closing tag of a thought is in a text that has no opening one before it; -1 if nowhere. */
export function loneClosingIn(text: string): number {
	for (const { opening, closing } of marks) {
		const at = closing.startsWith('</') ? text.indexOf(closing) : -1;
		if (at >= 0 && !text.slice(0, at).includes(opening)) return at;
	}
	return -1;
}

/**
 * Separates thoughts from text if the server does not: local models write `<think>…</think>` before their answers. The last piece of a thought
 * has an origin with everything before the answer exactly as the model wrote it, including the tags. It is sent back.
 */
export class ThinkTags {
	readonly #thinker: Thinker | undefined;
	#state: 'beginning' | 'thinking' | 'gap' | 'text' = 'beginning';
	/** White space at the very beginning. Kept apart because there may be any amount of it, and each new piece is compared with what is held. */
	#blanks = '';
	/** Text that may turn out to be either. */
	#held = '';
	/** Of the thought that has come. */
	#marks: ThoughtMarks | undefined;
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
		const said = this.#held.trimStart();
		this.#blanks += this.#held.slice(0, this.#held.length - said.length);
		this.#held = said;
		this.#marks = marks.find(({ opening }) => said.startsWith(opening));
		if (this.#marks) {
			this.#state = 'thinking';
			this.#raw = this.#blanks;
			this.#blanks = '';
			this.#take(this.#marks.opening.length);
		} else if (!marks.some(({ opening }) => opening.startsWith(said))) this.#state = 'text';
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
		const text = this.#blanks + this.#held;
		if (text === '') return [];
		this.#state = 'text';
		this.#blanks = '';
		this.#held = '';
		return [...(isAfterThought ? this.#thought() : []), { type: 'text', text }];
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
