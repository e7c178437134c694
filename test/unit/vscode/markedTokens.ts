import { Marked, type Token } from 'marked';

/** Kinds of tokens that load something, lead somewhere, or are markup of the text's own. */
const active = new Set(['link', 'image', 'html', 'tag', 'def', 'checkbox']);

/**
 * What of a Markdown text could fetch, run or lead somewhere, as the parser reads it that VS Code uses: links of all forms, images, HTML,
 * definitions of references. Empty: it is text and code only.
 */
export function activeTokens(markdown: string): string[] {
	const found: string[] = [];
	const marked = new Marked({ gfm: true });
	marked.walkTokens(marked.lexer(markdown), (token: Token) => {
		if (active.has(token.type)) found.push(`${token.type} ${token.raw}`.slice(0, 200));
	});
	return found;
}
