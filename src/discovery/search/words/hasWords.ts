/** Punctuation, arrows, boxes and emoji: nothing that is a letter or digit, or stands for one (`①`, `™`, `²`). */
export const symbols =
	/[\u2000-\u206f\u2190-\u245f\u2500-\u2bff\u3000-\u3003\u3008-\u3020]|\ufe0f|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** Whether `tokenize` finds any word in a text. In a module of its own, for what is read at each start needs no more. */
export function hasWords(text: string): boolean {
	return /[\p{L}\p{N}]/u.test(text.replace(symbols, ' ').normalize('NFKD'));
}
