import type { JsonSchema } from '../../../discovery/tool.ts';

/** A value that a parameter can be given by choosing it. */
export interface Option {
	readonly value: unknown;
	readonly label: string;
	readonly description?: string;
}

/** How a value of one kind is asked for. Whether it fits is for the schema to say: nothing here repeats its rules. */
export type SingleAsking =
	| { readonly kind: 'text' }
	| { readonly kind: 'number' }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'null' }
	| { readonly kind: 'choice'; readonly options: readonly Option[] }
	/** Any number of these. */
	| { readonly kind: 'choices'; readonly options: readonly Option[] }
	/** Several of them, parted by commas. */
	| { readonly kind: 'list'; readonly of: 'text' | 'number' }
	/** As JSON; `skeleton`: what to begin with. */
	| { readonly kind: 'json'; readonly type: 'object' | 'array' | 'any'; readonly skeleton?: string };

/** How a value is asked for: at once, or by its kind first, where it can be of several. */
export type Asking = SingleAsking | { readonly kind: 'forms'; readonly forms: readonly SingleAsking[] };

/** What is typed, not picked. */
export type TypedAsking = Extract<SingleAsking, { readonly kind: 'text' | 'number' | 'list' | 'json' }>;

/** One parameter of a tool, as a person is asked for it. */
export interface Parameter {
	readonly name: string;
	/** One line; empty where the schema says nothing. */
	readonly description: string;
	readonly required: boolean;
	readonly asking: Asking;
	/** What is and is not allowed, a few words each: `1 to 10`, `email`. */
	readonly rules: readonly string[];
	readonly default?: unknown;
	readonly example?: unknown;
	/** Not to be shown nor remembered. */
	readonly secret: boolean;
}

/** What a tool asks for. */
export interface Form {
	/** Required ones first, else as the schema has them. */
	readonly parameters: readonly Parameter[];
	/** The schema asks for what its list of properties does not show: the arguments are asked for as a whole. */
	readonly open: boolean;
	/** To check single parameters with, as an object of one property. */
	readonly eachSchema: JsonSchema;
}
