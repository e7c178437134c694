import type { Provider } from '../../common/providers.ts';

/** What of JSON Schema a provider takes in the parameters of a tool. */
export interface Dialect {
	/** Keywords that are sent. What the others say is put into words in the description, or written with these. */
	readonly keywords: ReadonlySet<string>;
	/** Values of `format` that are sent; `undefined`: all. */
	readonly formats: ReadonlySet<string> | undefined;
	/** Whether only patterns without anything special are sent. */
	readonly plainPatterns: boolean;
	/** Largest `minLength`, `maxLength`, `minItems` and `maxItems` that are sent. */
	readonly repetitions: number;
	/** Whether each schema has to name its type, each array its items, and none but known names are required. */
	readonly explicit: boolean;
	/** Schemas within schemas, the outermost counted. */
	readonly depth: number;
	/** Values of all enumerations together. */
	readonly enumValues: number;
	/** Characters of an enumeration of more than {@link longEnum} values. */
	readonly longEnumCharacters: number;
	/** Whether schemas are those of OpenAPI 3.0; see `openApiRule`. */
	readonly openApi?: true;
	/** Names that the arguments of a tool may have; `undefined`: any. */
	readonly argumentNames: RegExp | undefined;
}

/** Values from which on an enumeration is a long one (OpenAI, Structured Outputs, "Limitations on enum size"). */
export const longEnum = 250;

const described = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'];
const annotated = [...described, 'title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
const bounded = [
	...annotated,
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
	...['minLength', 'maxLength', 'pattern', 'format'],
	...['minItems', 'maxItems', 'uniqueItems', 'additionalProperties', 'minProperties', 'maxProperties'],
];

/**
 * OpenAI itself, and every server that speaks its protocol: what all of them take. Sources, as of 2026:
 * - top level: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level" (OpenAI);
 *   "object schema missing properties", "array schema missing items" (OpenAI); "'required' present but 'properties' is missing" (Groq)
 * - `anyOf` is known everywhere, `oneOf` and `allOf` are not (Gemini, OpenAI strict); next to `type` it is refused (Moonshot: "type should
 *   be defined in anyOf items instead of the parent schema"); `type` is asked for everywhere (Moonshot, Gemini)
 * - references: "$defs not found for reference" (Moonshot), "reference to undefined schema" (Gemini); at OpenAI they work
 * - `pattern`: "regex lookaround is not supported" (OpenAI); unanchored or with `\d` (llama.cpp, issues 26930 and 27580)
 * - repetitions from 2,000 on: "failed to parse grammar" (llama.cpp, issue 25746)
 * - `format`: those of OpenAI's Structured Outputs; `uri` is refused by the Codex backend
 * - depth 10: "schema depth exceeds maximum limit of 10" (Moonshot); the limit of Structured Outputs
 * - `not`, `if`, …: "Unrecognized schema" (llama.cpp), "Cannot find field" (Gemini)
 * - enumerations: Structured Outputs; 1,000 values (also TensorRT-LLM)
 */
const openai: Dialect = {
	keywords: new Set(bounded),
	formats: new Set([
		...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
	]),
	plainPatterns: true,
	repetitions: 1_000,
	explicit: true,
	depth: 10,
	enumValues: 1_000,
	longEnumCharacters: 15_000,
	argumentNames: undefined,
};

/**
 * Anthropic: valid JSON Schema 2020-12 ("JSON schema is invalid. It must match JSON Schema draft 2020-12"), without unions at the top
 * ("input_schema does not support oneOf, allOf, or anyOf at the top level"), with "Property keys should match pattern
 * '^[a-zA-Z0-9_.-]{1,64}$'" for the arguments. References are refused in a part of its APIs. No limit of depth is known.
 */
const anthropic: Dialect = {
	keywords: new Set([
		...bounded,
		...['const', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
		...['patternProperties', 'propertyNames', 'prefixItems', 'contains', 'minContains', 'maxContains'],
		...['unevaluatedItems', 'unevaluatedProperties', 'contentEncoding', 'contentMediaType'],
	]),
	formats: undefined,
	plainPatterns: false,
	repetitions: Number.POSITIVE_INFINITY,
	explicit: false,
	depth: 24,
	enumValues: 5_000,
	longEnumCharacters: 50_000,
	argumentNames: /^[a-zA-Z0-9_.-]{1,64}$/,
};

/**
 * Ollama parses parameters into a structure (`ToolFunctionParameters` and `ToolProperty` in its `api/types.go`): a member of another type
 * fails the request ("cannot unmarshal …"), one it does not know is lost on the way to the model, `$ref` among them, `default` and
 * `format` too. `additionalProperties` and `title` are lost as well, and no loss.
 */
const ollama: Dialect = {
	keywords: new Set([...described, 'title', 'additionalProperties']),
	formats: undefined,
	plainPatterns: false,
	repetitions: Number.POSITIVE_INFINITY,
	explicit: true,
	depth: 24,
	enumValues: 1_000,
	longEnumCharacters: 15_000,
	argumentNames: undefined,
};

/**
 * Gemini's models, also behind its endpoint for OpenAI's protocol: https://ai.google.dev/api/caching#Schema. Any other keyword is refused
 * ("Unknown name "exclusiveMinimum": Cannot find field"), and so is an enumeration of anything but texts ("enum[0]: cannot be empty",
 * "(TYPE_STRING), 0"), a list of types, and an array whose items have no type ("items: missing field").
 */
const gemini: Dialect = {
	...openai,
	keywords: new Set([
		...described,
		'minimum',
		'maximum',
		'minItems',
		'maxItems',
		'minLength',
		'maxLength',
		'pattern',
		'format',
	]),
	formats: new Set(['date-time']),
	openApi: true,
};

/** Whose JSON Schema it is: a provider's, or that of a family of models which has one of its own. */
export type DialectName = Provider | 'gemini';

/** Each JSON Schema. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { openai, anthropic, ollama, gemini };
