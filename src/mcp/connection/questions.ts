import { assertNever } from '../../common/assertNever.ts';
import { isRecord, type JsonRecord } from '../../common/json.ts';
import { resolved } from '../../common/jsonSchema.ts';
import type { Redactor } from '../../common/secrets/redactor.ts';
import { nameVerdict } from '../../common/secrets/secretVerdict.ts';
import { cut, visible } from '../../common/text.ts';

/**
 * Questions that a server asks the user during a call (elicitation), as a form or by opening an address. In the older protocol they are a
 * request by the server, in the newer one a result that asks for input; here both are the same.
 */

/** Fields of a form. More are a mistake, or meant to wear the reader out. */
const maxFields = 100;
/** Options of one field. */
const maxOptions = 1_000;
/** Longest texts, in characters: of the question, of a label, of an address. */
const maxMessageCharacters = 4_000;
const maxLabelCharacters = 300;
const maxAddressCharacters = 4_096;
/** Longest pattern to check answers with. The server checks longer ones itself. */
const maxPatternCharacters = 500;

/** `value` goes to the server, `title` is shown. */
export interface QuestionOption {
	readonly value: string;
	readonly title: string;
}

/** How a field is asked for, and what a valid answer is. */
export type QuestionInput =
	| {
			readonly kind: 'text';
			readonly format?: 'email' | 'uri' | 'date' | 'date-time';
			readonly minLength?: number;
			readonly maxLength?: number;
			/** A regular expression from the server. It may never terminate, so evaluate it where it cannot block. */
			readonly pattern?: string;
	  }
	| {
			readonly kind: 'number';
			readonly isInteger: boolean;
			readonly minimum?: number;
			readonly maximum?: number;
	  }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'choice'; readonly options: readonly QuestionOption[] }
	| {
			readonly kind: 'choices';
			readonly options: readonly QuestionOption[];
			readonly minItems?: number;
			readonly maxItems?: number;
	  };

export type QuestionValue = string | number | boolean | readonly string[];

/** One field of a form. Its texts come from the server, without invisible characters, cut to limits; never treat them as markup. */
export interface QuestionField {
	/** The server's name for it. */
	readonly name: string;
	readonly title: string;
	/** Empty if the server gives none. */
	readonly description: string;
	readonly required: boolean;
	readonly input: QuestionInput;
	/** Sent if the answer has no value for the field. */
	readonly default?: QuestionValue;
	/** It seems to ask for a password or a key, which the protocol forbids: do not show or remember the answer. */
	readonly isSecret: boolean;
}

export type Question =
	| { readonly kind: 'form'; readonly message: string; readonly fields: readonly QuestionField[] }
	/** `url`: http or https. It is opened only if the user agrees. */
	| { readonly kind: 'address'; readonly message: string; readonly url: string };

/** Answered, declined, or dismissed. For an address, `accept` means that it was opened. */
export type QuestionAnswer =
	/** `null`: left empty on purpose, although there is a default. */
	| { readonly action: 'accept'; readonly content?: Readonly<Record<string, QuestionValue | null>> }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' };

export interface AskedQuestion {
	readonly server: string;
	/** The call it belongs to, at the beginning of a sentence: `Tool "add"`. */
	readonly call: string;
	/** The agent that makes the call; absent: the user, or the chat's own model. */
	readonly agent?: string | undefined;
	readonly question: Question;
}

