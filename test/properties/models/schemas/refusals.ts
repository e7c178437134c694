import type { JsonSchema } from '../../../../src/common/jsonSchema.ts';
import type { ToolDefinition } from '../../../../src/discovery/catalog/tool.ts';
import type { DialectName } from '../../../../src/models/schemas/dialects.ts';

type Refuse = (path: string, words: string) => void;

/** Why a provider would answer 400 to a request with this tool, as far as its rules are published or reported; empty: it would not. */
export function refusals(
	{ inputSchema, description }: ToolDefinition,
	provider: DialectName,
): readonly string[] {
	const found: string[] = [];
	const refuse: Refuse = (path, words) => found.push(`${path}: ${words}`);
	if (typeof description !== 'string') refuse('description', 'not a string');
	const overTheWire: JsonSchema = JSON.parse(JSON.stringify(inputSchema));
	checkTop(overTheWire, provider, refuse);
	checkSchema(overTheWire, provider, '#', 1, refuse);
	if (enumValues(overTheWire) > 1000) refuse('#', 'more than 1000 enum values');
	return found;
}

function checkTop(schema: JsonSchema, provider: DialectName, refuse: Refuse): void {
	if (schema.type !== 'object') refuse('#', `type ${JSON.stringify(schema.type)}`);
	if (!isObject(schema.properties)) refuse('#', 'object schema missing properties');
	for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const']) {
		if (keyword in schema) refuse('#', `${keyword} at the top level`);
	}
	if (provider !== 'anthropic') return;
	for (const name of Object.keys(Object(schema.properties))) {
		if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) refuse('#', `property key ${JSON.stringify(name)}`);
	}
}

function checkSchema(
	schema: JsonSchema,
	provider: DialectName,
	path: string,
	depth: number,
	refuse: Refuse,
): void {
	if (!areTypes(schema.type)) refuse(path, `type ${JSON.stringify(schema.type)}`);
	for (const [keyword, value] of Object.entries(schema)) {
		if (!hasItsForm(keyword, value)) refuse(path, `${keyword} is ${JSON.stringify(value)}`);
	}
	checkOpenAi(schema, path, depth, refuse);
	if (provider === 'ollama') checkOllama(schema, path, refuse);
	if (provider === 'gemini') checkGemini(schema, path, refuse);
	for (const [name, child] of childrenOf(schema)) {
		if (isObject(child)) checkSchema(child, provider, `${path}/${name}`, depth + 1, refuse);
		else if (typeof child !== 'boolean') refuse(`${path}/${name}`, 'neither an object nor a boolean');
	}
}

