import {
	alternativesOf,
	type JsonSchema,
	type Member,
	membersOf,
	resolved,
	typesOf,
} from '../../common/jsonSchema.ts';
import { cleanText, cut, firstSentence, nameLimit, oneLine } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { isUncertain, type OutcomeHit } from './findTools.ts';

/** Parameters, type alternatives and nesting levels shown; the schema has everything. */
const shownParameters = 40;
const shownAlternatives = 8;
const shownDepth = 4;

/** The words of a list of parameters, in the reader's language. Types are those of JSON Schema. */
interface ParameterWords {
	readonly required: (type: string) => string;
	readonly none: string;
	/** Behind a list that does not have all of them. */
	readonly more: (count: number) => string;
}

/** For models. */
const english: ParameterWords = {
	required: (type) => `${type}, required`,
	none: 'none',
	more: (count) => `... and ${count} more`,
};

/** `a (string, required), b (string)`: a tool's parameters. */
export function parameterList(schema: JsonSchema, words = english): string {
	const all = membersOf(resolved(schema, schema));
	return parametersText(schema, all, shownParameters, all.length, words);
}

/** The required parameters, at most `limit`, and the number of others. */
function requiredParameters(schema: JsonSchema, limit: number): string {
	const all = membersOf(resolved(schema, schema));
	const required = all.filter((member) => member.required);
	return parametersText(schema, required, limit, all.length);
}

function parametersText(
	whole: JsonSchema,
	members: readonly Member[],
	limit: number,
	count: number,
	words = english,
): string {
	const parts = members.slice(0, limit).map(({ name, schema, required }) => {
		const type = typeName(schema, whole, shownDepth);
		return `${oneLine(name, 80)} (${required ? words.required(type) : type})`;
	});
	const rest = count - parts.length;
	if (rest === 0) return parts.join(', ') || words.none;
	return parts.length === 0 ? `${rest} optional` : [...parts, words.more(rest)].join(', ');
}

/** Schemas may be nested without end: below `depth` levels a type is `any`. */
function typeName(schema: unknown, whole: JsonSchema, depth: number): string {
	if (depth === 0) return 'any';
	const own = resolved(schema, whole);
	const [type, ...others] = typesOf(own);
	if (others.length > 0) return union(typesOf(own).map((one) => oneLine(one, 40)));
	if (type === 'array' && own.items !== undefined) return arrayOf(typeName(own.items, whole, depth - 1));
	if (type !== undefined) return oneLine(type, 40);
	const alternatives = alternativesOf(own).slice(0, shownAlternatives);
	if (alternatives.length > 0) return union(alternatives.map((one) => typeName(one, whole, depth - 1)));
	const { enum: values } = own;
	return Array.isArray(values)
		? union(values.slice(0, shownAlternatives).map((value) => typeof value))
		: 'any';
}

function arrayOf(type: string): string {
	return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
}

function union(types: readonly string[]): string {
	return [...new Set(types)].slice(0, shownAlternatives).join(' | ') || 'any';
}

/** Levels of detail of an entry, from most to least. The loaded schema has everything. */
export const details = ['whole', 'sentence', 'required', 'brief', 'least'] as const;
export type Detail = (typeof details)[number];

/** Characters of a description at the highest level. */
const descriptionLimit = 300;
/** Letters of its first sentence at the other levels. */
const sentenceLetters = { sentence: 120, required: 120, brief: 60, least: 40 };
/** Required parameters listed at the levels that only count the others. */
const requiredTold = { required: 20, brief: 2, least: 1 };

/** A character of a script such as Chinese says, and costs, as much as this many letters. */
const lettersPerSign = 3;
const firstSign = 0x2e80;

/** Words and characters of the description on the line of a tool that is not loaded. */
const lineWords = 10;
const lineLimit = 90;

/** A found tool, on several lines. */
export function toolEntry(hit: OutcomeHit, detail: Detail): string {
	return [toolHead(hit, detail), `  Parameters: ${parameters(hit.tool, detail)}`].join('\n');
}

/** Characters of a schema in a result; of a larger one only the parameters are listed. */
const schemaLimit = 40_000;

/** A found tool with its whole input schema. */
export function schemaEntry(hit: OutcomeHit): string {
	return [toolHead(hit, 'whole'), `  Input schema: ${schemaText(hit.tool)}`].join('\n');
}

/** A tool's input schema for a model: as a line of JSON, or as a list of parameters if it is very large. */
export function schemaText({ inputSchema }: Pick<CatalogTool, 'inputSchema'>): string {
	const schema = JSON.stringify(inputSchema);
	return schema.length <= schemaLimit ? cleanText(schema) : parameterList(inputSchema);
}

function toolHead({ tool, state, ...hit }: OutcomeHit, detail: Detail): string {
	const marks = [
		...(state === 'already-loaded' ? [' [Already loaded]'] : []),
		...(isUncertain(hit) ? [' [uncertain]'] : []),
	];
	return [
		`- ${oneLine(tool.id, nameLimit)} (${tool.wireName})${marks.join('')}`,
		...description(tool, detail).map((line) => `  ${line}`),
	].join('\n');
}

/** A tool that is only named: its wire name and the first words of its description. */
export function nameLine(tool: CatalogTool, most = lineWords): string {
	const words = oneLine(tool.description ?? tool.title ?? '').split(' ');
	const text = shortened(
		most === 0 ? '' : words.slice(0, most).join(' ') + (words.length > most ? '...' : ''),
		lineLimit,
	);
	// Indented: a line that starts with a hyphen is a tool that was found.
	return `  ${tool.wireName}${text && `: ${text}`}`;
}

function description(tool: CatalogTool, detail: Detail): string[] {
	const text = tool.description ?? tool.title ?? '';
	if (detail === 'whole') {
		const lines = cut(cleanText(text).trim(), descriptionLimit).split(/[\n\r\u2028\u2029]/);
		return lines.map((line) => line.trim()).filter(Boolean);
	}
	const line = shortened(firstSentence(text), sentenceLetters[detail]);
	return line ? [line] : [];
}

/** Cuts a line to this many letters, or the equivalent in other scripts. */
function shortened(line: string, letters: number): string {
	let width = 0;
	const end = [...line.slice(0, letters)].findIndex((character) => {
		width += (character.codePointAt(0) ?? 0) < firstSign ? 1 : lettersPerSign;
		return width > letters;
	});
	return cut(line, end < 0 ? letters : end);
}

function parameters({ inputSchema }: CatalogTool, detail: Detail): string {
	return detail === 'whole' || detail === 'sentence'
		? parameterList(inputSchema)
		: requiredParameters(inputSchema, requiredTold[detail]);
}

/** Tells the model which tools were evicted. */
export function unloadedToMakeRoom(wireNames: readonly string[]): string {
	return `Unloaded to make room: ${wireNames.join(', ')}`;
}
