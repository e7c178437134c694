import { isStopWord, stem } from '../words/analyzer.ts';
import { Letters, Numbers, TextTable } from '../words/textTable.ts';
import { AsciiText, readAscii, unicodeWords } from '../words/tokenizer.ts';

/** Numbers for terms, and for words as written, each of which maps to a term. Nothing is ever removed, so indexes can share a vocabulary. */
export class Vocabulary {
	readonly #terms = new TextTable();
	readonly #words = new TextTable();
	/** By word: its term, and whether it is a stop word. */
	readonly #termOfWord = new Numbers();
	readonly #isStopWord = new Numbers();
	readonly #letters = new Letters();
	readonly #ascii = new AsciiText();

	get size(): number {
		return this.#terms.size;
	}

	/** The number of an existing term. */
	find(term: string): number | undefined {
		const found = this.#terms.find(this.#letters.take(term));
		return found < 0 ? undefined : found;
	}

	term(id: number): string {
		return this.#terms.text(id);
	}

	/** The number of a term, a new one if it has none. */
	add(term: string): number {
		return this.#terms.add(this.#letters.take(term));
	}

	/** Reads the words of a text like `tokenize`, as numbers. */
	read(text: string, words: Numbers, whole?: Numbers): void {
		if (text === '') return;
		if (readAscii(text, this.#ascii)) this.#addAscii(words, whole);
		else this.#addUnicode(text, words, whole);
	}

	termOf(word: number): number {
		return this.#termOfWord.values[word] as number;
	}

	isStopWord(word: number): boolean {
		return this.#isStopWord.values[word] === 1;
	}

	/** The term of two neighbours joined into one word, as `joinedTerm` makes it. */
	joined(word: number, next: number): number {
		return this.#terms.add(this.#letters.join(this.#words, word, this.#terms, this.termOf(next)));
	}

	#addAscii(words: Numbers, whole: Numbers | undefined): void {
		const { letters, words: found, whole: foundWhole } = this.#ascii;
		const { values, length } = found;
		for (let i = 0; i < length; i += 3) {
			const word = this.#words.add(letters, values[i], values[i + 1], values[i + 2]);
			words.push(this.#known(word));
		}
		if (!whole) return;
		for (let i = 0; i < foundWhole.length; i += 2) {
			whole.push(this.#known(this.#words.add(letters, foundWhole.values[i], foundWhole.values[i + 1])));
		}
	}

	#addUnicode(text: string, words: Numbers, whole: Numbers | undefined): void {
		const mixed: string[] = [];
		for (const word of unicodeWords(text, mixed)) {
			words.push(this.#known(this.#words.add(this.#letters.take(word))));
		}
		if (whole) for (const word of mixed) whole.push(this.#known(this.#words.add(this.#letters.take(word))));
	}

	/** Analyses a new word. */
	#known(word: number): number {
		if (word === this.#termOfWord.length) {
			const text = this.#words.text(word);
			this.#termOfWord.push(this.#terms.add(this.#letters.take(stem(text))));
			this.#isStopWord.push(Number(isStopWord(text)));
		}
		return word;
	}
}