/** What OpenAI and those who speak its protocol refuse beyond what is no JSON Schema; the others are not sent it, either. */
function checkOpenAi(schema: JsonSchema, path: string, depth: number, refuse: Refuse): void {
	const { properties, required, type, pattern } = schema;
	if (depth > 10 && Object.keys(schema).length > 0) refuse(path, 'deeper than 10');
	if ([type].flat().includes('array') && !isObject(schema.items)) refuse(path, 'array schema missing items');
	for (const name of Array.isArray(required) ? required : []) {
		if (!isObject(properties) || !Object.hasOwn(properties, name))
			refuse(path, `required ${name} is unknown`);
	}
	if ('anyOf' in schema && 'type' in schema) refuse(path, 'type beside anyOf');
	if (typeof pattern === 'string' && /\(\?[=!<]|\\/.test(pattern)) refuse(path, `pattern ${pattern}`);
	if (typeof pattern === 'string' && !/^\^.*\$$/s.test(pattern)) refuse(path, 'pattern without anchors');
	for (const keyword of [
		'$ref',
		'oneOf',
		'allOf',
		'not',
		'if',
		'const',
		'prefixItems',
		'patternProperties',
	]) {
		if (keyword in schema) refuse(path, `${keyword} is not known everywhere`);
	}
	for (const keyword of ['maxLength', 'minLength', 'maxItems', 'minItems']) {
		if (Number(schema[keyword]) >= 2000) refuse(path, `${keyword} is too large for a grammar`);
	}
}

/** What Ollama cannot parse into the types of its `api/types.go`, and what it would lose. */
function checkOllama(schema: JsonSchema, path: string, refuse: Refuse): void {
	for (const child of Object.values(Object(schema.properties))) {
		if (!isObject(child)) refuse(path, 'cannot unmarshal into api.ToolProperty');
	}
	for (const child of Array.isArray(schema.anyOf) ? schema.anyOf : []) {
		if (!isObject(child)) refuse(path, 'cannot unmarshal into api.ToolProperty');
	}
	for (const keyword of ['$ref', 'oneOf', 'allOf', 'const', 'prefixItems', 'default', 'minimum', 'format']) {
		if (keyword in schema) refuse(path, `${keyword} is lost`);
	}
}

/** https://ai.google.dev/api/caching#Schema */
const geminiKeywords = new Set(
	'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf default items minimum maximum'.split(
		' ',
	),
);

function checkGemini(schema: JsonSchema, path: string, refuse: Refuse): void {
	for (const keyword of Object.keys(schema)) {
		if (!geminiKeywords.has(keyword)) refuse(path, `Unknown name "${keyword}": Cannot find field`);
	}
	const { type, anyOf, enum: values } = schema;
	if (typeof type !== 'string' && (type !== undefined || !Array.isArray(anyOf))) refuse(path, 'no type');
	if (Array.isArray(values) && !values.every((value) => isString(value) && value !== ''))
		refuse(path, 'enum: cannot be empty');
}

/** The meta-schema of JSON Schema 2020-12, for the keywords that are ever sent. */
function hasItsForm(keyword: string, value: unknown): boolean {
	if (/^(title|description|format|content\w+)$/.test(keyword)) return typeof value === 'string';
	if (keyword === 'pattern') return typeof value === 'string' && compiles(value);
	if (/^(minimum|maximum|exclusiveM\w+|multipleOf)$/.test(keyword)) return typeof value === 'number';
	if (/^(min|max)(Length|Items|Properties|Contains)$/.test(keyword))
		return Number(value) >= 0 && Number.isInteger(value);
	if (/^(uniqueItems|deprecated|readOnly|writeOnly|nullable)$/.test(keyword))
		return typeof value === 'boolean';
	if (keyword === 'enum') return Array.isArray(value) && value.length > 0 && isUnique(value);
	if (keyword === 'required') return Array.isArray(value) && value.every(isString) && isUnique(value);
	if (/^(properties|patternProperties|dependent\w+)$/.test(keyword)) return isObject(value);
	if (/^(anyOf|oneOf|allOf|prefixItems)$/.test(keyword)) return Array.isArray(value) && value.length > 0;
	return /^(type|items|not|if|then|else|const|default|examples|additionalProperties|propertyNames|contains|unevaluated\w+)$/.test(
		keyword,
	);
}

function childrenOf(schema: JsonSchema): readonly (readonly [string, unknown])[] {
	const maps = ['properties', 'patternProperties', 'dependentSchemas'].flatMap((keyword) =>
		Object.entries(Object(schema[keyword])),
	);
	const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((keyword) =>
		Object.entries(Object(schema[keyword])),
	);
	const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']
		.filter((keyword) => keyword in schema)
		.map((keyword) => [keyword, schema[keyword]] as const);
	return [...maps, ...lists, ...single];
}

function areTypes(type: unknown): boolean {
	const known = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
	if (type === undefined || typeof type === 'string') return type === undefined || known.includes(type);
	return (
		Array.isArray(type) && type.length > 0 && type.every((name) => known.includes(name)) && isUnique(type)
	);
}

function enumValues(schema: unknown): number {
	if (typeof schema !== 'object' || schema === null) return 0;
	const own = 'enum' in schema && Array.isArray(schema.enum) ? schema.enum.length : 0;
	return Object.values(schema).reduce<number>((sum, child) => sum + enumValues(child), own);
}

function isObject(value: unknown): value is JsonSchema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
	return typeof value === 'string';
}

function isUnique(values: readonly unknown[]): boolean {
	return new Set(values.map((value) => JSON.stringify(value))).size === values.length;
}

function compiles(pattern: string): boolean {
	try {
		new RegExp(pattern);
		return true;
	} catch {
		return false;
	}
}
