/** Where a text is localised, with the text where it is a plain literal. */
const CALL = /\bl10n\.t\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")?/g;

function unescaped(literal: string): string {
	return literal.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}

/** The texts that a source file localises. Throws for one that is no plain literal: nobody could translate it. */
export function codeTexts(file: string, source: string): string[] {
	return [...source.matchAll(CALL)].map(([, single, double]) => {
		const literal = single ?? double;
		if (literal === undefined)
			throw new Error(`${file}: l10n.t() is called with something else than one text.`);
		return unescaped(literal);
	});
}
