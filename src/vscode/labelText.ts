import { folded, visible } from '../discovery/text.ts';

/** Somebody else's text on one line of a label: shown as it is. `$(name)` would be drawn as an icon; parted, it is text. */
export function labelText(text: string, limit: number): string {
	return folded(visible(text), limit).replaceAll('$(', '$\u200b(');
}
