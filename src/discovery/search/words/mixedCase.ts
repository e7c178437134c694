import { fold } from './tokenizer.ts';

/** Letters and digits in which a word in CamelCase ends before the last of them, as `tokenize` sees it. */
const mixedCase =
	/[\p{L}\p{N}]*(?:[\p{Ll}\p{N}](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll})))[\p{L}\p{N}]*/gu;

/** Words in mixed case as one word each, which `tokenize` splits: `MySQL` gives `mysql`. */
export function mixedCaseWords(text: string): string[] {
	return text.match(mixedCase)?.map(fold) ?? [];
}
