import { visible } from '../../common/text.ts';
import { resultText, type ToolResult } from '../../discovery/catalog/tool.ts';

/** A piece of a call's arguments that stands word for word in a result of another server. */
export interface FlowedText {
	/** The server whose result it was. */
	readonly server: string;
	/** The piece, or the beginning of it; a server's text, on one line. */
	readonly excerpt: string;
	/** Where it stands among the arguments: `files[2].content`. */
	readonly path: string;
}

/** Characters of results that one chat keeps for this, and of one result: of what is longer, the beginning. */
const keptCharacters = 4_000_000;
const keptOfResult = 1_000_000;

/** White space, line ends as JSON writes them, quotation marks, brackets, emphasis, and the punctuation between words. */
export const gaps = /(?:\\[nrt"\\]|[\s"'`“”‘’«»()[\]{}<>*|,;!?]|[.:](?=[\s"'”’)\]}<*]|$))+/g;

/** As texts are compared: each gap becomes one blank. The one letter that becomes two in lower case would shift all that follows. */
export function foldText(seen: string): string {
	return seen.replace(gaps, ' ').replaceAll('\u0130', 'I').toLowerCase();
}

/** A text that a server has answered, folded: that is done once, and not before a call. */
export interface KeptResult {
	readonly server: string;
	readonly text: string;
}

/** What text of one chat came from which server; `flowsInto` tells what a call would carry on of it. */
export class ResultFlow {
	/** Oldest first. */
	#kept: KeptResult[] = [];
	#characters = 0;

	get kept(): readonly KeptResult[] {
		return this.#kept;
	}

	/** Characters that are kept. */
	get characters(): number {
		return this.#characters;
	}

	/** Keeps what a server answered; the oldest goes when there is too much. */
	keep(server: string, result: ToolResult): void {
		const text = foldText(visible(resultText(textOnly(result)).slice(0, keptOfResult)));
		if (text.trim() === '') return;
		this.#kept.push({ server, text });
		this.#characters += text.length;
		let gone = 0;
		while (this.#characters > keptCharacters) this.#characters -= this.#kept[gone++]?.text.length ?? 0;
		if (gone > 0) this.#kept = this.#kept.slice(gone);
	}
}

/** Placeholders of pictures are our own words. */
function textOnly(result: ToolResult): ToolResult {
	return { ...result, content: result.content.filter(({ type }) => type === 'text') };
}
