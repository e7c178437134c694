import type { SpokenPart } from './answer.ts';
import type { Thinker } from './thinker.ts';

/** The tag that begins a thought. Text between such tags at the beginning of an answer is not part of it. */
const opening = /^<(think|thinking|thought)>/;
/** A text that may still become such a tag. */
const maybeOpening = /^(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?|o(?:u(?:g(?:h(?:t)?)?)?)?)?)?)?)?$/;

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
	#end = '';
	#raw = '';

	/** Without `thinker`, nothing is sent back. */
	constructor(thinker?: Thinker) {
		this.#thinker = thinker;
	}

	/** Whether the next text is in a thought, or begins one, judging by the tags alone. */
	takes(text: string): boolean {
		if (this.#state !== 'beginning') return this.#state === 'thinking';
		return opening.test((this.#held + text).trimStart());
	}

	/** The pieces of the text so far that are clear. */
	add(text: string): SpokenPart[] {
		if (this.#state === 'text') return text === '' ? [] : [{ type: 'text', text }];
		this.#held += text;
		if (this.#state === 'beginning') return this.#begin();
		return this.#state === 'thinking' ? this.#think() : this.#speak();
	}

	/** The rest of the text once the answer has ended. */
	end(): SpokenPart[] {
		const held = this.#blanks + this.#held;
		this.#blanks = '';
		this.#held = '';
		if (this.#state === 'beginning' || this.#state === 'text')
			return held === '' ? [] : [{ type: 'text', text: held }];
		if (this.#state === 'gap') return this.#thought();
		this.#raw += held;
		return [...thinking(held), ...this.#thought()];
	}

	#begin(): SpokenPart[] {
		const said = this.#held.trimStart();
		this.#blanks += this.#held.slice(0, this.#held.length - said.length);
		this.#held = said;
		const [tag, name] = opening.exec(this.#held) ?? [];
		if (tag !== undefined) {
			this.#state = 'thinking';
			this.#end = `</${name}>`;
			this.#raw = this.#blanks;
			this.#blanks = '';
			this.#take(tag.length);
			return this.#think();
		}
		return maybeOpening.test(this.#held) ? [] : this.#speak();
	}

	#think(): SpokenPart[] {
		const at = this.#held.indexOf(this.#end);
		if (at >= 0) {
			const thought = this.#take(at);
			this.#take(this.#end.length);
			this.#state = 'gap';
			return [...thinking(thought), ...this.#speak()];
		}
		// The text may end with the first characters of the closing tag.
		let open = Math.min(this.#held.length, this.#end.length - 1);
		while (!this.#end.startsWith(this.#held.slice(this.#held.length - open))) open--;
		return thinking(this.#take(this.#held.length - open));
	}

	#speak(): SpokenPart[] {
		const isAfterThought = this.#state === 'gap';
		if (isAfterThought) this.#take(this.#held.length - this.#held.trimStart().length);
		if (this.#held === '') return [];
		this.#state = 'text';
		const text = this.#blanks + this.#held;
		this.#blanks = '';
		this.#held = '';
		return [...(isAfterThought ? this.#thought() : []), { type: 'text', text }];
	}

	/** The end of the thought. */
	#thought(): SpokenPart[] {
		const origin = this.#thinker?.origin({ raw: this.#raw });
		return origin ? [{ type: 'thinking', text: '', origin }] : [];
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
