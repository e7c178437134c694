/** Characters of a front matter: its keys are compared with each other, and a few dozen lines are a long one. */
const headerLimit = 16_000;

/** Where something stands in a file; both begin with 1. */
export interface Place {
	readonly line: number;
	readonly column: number;
}

/** A value of the front matter: a text, a list of texts, or `undefined` for anything else. Numbers and such are texts here. */
export interface FrontMatterEntry extends Place {
	readonly value: string | readonly string[] | undefined;
}

/** A Markdown file in its two parts. */
export type FrontMatter =
	| {
			readonly ok: true;
			/** `undefined` where the file begins with its body. */
			readonly entries: ReadonlyMap<string, FrontMatterEntry> | undefined;
			/** Without white space around it. */
			readonly body: string;
	  }
	| FrontMatterFault;

/** Why a front matter cannot be read; `message` is a sentence. */
export interface FrontMatterFault extends Place {
	readonly ok: false;
	readonly message: string;
}

/** Splits a file into its front matter and its body. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
	const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
	if (!isFence(lines[0])) return { ok: true, entries: undefined, body: lines.join('\n').trim() };
	const end = lines.findIndex((line, i) => i > 0 && isFence(line));
	if (end < 0) return fault('The front matter has no end: put a line --- below it.');
	const header = lines.slice(1, end).join('\n');
	if (header.length > headerLimit) {
		return fault(
			`The front matter has ${header.length} characters; at most ${headerLimit} are read. Shorten it.`,
		);
	}
	const { entriesOf } = await import('./frontMatterEntries.ts');
	const strict = entriesOf(header);
	const lenient = strict instanceof Map ? strict : entriesOf(withQuotes(header));
	// A fault is reported with its place in the file as it is, without the quotes.
	const entries = lenient instanceof Map ? lenient : strict;
	if (!(entries instanceof Map)) return entries;
	return {
		ok: true,
		entries,
		body: lines
			.slice(end + 1)
			.join('\n')
			.trim(),
	};
}

/**
 * Values of one line with what means something to YAML put in quotes: descriptions such as `Use this when: …` are everywhere, and the
 * programs that these files are written for take them.
 */
function withQuotes(header: string): string {
	return header.replace(/^([\w-]+):[ \t]+([^\s"'[{|>&*!].*)$/gm, (_line, key: string, value: string) => {
		return `${key}: ${JSON.stringify(value.trim())}`;
	});
}

function isFence(line: string | undefined): boolean {
	return line?.trimEnd() === '---';
}

function fault(message: string): FrontMatterFault {
	return { ok: false, message, line: 1, column: 1 };
}
