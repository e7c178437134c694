/** Punctuation, arrows, boxes and emoji, but no character that is or stands for a letter or digit (`①`, `™`, `²`). */
export const symbols =
	/[\u2000-\u206f\u2190-\u245f\u2500-\u2bff\u3000-\u3003\u3008-\u3020]|\ufe0f|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** Whether `tokenize` would find a word. A module of its own, because code that runs at startup needs only this. */
export function hasWords(text: string): boolean {
	return /[\p{L}\p{N}]/u.test(text.replace(symbols, ' ').normalize('NFKD'));
}
