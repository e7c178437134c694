/** Lower-case words of a text or an identifier; camelCase, snake_case, hyphens and punctuation all separate. */
export function wordsOf(text: string): string[] {
	const spaced = text
		.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
		.replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
		.toLowerCase();
	return spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of an identifier run together, so that `file_path`, `filePath` and `File-Path` are one. */
export function compact(identifier: string): string {
	return wordsOf(identifier).join('');
}

/** Singular of a plain English plural; anything else as it is. */
export function singular(word: string): string {
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
	return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Words that carry meaning for a search: neither grammar nor politeness. */
export function contentWords(text: string): string[] {
	// A lone letter is what an apostrophe leaves ("what's").
	return wordsOf(text).filter((word) => !stopWords.has(word) && !/^[a-z]$/.test(word));
}

/** Grammar, politeness and the words around a request that say nothing of what is wanted. */
export const stopWords: ReadonlySet<string> = new Set(
	`a an the this that these those some any my your our its his her their it me you i we us he she they
	and or but not if so as at by for from in into of off on onto out over to under inside up with within without via
	is are was were be been being am do does did has have had can could will would shall should may might must
	what which who whom whose when where why how whats
	called named saying says titled following
	please kindly just now then first also too very there here thanks thank ok okay
	want wanna need like let lets help using use tool tools server mcp new`
		.split(/\s+/)
		.filter(Boolean),
);

/** Verbs that a request begins with. They mark a new request, and they are not part of a value ("echo **hello**"). */
export const actionVerbs: ReadonlySet<string> = new Set(
	`add append archive assign build calculate call cancel change check clear clone close commit compare compress compute
	convert copy count create deactivate delete deploy describe diff display download echo edit email enable disable
	execute explain export extract fetch find generate get give import insert install invoke kill launch list load log
	look make merge mkdir modify move open ping post print publish pull push put query read reboot remember remove rename
	replace reply report reset restart return rm run save say schedule search send set show start stash stop store
	subscribe sum summarize switch sync tag tell toggle translate trigger uninstall update upload use view wait write`
		.split(/\s+/)
		.filter(Boolean),
);
