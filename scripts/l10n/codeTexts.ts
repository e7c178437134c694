/** A place where a text is localized, with the text if it is a plain literal. */
const CALL = /\bl10n\.t\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")?/g;

function unescaped(literal: string): string {
	return literal.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}

/** The texts that a source file localizes. Throws for a text that is not a plain literal, because it could not be translated. */
export function codeTexts(file: string, source: string): string[] {
	return [...source.matchAll(CALL)].map(([, single, double]) => {
		const literal = single ?? double;
		if (literal === undefined) throw new Error(`${file}: l10n.t() needs a plain text literal.`);
		return unescaped(literal);
	});
}
