import { isTextLabel, labelWords } from './alias.ts';
import { kindOf, type LiteralKind, LiteralReader, type ReadValue, tokenAt } from './literal.ts';
import { compact, singular, stopWords } from './words.ts';

/** How surely a label belongs to its value: `a=b` and `a: b`; `with the text b`; `5 bs`; `in b`; a bare word after `in`. */
export type LabelStrength = 'explicit' | 'phrase' | 'counted' | 'preposition' | 'weak';

/** A value of the prompt, with the words that say what it is for. */
export interface Literal {
	readonly kind: LiteralKind;
	readonly text: string;
	/** Run together and in lower case, as {@link compact} has it. */
	readonly label?: string;
	readonly strength?: LabelStrength;
	/** Range in the prompt, label included. */
	readonly start: number;
	readonly end: number;
}

/** What may lead a value, beyond the words that people use for any tool. */
export interface KnownParameter {
	readonly name: string;
	readonly required: boolean;
}

/**
 * Reads the values of a prompt from left to right. Weak literals (`in docs`) are a guess: they are not taken out of the
 * text, and reading goes on inside them.
 */
export function readPrompt(text: string, parameters: readonly KnownParameter[] = []): Literal[] {
	const reader = new PromptReader(text, parameters);
	const literals: Literal[] = [];
	let at = 0;
	while (at < text.length) {
		const literal = isStart(text, at) ? reader.read(at) : undefined;
		if (literal) literals.push(literal);
		at = literal && literal.strength !== 'weak' ? Math.max(literal.end, at + 1) : at + 1;
	}
	return literals;
}

