import { isRecord } from '../../common/json.ts';
import { type JsonSchema, membersOf, resolved, typesOf } from '../../common/jsonSchema.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** One parameter of a tool, or what an item of a list is. */
export interface Parameter {
	readonly name: string;
	readonly required: boolean;
	readonly description: string;
	/** JSON types; a string where the schema says nothing that can be read. */
	readonly types: readonly string[];
	readonly choices?: readonly unknown[];
	/** Type of an array's items. */
	readonly items?: readonly string[];
	/** Of an object, or of each object in an array; read when asked for, since a schema may contain itself. */
	readonly fields?: () => readonly Parameter[];
	/** From `const` or `default`; boxed, since `null` is a value. */
	readonly preset?: { readonly value: unknown };
}

/** Any other type is made up, and would be shown as it is. */
const jsonTypes: ReadonlySet<string> = new Set('string number integer boolean array object null'.split(' '));

/** The parameters of a tool, the required ones that have no schema included. Never throws, whatever the schema. */
export function parametersOf({ inputSchema }: Pick<ToolDefinition, 'inputSchema'>): readonly Parameter[] {
	return parametersIn(resolved(inputSchema, inputSchema), inputSchema);
}

function parametersIn(schema: JsonSchema, whole: JsonSchema): readonly Parameter[] {
	return membersOf(schema).map(({ name, schema: unresolved, required }) => {
		const own = resolved(unresolved, whole);
		const branches = [own.anyOf, own.oneOf, own.allOf].filter((branch) => Array.isArray(branch));
		const variants = [own, ...branches.flat().map((branch) => resolved(branch, whole))];
		const choices = variants.flatMap(({ enum: values }) => (Array.isArray(values) ? values : []));
		const list = variants.find(({ items }) => isRecord(items));
		const item = list && resolved(list.items, whole);
		const object = [...variants, ...(item ? [item] : [])].find(({ properties }) => isRecord(properties));
		const preset = ['const', 'default'].find((key) => Object.hasOwn(own, key));
		const types = [...new Set(variants.flatMap(typesOf))].filter((type) => jsonTypes.has(type));
		return {
			name,
			required,
			description: typeof own.description === 'string' ? own.description : '',
			types: types.length > 0 ? types : [object ? 'object' : 'string'],
			...(choices.length > 0 && { choices }),
			...(item && typesOf(item).length > 0 && { items: typesOf(item) }),
			...(object && { fields: () => parametersIn(object, whole) }),
			...(preset !== undefined && { preset: { value: own[preset] } }),
		};
	});
}

/** The text, without quotes, as a value that the parameter takes; `undefined` where it is none: nothing is rounded, cut or guessed. */
export function coerce(
	text: string,
	{ types, choices, items = ['string'] }: Pick<Parameter, 'types' | 'choices' | 'items'>,
): unknown {
	if (choices) return choices.find((one) => one === text) ?? choices.find((one) => isSaid(one, text));
	// A failed parse of each of thousands of words would take seconds.
	const isJson = /^(?:true|false|null|\s*[-[{\d].*)$/is.test(text);
	const value = isJson ? parseJson(/^[a-z]/i.test(text) ? text.toLowerCase() : text) : undefined;
	if (value !== undefined && typesOfValue(value).some((type) => types.includes(type))) return value;
	if (types.includes('string')) return text;
	if (!types.includes('array') || /^[[{]/.test(text)) return undefined;
	const parts = text.split(',').map((part) => coerce(part.trim(), { types: items }));
	return parts.includes(undefined) ? undefined : parts;
}

/** Whether a parameter takes several values. */
export function isList({ types }: Parameter): boolean {
	return !types.includes('string') && types.includes('array');
}

/** A number that a double cannot hold would arrive as another one, so it is none. */
function typesOfValue(value: unknown): readonly string[] {
	if (typeof value === 'number') {
		if (Number.isSafeInteger(value)) return ['integer', 'number'];
		return Number.isInteger(value) || !Number.isFinite(value) ? [] : ['number'];
	}
	if (Array.isArray(value)) return ['array'];
	return [value === null ? 'null' : typeof value];
}

/** Whether a text has the words of a choice, whatever their case and punctuation; `within`: among others. */
export function isSaid(choice: unknown, text: string, within = false): boolean {
	const words = tokenize(typeof choice === 'string' ? choice : JSON.stringify(choice)).join(' ');
	const said = tokenize(text).join(' ');
	return words !== '' && (within ? ` ${said} `.includes(` ${words} `) : said === words);
}

/** What a text of JSON says; `undefined` where it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