/** Asks the user. The signal aborts when the answer is no longer needed: the call is over, or the server has withdrawn the question. */
export type AskUser = (asked: AskedQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;

/** Reads a question; a string says why it is not asked, as a clause. */
export function readQuestion(params: unknown, redactor: Redactor): Question | string {
	if (!isRecord(params)) return 'it has no parameters';
	const label = (value: unknown, limit = maxLabelCharacters) =>
		typeof value === 'string'
			? cut(visible(redactor.hideKnown(value.slice(0, 10 * limit))).trim(), limit)
			: '';
	const message = label(params.message, maxMessageCharacters);
	if (params.mode === 'url') {
		const url = typeof params.url === 'string' ? URL.parse(params.url) : null;
		if (!url || !['https:', 'http:'].includes(url.protocol)) return 'its URL is not http or https';
		if (url.username !== '' || url.password !== '') return 'its URL contains credentials';
		return url.href.length > maxAddressCharacters
			? 'its URL is too long'
			: { kind: 'address', message, url: url.href };
	}
	if ((params.mode ?? 'form') !== 'form') return 'its kind is not supported';
	const form = isRecord(params.requestedSchema) ? params.requestedSchema : {};
	const { properties, required } = form;
	const entries = isRecord(properties) ? Object.entries(properties) : [];
	if (entries.length > maxFields) return `its form has ${entries.length} fields, more than ${maxFields}`;
	const requiredNames = new Set(Array.isArray(required) ? required : []);
	const fields: QuestionField[] = [];
	for (const [name, field] of entries) {
		const schema = isRecord(field) ? plainField(field, form) : {};
		const input = inputOf(schema, label);
		if (!input) return 'its form has a field of a kind that the protocol does not have';
		const defaultValue = hasFieldType(schema.default, input) ? (schema.default as QuestionValue) : undefined;
		fields.push({
			name,
			title: label(schema.title) || label(name),
			description: label(schema.description, maxMessageCharacters),
			required: requiredNames.has(name),
			input,
			...(defaultValue === undefined ? {} : { default: defaultValue }),
			isSecret: schema.format === 'password' || [name, label(schema.title)].some(asksForSecret),
		});
	}
	return { kind: 'form', message, fields };
}

/** Judged by name and by title: a server may name the field of a password anything. */
function asksForSecret(words: string): boolean {
	return (
		nameVerdict(words) === 'secret' || /passwor[dt]|passphrase|kennwort|mot de passe|contraseña/i.test(words)
	);
}

/** A field in plain form. Libraries write some as a reference to a definition, and an optional one as "this type or null". */
function plainField(field: JsonRecord, form: JsonRecord): JsonRecord {
	const { anyOf, ...own } = resolved(field, form);
	const parts = Array.isArray(anyOf) ? anyOf.filter((part) => !isRecord(part) || part.type !== 'null') : [];
	const isOptional = Array.isArray(anyOf) && anyOf.length === 2 && parts.length === 1;
	const plain: JsonRecord = isOptional
		? { ...resolved(parts[0], form), ...own }
		: { ...own, ...(anyOf !== undefined && { anyOf }) };
	const types = Array.isArray(plain.type) ? plain.type.filter((one) => one !== 'null') : [];
	return types.length === 1 ? { ...plain, type: types[0] } : plain;
}

type Label = (value: unknown) => string;

function inputOf(schema: JsonRecord, label: Label): QuestionInput | undefined {
	const { type, format, pattern, minLength, maxLength, minimum, maximum, minItems, maxItems, items } = schema;
	const numbers = <T extends JsonRecord>(all: T) =>
		Object.fromEntries(Object.entries(all).filter(([, one]) => typeof one === 'number')) as {
			[name in keyof T]?: number;
		};
	if (type === 'array') {
		const options = isRecord(items) ? optionsOf(items, label) : undefined;
		return options && { kind: 'choices', options, ...numbers({ minItems, maxItems }) };
	}
	const options = optionsOf(schema, label);
	// Numbers to choose from are entered; the server checks them.
	if (options && options.length > 0) return { kind: 'choice', options };
	if (type === 'boolean') return { kind: 'boolean' };
	if (type === 'number' || type === 'integer')
		return { kind: 'number', isInteger: type === 'integer', ...numbers({ minimum, maximum }) };
	// Without a type, any value will do, but a field that says nothing is a reference that leads nowhere.
	if (type !== 'string' && (type !== undefined || Object.keys(schema).length === 0)) return undefined;
	const knownFormat = (['email', 'uri', 'date', 'date-time'] as const).find((one) => one === format);
	return {
		kind: 'text',
		...(knownFormat ? { format: knownFormat } : {}),
		...numbers({ minLength, maxLength }),
		...(typeof pattern === 'string' && pattern.length <= maxPatternCharacters ? { pattern } : {}),
	};
}

/** The options of a field: values, values with a list of names, or values with titles. */
function optionsOf(schema: JsonRecord, label: Label): readonly QuestionOption[] | undefined {
	const titled = Array.isArray(schema.oneOf) ? schema.oneOf : schema.anyOf;
	const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
	const pairs = Array.isArray(schema.enum)
		? schema.enum.map((value, i) => [value, names[i]] as const)
		: Array.isArray(titled)
			? titled.map((one) => (isRecord(one) ? ([one.const, one.title] as const) : ([undefined, ''] as const)))
			: undefined;
	return pairs
		?.slice(0, maxOptions)
		.flatMap(([value, title]) =>
			typeof value === 'string' ? [{ value, title: label(title) || label(value) }] : [],
		);
}

/** Whether a value has the type that a field asks for. The server checks ranges. */
function hasFieldType(value: unknown, input: QuestionInput): boolean {
	switch (input.kind) {
		case 'text':
			return typeof value === 'string';
		case 'number':
			return (
				typeof value === 'number' && Number.isFinite(value) && (!input.isInteger || Number.isInteger(value))
			);
		case 'boolean':
			return typeof value === 'boolean';
		case 'choice':
			return input.options.some((option) => option.value === value);
		case 'choices':
			return (
				Array.isArray(value) && value.every((one) => input.options.some((option) => option.value === one))
			);
		default:
			return assertNever(input);
	}
}

/** The answer to send: values of requested fields, and defaults for missing ones. */
export function answerTo(question: Question, answer: QuestionAnswer): JsonRecord {
	if (answer.action !== 'accept') return { action: answer.action };
	if (question.kind === 'address') return { action: 'accept' };
	const content: Record<string, QuestionValue> = {};
	for (const { name, input, default: defaultValue } of question.fields) {
		const answered = Object.hasOwn(answer.content ?? {}, name) ? answer.content?.[name] : undefined;
		const value = answered === null || hasFieldType(answered, input) ? answered : defaultValue;
		if (value !== undefined && value !== null)
			Object.defineProperty(content, name, { value, enumerable: true });
	}
	return { action: 'accept', content };
}
