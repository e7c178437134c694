import { code } from '../../discovery/markdown.ts';
import { maxDescriptionChars } from './limits.ts';

/** A short text of unknown origin within a sentence, as code; cut if long. */
export function codeSpan(text: string): string {
	return code(text, maxDescriptionChars);
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[], last = 'and'): string {
	return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}
