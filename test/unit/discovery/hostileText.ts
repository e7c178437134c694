/** What servers write to be more than text: links, images, commands, HTML, code that ends early. */
export const hostileTexts: readonly string[] = [
	'[click](command:workbench.action.terminal.new)',
	'![track](https://evil.example/pixel.png)',
	'<img src=x onerror=alert(1)><script>alert(1)</script>',
	'<https://evil.example>',
	'https://evil.example/path www.evil.example mail@evil.example',
	'command:workbench.action.quit',
	'`code` ```\n[x](command:y)\n``` ~~~',
	'**bold** _it_ ~~gone~~ $(zap) $x$ &lt;b&gt;',
	'a\n\n# Heading\n\n[x]: command:y\n\n- [x]',
	'\\[x\\](command:y) \\',
	'| a | b |\n|---|---|\n| [x](command:y) | |',
	'`',
	'``',
	'` `` ```',
	'',
	'\u202e[x](command:y)\u200b',
];

/**
 * What a Markdown text holds besides plain text and code: an independent reading by the rules of CommonMark (code spans and
 * fences first, then backslash escapes), of whatever could become a link, an image, HTML, emphasis or an entity.
 */
export function activeMarkup(markdown: string): string[] {
	const outside = withoutCode(markdown).replace(/\\[!-/:-@[-`{-~]/g, '');
	return outside.match(/[[\]<>*_`~$&!|]|:\/\/|www\.|command:|javascript:|^\s*#|\w@\w+\./gm) ?? [];
}

function withoutCode(markdown: string): string {
	return withoutFences(markdown).replace(/(?<![\\`])(`+)(?!`)(?:.*?[^`])??\1(?!`)/gs, '');
}

/** A fence ends at a line of at least as many backticks, or with the text. */
function withoutFences(markdown: string): string {
	const outside: string[] = [];
	let fence: string | undefined;
	for (const line of markdown.split('\n')) {
		const [, ticks] = /^ {0,3}(`{3,})[^`]*$/.exec(line) ?? [];
		if (fence !== undefined) {
			if (ticks && ticks.length >= fence.length && line.trim() === ticks) fence = undefined;
		} else if (ticks) fence = ticks;
		else outside.push(line);
	}
	return outside.join('\n');
}
