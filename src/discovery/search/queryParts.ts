/** Characters that are read of a query: half of them from its end, where a long text often says what it wants. */
const maxQueryLength = 4000;

/** From this many lines on, a text may be pasted: a log, code or data with a request before or after it. */
const pastedLines = 3;
/** A line of prose has this many words, and this share of them is plain: letters, perhaps with the marks of a sentence around them. */
const proseWords = 3;
const plainShare = 0.75;
const plainWord = /^[\p{Ps}\p{Pi}"'-]*[\p{L}\p{M}'’-]+[\p{Pe}\p{Pf}"'’.,;:?!-]*$/u;
/** What machines write and read, by how lines of it begin, end or are marked. */
const machineWritten = [
	// Logs: levels and times.
	/^\W*(?:trace|debug|info|notice|warn|warning|error|fatal|critical)\b[\s:\]|-]/i,
	/\d{1,2}:\d{2}:\d{2}/,
	// Errors and their frames.
	/^\s*(?:[\w.$]+(?:Error|Exception|Warning)\b|Traceback\b|Caused by:|at\s+\S+|File "|goroutine \d)/,
	// Code.
	/[{}<>=;|\\]\s*$|=>|::|\(\)/,
	/^\s*(?:import|from|const|let|var|def|class|return|function|public|private|export|SELECT|INSERT|#include)\s/,
	// Data: keys with values.
	/^\s*["'\w.-]+\s*[:=]\s*["'{[\d]/,
	// Differences.
	/^(?:diff --git|index [0-9a-f]{6}|[-+]{3} |@@ )/,
] as const;
/** The beginning and the end of a block of code in Markdown. */
const fence = /^\s*(?:`{3}|~{3})/;

/** A query without a log, code or data that was pasted with it, if anything else remains: the text to search for. */
export function withoutPastedText(query: string): string {
	const bounded =
		query.length <= maxQueryLength
			? query
			: `${query.slice(0, maxQueryLength / 2)}\n${query.slice(-maxQueryLength / 2)}`;
	const lines = bounded.split('\n').filter((line) => line.trim() !== '');
	if (lines.length < pastedLines) return bounded;
	let isFenced = false;
	const prose = lines.filter((line) => {
		const isFence = fence.test(line);
		if (isFence) isFenced = !isFenced;
		return !isFence && !isFenced && isProse(line);
	});
	return prose.length > 0 ? prose.join('\n') : bounded;
}

function isProse(line: string): boolean {
	const words = line.trim().split(/\s+/);
	if (words.length < proseWords || machineWritten.some((mark) => mark.test(line))) return false;
	return words.filter((word) => plainWord.test(word)).length >= plainShare * words.length;
}

/** Words of a sentence or clause that can be a request of its own. */
const minWords = 2;
/** Sentences, and clauses, that are searched one by one. */
const maxParts = 12;
const sentenceEnd = /(?<=[.!?;:])\s+|\n+/;
const clauseEnd = /,\s+(?:and\s+)?(?:then\s+)?|\s+(?:and\s+then|and\s+also|and|then|plus|also)\s+/i;

/** The parts of a query, which may ask for different things. If there is only one sentence, or one clause, its list is empty. */
export interface QueryParts {
	readonly sentences: readonly string[];
	readonly clauses: readonly string[];
}

export const noParts: QueryParts = { sentences: [], clauses: [] };

export function queryParts(query: string): QueryParts {
	const sentences = query.split(sentenceEnd);
	return {
		sentences: requestsOf(sentences),
		clauses: requestsOf(sentences.flatMap((sentence) => sentence.split(clauseEnd))),
	};
}

function requestsOf(texts: readonly string[]): readonly string[] {
	const requests = texts.map((text) => text.trim()).filter((text) => text.split(/\s+/).length >= minWords);
	return requests.length > 1 ? requests.slice(0, maxParts) : [];
}
