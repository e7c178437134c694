import { domainToUnicode } from 'node:url';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../common/assertNever.ts';
import { exactText, writtenOut } from '../../common/exactText.ts';
import type { JsonRecord } from '../../common/json.ts';
import type {
	AskedQuestion,
	QuestionField,
	QuestionInput,
	QuestionValue,
} from '../../mcp/connection/questions.ts';
import {
	type InputKind,
	inputText,
	type Option,
	type Parameter,
	parseInput,
	shownValue,
} from '../ui/inputs/parameter.ts';
import { labelText } from '../ui/labelText.ts';

const nameLength = 60;

/** Who asks, during which call. Also the agent, whose call the user has not seen. */
export function questionTitle({ server, call, agent }: AskedQuestion): string {
	const [asking, calling] = [
		labelText(writtenOut(server), nameLength),
		labelText(writtenOut(call), nameLength),
	];
	return agent === undefined
		? l10n.t('{0} asks you ({1})', asking, calling)
		: l10n.t(
				'{0} asks you ({1}, called by the agent {2})',
				asking,
				calling,
				labelText(writtenOut(agent), nameLength),
			);
}

export function parameterOf({
	title,
	description,
	required,
	input,
	isSecret,
	...field
}: QuestionField): Parameter {
	return {
		name: title,
		description,
		required,
		input: inputKindOf(input),
		...(field.default !== undefined && { default: field.default }),
		secret: isSecret,
	};
}

/** A field's rules as a JSON schema, built from what was read: the server's own schema may be anything. */
export function schemaOf(input: QuestionInput): JsonRecord {
	switch (input.kind) {
		case 'text': {
			const { kind: _, ...rules } = input;
			return { type: 'string', ...rules };
		}
		case 'number': {
			const { kind: _, isInteger, ...rules } = input;
			return { type: isInteger ? 'integer' : 'number', ...rules };
		}
		case 'boolean':
			return { type: 'boolean' };
		case 'choice':
			return { enum: input.options.map(({ value }) => value) };
		case 'choices': {
			const { kind: _, options, ...rules } = input;
			return { type: 'array', items: { enum: options.map(({ value }) => value) }, ...rules };
		}
		default:
			return assertNever(input);
	}
}

function inputKindOf(input: QuestionInput): InputKind {
	switch (input.kind) {
		case 'text':
			return { kind: 'text', ...(input.format !== undefined && { format: input.format }) };
		case 'number':
		case 'boolean':
			return { kind: input.kind };
		case 'choice':
		case 'choices':
			return { kind: input.kind, options: input.options.map(optionOf) };
		default:
			return assertNever(input);
	}
}

/** Shows the value beside its title, which may differ. */
function optionOf({ value, title }: { readonly value: string; readonly title: string }): Option {
	return { value, label: title, ...(title === value ? {} : { description: value }) };
}

/** The values of a form; immutable. Starts with the defaults. */
export class FilledForm {
	readonly fields: readonly QuestionField[];
	/** By field name, as `textOf` writes values. An empty text omits the field. */
	readonly #texts: ReadonlyMap<string, string>;

	constructor(fields: readonly QuestionField[], texts?: ReadonlyMap<string, string>) {
		this.fields = fields;
		this.#texts =
			texts ??
			new Map(
				fields.flatMap(({ name, input, default: defaultValue }) =>
					defaultValue === undefined ? [] : [[name, inputText(defaultValue, inputKindOf(input))]],
				),
			);
	}

	/** What was entered, or the default. */
	textOf({ name }: QuestionField): string | undefined {
		return this.#texts.get(name);
	}

	withText({ name }: QuestionField, text: string): FilledForm {
		return new FilledForm(this.fields, new Map(this.#texts).set(name, text));
	}

	/** Required fields without a value. */
	get missing(): readonly QuestionField[] {
		return this.fields.filter((field) => field.required && this.#valueOf(field) === null);
	}

	/** What the server receives. */
	get content(): Readonly<Record<string, QuestionValue | null>> {
		return Object.fromEntries(this.fields.map((field) => [field.name, this.#valueOf(field)]));
	}

	/** A field's value or state, in few words. */
	stateOf(field: QuestionField): string {
		const value = this.#valueOf(field);
		if (value === null) return field.required ? l10n.t('required') : l10n.t('omitted');
		return field.isSecret ? l10n.t('(hidden)') : shownValue(value, inputKindOf(field.input));
	}

	#valueOf(field: QuestionField): QuestionValue | null {
		const reading = parseInput(this.textOf(field) ?? '', inputKindOf(field.input));
		return reading.kind === 'value' ? (reading.value as QuestionValue) : null;
	}
}

/**
 * Facts about an address before it opens, a line each: its host, look-alike characters, missing encryption, and the whole address as `URL`
 * writes it (`xn--…`, `%…`).
 */
export function addressLines(url: string): readonly string[] {
	const { host, hostname, protocol } = new URL(url);
	const name = domainToUnicode(hostname);
	return [
		l10n.t('Host: {0}', host),
		...(name === hostname
			? []
			: [l10n.t('The host name contains look-alike characters: {0}', exactText(name))]),
		...(protocol === 'http:' ? [l10n.t('The connection is not encrypted (http).')] : []),
		l10n.t('URL: {0}', url),
	];
}