/** A word, quote or bracket may begin here. */
function isStart(text: string, at: number): boolean {
	const char = text.charAt(at);
	if (/\s/.test(char)) return false;
	return at === 0 || /[\s([{,;:=>"“”»]/.test(text.charAt(at - 1));
}

const namingPhrase = /(called|named)\s+(?=\S)/iuy;
const sayingPhrase = /(?:that\s+|which\s+)?(saying|says|containing|contains)\s+(?=\S)/iuy;
const explicitLabel = /([\p{L}_$][\p{L}\p{N}_$.-]*)\s?=\s?(?![=\s>])/uy;
const colonLabel = /([\p{L}_$][\p{L}\p{N}_$-]*):(?:\s+|(?=["'`“[{]))(?=\S)/uy;
const prepositionLabel =
	/(to|into|onto|from|in|inside|under|at|on|of|for|matching|about|since|until|replace|by|with|as)\s+(?:(?:the|a)\s+)?(?:(?:file|folder|directory|path|url)\s+)?(?=\S)/iuy;
const countedNoun = /\s+([\p{L}_-]+)/uy;
const limitWord = /(first|last|top|limit|max|head|tail)\s+(?=\d)/iuy;
const herePhrase =
	/(?:here|(?:this|the current|the working|my current)\s+(?:folder|directory|dir|repo|repository|workspace))\b/iuy;
const anyWord = /(\p{L}+)\s+(?=\S)/uy;
/** `channel id`, `branch name`. */
const identifiedNoun = /^(\p{L}+) (?:id|key|name|ref)$/u;
const plainWord = /[\p{L}\p{N}_][\p{L}\p{N}_-]*/uy;
/** What is looked for or worked on ("search for files"), never the place itself. */
const placeNouns: ReadonlySet<string> = new Set(['file', 'folder', 'directory']);
const endOfName =
	/\s+(?:with|in|to|from|and|at|on|of|saying|says|that|which|containing|into|under|inside|using|for|as)\s|[,;\n]/iu;

class PromptReader {
	readonly #text: string;
	readonly #literals: LiteralReader;
	readonly #required: ReadonlySet<string>;
	readonly #known: ReadonlySet<string>;
	/** Labels of parameters by the noun that people say for them. */
	readonly #identifiers: ReadonlyMap<string, string>;
	readonly #withLabel: RegExp;
	readonly #bareLabel: RegExp;
	readonly #endOfText: RegExp;

	constructor(text: string, parameters: readonly KnownParameter[]) {
		this.#text = text;
		this.#literals = new LiteralReader(text);
		this.#required = new Set(parameters.filter(({ required }) => required).map(({ name }) => compact(name)));
		const names = [...new Set([...parameters.map(({ name }) => name).filter(isSayable), ...labelWords])];
		this.#known = new Set(names.map(compact));
		this.#identifiers = new Map(
			names.flatMap((name) => {
				const noun = identifiedNoun.exec(spacedForm(name).toLowerCase())?.[1];
				return noun === undefined ? [] : [[noun, compact(name)]];
			}),
		);
		const forms = names.flatMap((name) => [name, spacedForm(name)]).filter(Boolean);
		const any = [...new Set(forms)]
			.map(escapeRegExp)
			.sort((a, b) => b.length - a.length)
			.join('|');
		const end = '(?![\\p{L}\\p{N}_])';
		this.#withLabel = new RegExp(
			`(?:(?:with|and|using|having|has),?\\s+|,\\s*)(?:(?:the|a|an|its|as)\\s+)?(?:[\\p{L}]+\\s+)??(${any})${end}\\s+(?:(?:of|is|being|as|set to)\\s+)?(?=\\S)`,
			'iuy',
		);
		this.#bareLabel = new RegExp(`(${any})${end}\\s+(?:is\\s+)?(?=\\S)`, 'iuy');
		this.#endOfText = new RegExp(
			`\\s+(?:called|named)\\s+\\S|(?:\\s+and|\\s+with|,)\\s+(?:with\\s+)?(?:(?:the|a|an|its|as)\\s+)?(?:${any})${end}[\\s:=]|(?:\\s+and)?[\\s,]+[\\p{L}_][\\w.-]*=\\S|\\n[\\p{L}_][\\w.-]*:\\s`,
			'iu',
		);
	}

	read(at: number): Literal | undefined {
		return (
			this.#address(at) ??
			this.#explicit(at) ??
			this.#colon(at) ??
			this.#phrase(at, namingPhrase, false) ??
			this.#phrase(at, sayingPhrase, true) ??
			this.#labelled(at) ??
			this.#limited(at) ??
			this.#named(at) ??
			this.#identified(at) ??
			this.#preposition(at) ??
			this.#plain(at)
		);
	}

	/** An address first: its colon and its equals signs are no labels. */
	#address(at: number): Literal | undefined {
		const kind = kindOf(tokenAt(this.#text, at));
		return kind === 'url' || kind === 'email' ? this.#plain(at) : undefined;
	}

	/** A number is labelled by what it counts: `5 steps`. */
	#plain(at: number): Literal | undefined {
		const value = this.#literals.read(at);
		if (!value) return undefined;
		const counted =
			value.kind === 'number' ? this.#match(countedNoun, value.end)?.label.toLowerCase() : undefined;
		if (counted && !stopWords.has(counted)) return literal(at, value, counted, 'counted');
		return { kind: value.kind, text: value.text, start: at, end: value.end };
	}

	/** `the last 5`, `limit 20`. */
	#limited(at: number): Literal | undefined {
		const match = this.#match(limitWord, at);
		const value = match && this.#literals.read(match.end);
		return value?.kind === 'number' ? literal(at, value, match?.label ?? '', 'phrase') : undefined;
	}

	#explicit(at: number): Literal | undefined {
		const match = this.#match(explicitLabel, at);
		if (!match) return undefined;
		const isText = isTextLabel(match.label);
		const value = this.#value(match.end, isText, () =>
			isText ? this.#freeText(match.end) : this.#token(match.end),
		);
		return value && literal(at, value, match.label, 'explicit');
	}

	/** `key: value` counts only where the key is a known label, for prose is full of colons. */
	#colon(at: number): Literal | undefined {
		const match = this.#match(colonLabel, at);
		if (!match || !this.#known.has(compact(match.label))) return undefined;
		const value = this.#textOrName(match.end, isTextLabel(match.label));
		return value && literal(at, value, match.label, 'explicit');
	}

	#phrase(at: number, pattern: RegExp, isText: boolean): Literal | undefined {
		const match = this.#match(pattern, at);
		if (!match) return undefined;
		const value = this.#textOrName(match.end, isText);
		return value && literal(at, value, match.label, 'phrase');
	}

	/** `with the text Hello`, `and title "A"`. */
	#labelled(at: number): Literal | undefined {
		const match = this.#match(this.#withLabel, at);
		if (!match || /^(?:called|named)\s/i.test(this.#text.slice(match.end, match.end + 7))) return undefined;
		const value = this.#textOrName(match.end, isTextLabel(match.label));
		return value && literal(at, value, match.label, 'phrase');
	}

	/** `title 'X'`, `file a.txt`; a plain word only after a required parameter's own name: `path docs`. */
	#named(at: number): Literal | undefined {
		const match = this.#match(this.#bareLabel, at);
		if (!match) return undefined;
		const value = this.#literals.read(match.end);
		if (value) return literal(at, value, match.label, 'phrase');
		if (!this.#required.has(compact(match.label))) return undefined;
		const word = isTextLabel(match.label) ? this.#freeText(match.end) : this.#word(match.end);
		const first = /^[\p{L}\p{N}]+/u.exec(word?.text ?? '')?.[0].toLowerCase();
		return word && !(first && stopWords.has(first)) ? literal(at, word, match.label, 'phrase') : undefined;
	}

	/** `channel C123` for `channel_id`, `branch feature-x` for `branchName`: the value must look like an identifier. */
	#identified(at: number): Literal | undefined {
		const match = this.#match(anyWord, at);
		const label = match && this.#identifiers.get(match.label.toLowerCase());
		if (!match || label === undefined) return undefined;
		const word = this.#word(match.end);
		return word && /\p{L}.*[\d_-]|\d.*\p{L}/u.test(word.text) && !kindOf(word.text)
			? literal(at, word, label, 'phrase')
			: undefined;
	}

	#preposition(at: number): Literal | undefined {
		const here = this.#match(herePhrase, at);
		if (here) return { kind: 'path', text: '.', start: at, end: here.end };
		const match = this.#match(prepositionLabel, at);
		if (!match) return undefined;
		const place = this.#match(herePhrase, match.end) ?? this.#match(herePhrase, at + match.label.length + 1);
		if (place) return literal(at, { kind: 'path', text: '.', end: place.end }, match.label, 'preposition');
		const value = this.#plain(match.end);
		// `for 3 seconds`: what is counted says more than the preposition.
		if (value?.strength === 'counted') return { ...value, start: at };
		if (value) return literal(at, value, match.label, 'preposition');
		const word = this.#word(match.end);
		const plain = word?.text.toLowerCase() ?? '';
		if (!word || stopWords.has(plain) || placeNouns.has(singular(plain))) return undefined;
		return literal(at, word, match.label, 'weak');
	}

	#textOrName(at: number, isText: boolean): ReadValue | undefined {
		return this.#value(at, isText, () => (isText ? this.#freeText(at) : this.#name(at)));
	}

	#value(at: number, isText: boolean, bare: () => ReadValue | undefined): ReadValue | undefined {
		const value = this.#literals.read(at);
		if (!value) return bare();
		if (!isUnquoted(this.#text, at)) return value;
		// `text=3 apples`, `with the text a.txt is gone`: the literal only begins the text.
		const all = bare();
		return all && all.end > value.end && (isText || value.kind === 'number') ? all : value;
	}

	#token(at: number): ReadValue | undefined {
		const text = tokenAt(this.#text, at);
		return text === '' ? undefined : { kind: kindOf(text) ?? 'text', text, end: at + text.length };
	}

	/** A plain word that is no label itself. */
	#word(at: number): ReadValue | undefined {
		plainWord.lastIndex = at;
		const text = plainWord.exec(this.#text)?.[0];
		if (text === undefined || /[=:]/.test(this.#text.charAt(at + text.length))) return undefined;
		return { kind: 'text', text, end: at + text.length };
	}

	/** A few words that name something: up to the next preposition, comma or end of the sentence. */
	#name(at: number): ReadValue | undefined {
		const rest = this.#text.slice(at);
		const text = rest.slice(0, endOfName.exec(rest)?.index).replace(/[\s.!?]+$/, '');
		return text === '' ? undefined : { kind: kindOf(text) ?? 'text', text, end: at + text.length };
	}

	/** Free text: up to the next label, or to a place at the very end (`… to notes.txt`), else all the rest. */
	#freeText(at: number): ReadValue | undefined {
		const rest = this.#text.slice(at);
		const labelled = rest.slice(0, this.#endOfText.exec(rest)?.index);
		const text = labelled.trimEnd().slice(0, placeAtEnd(labelled.trimEnd())).trimEnd();
		return text === '' ? undefined : { kind: 'text', text, end: at + text.length };
	}

	#match(pattern: RegExp, at: number): { readonly label: string; readonly end: number } | undefined {
		pattern.lastIndex = at;
		const match = pattern.exec(this.#text);
		return match ? { label: match[1] ?? '', end: at + match[0].length } : undefined;
	}
}

/** Where `in docs/a.txt`, `to a.txt` at the end of a free text begins; that is a place, not text. */
function placeAtEnd(text: string): number | undefined {
	const match = /\s+(?:in|into|to|from|under|inside)\s+(?:the\s+(?:file|folder|directory)\s+)?(\S+)$/iu.exec(
		text,
	);
	const token = match?.[1]?.replace(/[.!?]+$/, '').replace(/^["'`“](.*)["'`”]$/, '$1') ?? '';
	return match && ['path', 'url', 'email'].includes(kindOf(token) ?? '') ? match.index : undefined;
}

function isUnquoted(text: string, at: number): boolean {
	return !/["“„«`'‘[{]/.test(text.charAt(at));
}

function literal(start: number, value: ReadValue, label: string, strength: LabelStrength): Literal {
	return { kind: value.kind, text: value.text, label: compact(label), strength, start, end: value.end };
}

/** A name that a person could write before a value; keeps a hostile schema out of the patterns. */
function isSayable(name: string): boolean {
	return name.length <= 64 && /[\p{L}\p{N}]/u.test(name);
}

/** `messageType` as people write it: `message type`. */
function spacedForm(name: string): string {
	return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ');
}

function escapeRegExp(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
