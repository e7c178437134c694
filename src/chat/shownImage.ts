import type { ResultContent } from '../discovery/toolResult.ts';

/** Base64 characters of a picture that the chat shows and keeps in its history; about 1.5 MB. */
const longestShown = 2_000_000;
const imageType = /^image\/(png|jpeg|gif|webp)$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const shown = /!\[image\/\w+\]\(data:image\/\w+;base64,[A-Za-z0-9+/=]+\)/g;

/**
 * A picture as Markdown, with its data in the address: nothing is fetched. `undefined` for what is no picture of a known kind, or
 * too large.
 */
export function imageMarkdown(part: ResultContent): string | undefined {
	if (part.type !== 'image' || part.data.length > longestShown) return undefined;
	if (!imageType.test(part.mimeType) || !base64.test(part.data)) return undefined;
	return `![${part.mimeType}](data:${part.mimeType};base64,${part.data})`;
}

/** An answer without the pictures in it: to a model they would be megabytes of letters that say nothing. */
export function withoutImages(markdown: string): string {
	return markdown.replace(shown, '[image]');
}
