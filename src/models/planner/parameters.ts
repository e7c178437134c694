import { isRecord } from '../../common/json.ts';
import { type JsonSchema, membersOf, resolved, typesOf } from '../../common/jsonSchema.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';

/** A parameter of a tool. */
export interface Parameter {
	readonly name: string;
	readonly required: boolean;
	readonly description: string;
	/** JSON types; `string` if the schema has no valid type. */
	readonly types: readonly string[];
	readonly choices?: readonly unknown[];
	/** Type of an array's items. */
	readonly items?: readonly string[];
	/** The fields of an object, or of each object in an array. Read on demand, because a schema may contain itself. */
	readonly fields?: () => readonly Parameter[];
	/** From `const` or `default`; wrapped, because `null` is a value. */
	readonly preset?: { readonly value: unknown };
}

/** Any other type would be shown to the user, although a server invented it. */
const jsonTypes: ReadonlySet<string> = new Set('string number integer boolean array object null'.split(' '));

/** The parameters of a tool, including required ones without a schema. Never throws. */
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

/** Converts a text to a value that the parameter accepts; `undefined` if that is impossible: nothing is rounded, cut or guessed. */
export function coerce(
	text: string,
	{ types, choices, items = ['string'] }: Pick<Parameter, 'types' | 'choices' | 'items'>,
): unknown {
	if (choices) return choices.find((one) => one === text) ?? choices.find((one) => isSaid(one, text));
	// Parsing each of thousands of words would take seconds.
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

/** A number that a double cannot represent would change, so it has no type. */
function typesOfValue(value: unknown): readonly string[] {
	if (typeof value === 'number') {
		if (Number.isSafeInteger(value)) return ['integer', 'number'];
		return Number.isInteger(value) || !Number.isFinite(value) ? [] : ['number'];
	}
	if (Array.isArray(value)) return ['array'];
	return [value === null ? 'null' : typeof value];
}

/** Whether a text consists of the words of a choice, ignoring case and punctuation; `within`: whether it contains them. */
export function isSaid(choice: unknown, text: string, within = false): boolean {
	const words = tokenize(typeof choice === 'string' ? choice : JSON.stringify(choice)).join(' ');
	const said = tokenize(text).join(' ');
	return words !== '' && (within ? ` ${said} `.includes(` ${words} `) : said === words);
}

/** The value of a JSON text; `undefined` if it is invalid. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
