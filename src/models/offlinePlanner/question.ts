import { spelling } from './coerce.ts';
import { codeSpan, listed } from './markdown.ts';
import type { Parameter, ValueShape } from './parameter.ts';

/** What the planner asked for last, as it reads it back from its own text. */
export interface Question {
	readonly wireName: string;
	/** Number of the step of the request, from 1. */
	readonly step: number;
}

/** Last line of a question; builder and parser hold on to it, since a server's text can never stand behind it. */
const closing = 'Answer with the values, or with a new request; quote a text that reads like one.';

/** Asks for the parameters that a call lacks, each with what the schema says of it, and an example to copy. */
export function askFor(
	tool: { readonly wireName: string; readonly readable: string },
	missing: readonly Parameter[],
	step: number,
): string {
	const what = missing.length === 1 ? 'one more value' : `${missing.length} more values`;
	return [
		`To call ${codeSpan(tool.readable)} (${codeSpan(tool.wireName)}${step > 1 ? `, step ${step}` : ''}) I need ${what}:`,
		'',
		...missing.map(describe),
		'',
		`For example: ${codeSpan(exampleArguments(missing))}`,
		'',
		closing,
	].join('\n');
}

/** The question at the end of an assistant's text, or `undefined`. Text of servers cannot pass for one: it is fenced. */
export function parseQuestion(text: string): Question | undefined {
	const end = text.trimEnd();
	if (!end.endsWith(closing)) return undefined;
	const asked = [...end.matchAll(/^To call `[^`\n]*` \(`([A-Za-z0-9_-]+)`(?:, step (\d+))?\) I need /gm)].at(
		-1,
	);
	return asked?.[1] ? { wireName: asked[1], step: Number(asked[2] ?? 1) } : undefined;
}

/** Arguments as a person would type them: `path="…" count=1`. */
export function exampleArguments(parameters: readonly Parameter[]): string {
	return parameters.map((parameter) => `${parameter.name}=${sample(parameter)}`).join(' ');
}

function describe(parameter: Parameter): string {
	const description = parameter.description ? ` — ${codeSpan(parameter.description)}` : '';
	return `- ${codeSpan(parameter.name)} (${typeOf(parameter)})${description}`;
}

function typeOf(shape: ValueShape): string {
	if (shape.choices)
		return `one of ${listed(
			shape.choices.map((choice) => codeSpan(spelling(choice))),
			'or',
		)}`;
	const types = shape.types.map((type) => {
		if (type === 'array') return shape.items ? `list of ${typeOf(shape.items)}` : 'list';
		return type === 'object' ? objectType(shape) : type;
	});
	return listed(types, 'or');
}

function objectType({ properties }: ValueShape): string {
	if (!properties || properties.length === 0) return 'JSON object';
	const names = properties.map(({ name, required }) => `${codeSpan(name)}${required ? '' : ', optional'}`);
	return `JSON object with ${names.join('; ')}`;
}

function sample(shape: ValueShape): string {
	if (shape.choices) return JSON.stringify(shape.choices[0] ?? '…');
	switch (shape.types[0]) {
		case 'integer':
		case 'number':
			return '1';
		case 'boolean':
			return 'true';
		case 'null':
			return 'null';
		case 'array':
			return `[${shape.items ? sample(shape.items) : '"…"'}]`;
		case 'object':
			return sampleObject(shape);
		default:
			return '"…"';
	}
}

function sampleObject({ properties = [] }: ValueShape): string {
	const required = properties.filter((property) => property.required);
	return `{${required.map((property) => `${JSON.stringify(property.name)}: ${sample(property)}`).join(', ')}}`;
}
