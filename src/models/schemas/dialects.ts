import type { Provider } from '../../common/providers.ts';

/** The part of JSON Schema that a provider accepts in the parameters of a tool. */
export interface Dialect {
	/** Keywords that are sent. The others go into words in the description, or are expressed by these. */
	readonly keywords: ReadonlySet<string>;
	/** Values of `format` that are sent; `undefined` for all. */
	readonly formats: ReadonlySet<string> | undefined;
	/** Whether only simple patterns are sent. */
	readonly plainPatterns: boolean;
	/** Largest `minLength`, `maxLength`, `minItems` and `maxItems` that are sent. */
	readonly repetitions: number;
	/** Whether each schema must have a type, each array its items, and `required` only known names. */
	readonly explicit: boolean;
	/** Levels of nested schemas, including the outermost. */
	readonly depth: number;
	/** Total values of all enumerations. */
	readonly enumValues: number;
	/** Characters of an enumeration of more than {@link longEnum} values. */
	readonly longEnumCharacters: number;
	/** Whether schemas follow OpenAPI 3.0; see `openApiRule`. */
	readonly openApi?: true;
	/** Allowed names of arguments; `undefined` for any. */
	readonly argumentNames: RegExp | undefined;
}

/** An enumeration with more values is a long one (OpenAI, Structured Outputs, "Limitations on enum size"). */
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
 * What OpenAI and all servers with its protocol accept. Sources, as of 2026:
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
 * Gemini's models, also behind its endpoint for OpenAI's protocol: https://ai.google.dev/api/caching#Schema. Refused are any other keyword
 * ("Unknown name "exclusiveMinimum": Cannot find field"), enumerations of anything but texts ("enum[0]: cannot be empty", "(TYPE_STRING), 0"),
 * lists of types, and arrays whose items have no type ("items: missing field").
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

/** A provider, or a family of models with its own kind of JSON Schema. */
export type DialectName = Provider | 'gemini';

export const dialects: Readonly<Record<DialectName, Dialect>> = { openai, anthropic, ollama, gemini };
