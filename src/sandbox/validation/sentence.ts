/** Characters of a value that a sentence shows. */
const shownCharacters = 60;
/** Entries of a list that a sentence shows. */
const shownEntries = 12;

/** A keyword's own value, and the value that does not satisfy it. */
export interface Unmet {
	readonly limit: unknown;
	readonly actual: unknown;
}

type Sentence = (limit: unknown, actual: unknown) => string;

const sentences: Readonly<Record<string, Sentence>> = {
	type: (limit, actual) =>
		`expected ${list([...new Set(entries(limit).map(String))], 'or')}, not ${kindOf(actual, limit)}`,
	const: (limit) => `expected ${shown(limit)}`,
	enum: (limit) => `expected ${list(entries(limit).map(shown), 'or')}`,
	required: (limit, actual) => {
		const missing = entries(limit).filter((name) => !Object.hasOwn(Object(actual), String(name)));
		return `${list(missing.map(shown), 'and')} ${missing.length === 1 ? 'is' : 'are'} missing`;
	},
	minimum: (limit) => `must be at least ${shown(limit)}`,
	maximum: (limit) => `must be at most ${shown(limit)}`,
	exclusiveMinimum: (limit) => `must be more than ${shown(limit)}`,
	exclusiveMaximum: (limit) => `must be less than ${shown(limit)}`,
	multipleOf: (limit) => `must be a multiple of ${shown(limit)}`,
	minLength: (limit) => `needs at least ${shown(limit)} characters`,
	maxLength: (limit) => `may have at most ${shown(limit)} characters`,
	pattern: (limit) => `must match the pattern ${shown(limit)}`,
	format: (limit) => `must be of the format ${shown(limit)}`,
	minItems: (limit) => `needs at least ${shown(limit)} items`,
	maxItems: (limit) => `may have at most ${shown(limit)} items`,
	uniqueItems: () => 'holds the same item twice',
	contains: () => 'needs an item of the kind that "contains" describes',
	minProperties: (limit) => `needs at least ${shown(limit)} properties`,
	maxProperties: (limit) => `may have at most ${shown(limit)} properties`,
	propertyNames: () => 'has a property whose name is not allowed',
	not: () => 'has a form that is not allowed here',
};

/** What is wrong, as a clause; the empty text for keywords of which nothing better is known than what the library says. */
export function sentence(keyword: string, { limit, actual }: Unmet): string {
	return Object.hasOwn(sentences, keyword) ? (sentences[keyword]?.(limit, actual) ?? '') : '';
}

/** A value of JSON on one line, cut where it is long. */
export function shown(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** `a, b or c`. */
export function list(texts: readonly string[], joint: 'and' | 'or'): string {
	if (texts.length > shownEntries) return `${texts.slice(0, shownEntries).join(', ')}, …`;
	return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} ${joint} ${texts.at(-1)}`;
}

function entries(limit: unknown): readonly unknown[] {
	return Array.isArray(limit) ? limit : [limit];
}

function kindOf(value: unknown, wanted: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return typeof value === 'number' && entries(wanted).includes('integer') ? shown(value) : typeof value;
}
