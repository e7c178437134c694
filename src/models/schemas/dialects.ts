import type { Provider } from '../../common/providers.ts';

/** The part of JSON Schema that a provider accepts in the parameters of a tool. */
export interface Dialect {
	/** Keywords that are sent. The others go into words in the description, or are expressed by these. */
	readonly keywords: ReadonlySet<string>;
	/** Values of `format` that are sent. */
	readonly formats: ReadonlySet<string>;
	/** Whether schemas follow OpenAPI 3.0; see `asOpenApi`. */
	readonly openApi?: true;
	/** Allowed names of arguments; absent: any. */
	readonly argumentNames?: RegExp;
}

const described = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'];
const annotated = [...described, 'title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

/**
 * What OpenAI and all servers with its protocol accept. Sources, as of 2026:
 * - top level: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level" (OpenAI);
 *   "object schema missing properties", "array schema missing items" (OpenAI); "'required' present but 'properties' is missing" (Groq)
 * - `anyOf` is known everywhere, `oneOf` and `allOf` are not (Gemini, OpenAI strict); next to `type` it is refused (Moonshot: "type should
 *   be defined in anyOf items instead of the parent schema"); `type` is asked for everywhere (Moonshot, Gemini)
 * - references: "$defs not found for reference" (Moonshot), "reference to undefined schema" (Gemini); at OpenAI they work
 * - `pattern`: "regex lookaround is not supported" (OpenAI); unanchored or with `\d` (llama.cpp, issues 26930 and 27580)
 * - `format`: those of OpenAI's Structured Outputs; `uri` is refused by the Codex backend
 * - `not`, `if`, …: "Unrecognized schema" (llama.cpp), "Cannot find field" (Gemini)
 */
const openai: Dialect = {
	keywords: new Set([
		...annotated,
		...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
		...['minLength', 'maxLength', 'pattern', 'format'],
		...['minItems', 'maxItems', 'uniqueItems', 'additionalProperties', 'minProperties', 'maxProperties'],
	]),
	formats: new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')),
};

/**
 * Anthropic accepts more ("It must match JSON Schema draft 2020-12"), but no unions at the top ("input_schema does not support oneOf, allOf,
 * or anyOf at the top level"), and only some names of arguments ("Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"). References
 * are refused in a part of its APIs.
 */
const anthropic: Dialect = { ...openai, argumentNames: /^[a-zA-Z0-9_.-]{1,64}$/ };

/**
 * Ollama parses parameters into a structure (`ToolFunctionParameters` and `ToolProperty` in its `api/types.go`): a member of another type
 * fails the request ("cannot unmarshal …"), one it does not know is lost on the way to the model, `$ref` among them, `default` and
 * `format` too. `additionalProperties` and `title` are lost as well, and no loss.
 */
const ollama: Dialect = {
	...openai,
	keywords: new Set([...described, 'title', 'additionalProperties']),
};

/**
 * Gemini's models, also behind its endpoint for OpenAI's protocol: https://ai.google.dev/api/caching#Schema. Refused are any other keyword
 * ("Unknown name "exclusiveMinimum": Cannot find field"), enumerations of anything but texts ("enum[0]: cannot be empty", "(TYPE_STRING), 0"),
 * lists of types, and arrays whose items have no type ("items: missing field").
 */
const gemini: Dialect = {
	keywords: new Set([
		...described,
		...['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'format'],
	]),
	formats: new Set(['date-time']),
	openApi: true,
};

/** What every known model accepts, for one that refused more. Bounds and patterns can make a grammar too large (llama.cpp). */
const plain: Dialect = {
	...gemini,
	keywords: new Set(described),
	argumentNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
};

/** A protocol, or a family of models with its own kind of JSON Schema. */
export type DialectName = Provider | 'gemini' | 'plain';

export const dialects: Readonly<Record<DialectName, Dialect>> = { openai, anthropic, ollama, gemini, plain };

/** Names of models, and the words with which their providers refuse schemas. Gateways pass both on. */
const families: readonly (readonly [DialectName, name: RegExp, refusal: RegExp])[] = [
	[
		'anthropic',
		/claude|(?<![a-z])(?:anthropic|sonnet|opus|haiku|fable)(?![a-z])/i,
		/\btools\.\d+\.(?:custom|input_schema)|input_schema|property keys should match/i,
	],
	[
		'gemini',
		/gemini/i,
		/function_?declarations?\b|generatecontentrequest|invalid_argument|cannot find field|schema type field/i,
	],
];

/** The dialect of a model: its family's, whatever the protocol, else the protocol's. */
export function dialectOf(provider: Provider, model: string): DialectName {
	// Ollama parses schemas itself.
	if (provider === 'ollama') return provider;
	return families.find(([, name]) => name.test(model))?.[0] ?? provider;
}

/** The dialect to try after a refusal of a schema. */
export function dialectAfter(refused: DialectName, says: (words: RegExp) => boolean): DialectName {
	const family = families.find(([, , refusal]) => says(refusal))?.[0];
	return family === undefined || family === refused || refused === 'plain' ? 'plain' : family;
}
