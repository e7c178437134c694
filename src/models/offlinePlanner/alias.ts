import { compact, singular, wordsOf } from './words.ts';

/** What a value is for; labels of the prompt and names of parameters meet in it. */
export type Purpose =
	| 'content'
	| 'path'
	| 'url'
	| 'email'
	| 'query'
	| 'name'
	| 'target'
	| 'source'
	| 'old'
	| 'new'
	| 'first'
	| 'last'
	| 'date'
	| 'language'
	| 'place';

/** Names, run together and singular, of parameters and of labels that people write. */
const namesOfPurpose: Readonly<Record<Purpose, string>> = {
	content:
		'content text message body data note comment value input markdown html caption thought description observation',
	path: 'path file filename filepath directory dirname directorypath dir folder folderpath uri pathname repo repository cwd root',
	url: 'url uri link href website page address endpoint',
	email: 'email mail emailaddress recipient cc bcc address',
	query:
		'query q search searchquery pattern term keyword glob regex question topic filter grep sql statement expression jql',
	name: 'name title subject label summary heading filename',
	target: 'to destination dest target recipient output newpath outputpath into',
	source: 'from source src origin oldpath inputpath',
	old: 'old oldtext oldstring oldstr oldname find replace before original',
	new: 'new newtext newstring newstr newname replacement replacewith after',
	first: 'head first top limit maxcount maxresults max count n size pagesize perpage',
	last: 'tail last limit maxcount maxresults max count n',
	date: 'date time datetime day when since until start end deadline due duedate starttime endtime after before',
	language: 'language lang locale',
	place: 'city location place town country region address',
};

const allPurposes = Object.keys(namesOfPurpose) as Purpose[];
const purposesByName: ReadonlyMap<string, readonly Purpose[]> = invert();

/** Purposes of the words that are labels only, never names of parameters; the likeliest first. */
const purposesByLabel: ReadonlyMap<string, readonly Purpose[]> = new Map([
	['called', ['name', 'path', 'target']],
	['named', ['name', 'path', 'target']],
	['saying', ['content']],
	['says', ['content']],
	['containing', ['content', 'query']],
	['contains', ['content', 'query']],
	['to', ['target', 'email', 'path', 'new']],
	['into', ['target', 'path']],
	['onto', ['target', 'path']],
	['from', ['source', 'path', 'url', 'email']],
	['in', ['path', 'place', 'language']],
	['inside', ['path']],
	['under', ['path']],
	['at', ['path', 'url', 'place', 'date']],
	['on', ['path', 'date', 'place']],
	['of', ['path', 'url', 'name', 'query']],
	['for', ['query', 'name', 'path', 'url', 'place', 'email', 'date']],
	['matching', ['query']],
	['about', ['query', 'content', 'name']],
	['since', ['date']],
	['until', ['date']],
	['replace', ['old']],
	['by', ['new']],
	['with', ['new', 'content']],
	['as', ['name', 'target', 'path']],
]);

/** Labels that may lead a value without quotes: `with the text Hello`. */
export const labelWords: readonly string[] = [
	...`content contents text message body data note comment caption description path file filename filepath directory
	folder url link query pattern keyword regex title subject name label summary topic email recipient destination source`.split(
		/\s+/,
	),
];

const textLabels: ReadonlySet<string> = new Set(
	'content contents text message body note comment caption description thought saying says containing'.split(
		' ',
	),
);

/** What follows the label is free text, of any number of words. */
export function isTextLabel(label: string): boolean {
	return textLabels.has(compact(label));
}

/** What a label of the prompt can stand for, the likeliest first. */
export function purposesOfLabel(label: string): readonly Purpose[] {
	return purposesByLabel.get(label) ?? purposesByName.get(singular(label)) ?? [];
}

/**
 * What a parameter is for, by its name. The last word decides (`filePath` is a path), and for pairs such as `oldText`
 * and `newText`, `toPath` and `fromPath`, the first one too.
 */
export function purposesOfParameter(name: string): readonly Purpose[] {
	const words = wordsOf(name);
	const whole = purposesByName.get(singular(compact(name))) ?? [];
	const first = (purposesByName.get(words[0] ?? '') ?? []).filter((purpose) => pairedPurposes.has(purpose));
	const last = purposesByName.get(singular(words.at(-1) ?? '')) ?? [];
	return [...new Set([...whole, ...(words.length > 1 ? first : []), ...last])];
}

/** Purposes that a first word can give: `oldText`, `sourcePath`. */
const pairedPurposes: ReadonlySet<Purpose> = new Set<Purpose>(['old', 'new', 'target', 'source']);

function invert(): Map<string, Purpose[]> {
	const byName = new Map<string, Purpose[]>();
	for (const purpose of allPurposes) {
		for (const name of namesOfPurpose[purpose].split(' '))
			byName.set(name, [...(byName.get(name) ?? []), purpose]);
	}
	return byName;
}
