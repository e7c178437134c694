import * as l10n from '@vscode/l10n';
import type { ValidationOutcome } from '../../sandbox/job.ts';
import { labelText } from '../ui/labelText.ts';
import { typedText, typedValue } from './answers.ts';
import type { EditorQuestion } from './argumentEditors.ts';
import type { Form, InputKind, Option, Parameter, TypedAsking } from './form.ts';
import { capitalized, choicePromptOf, placeholderOf, promptOf, wordOf } from './questionLabels.ts';
import { askPick, askPicks, askText, type Question, type Reply } from './quickInputs.ts';

/** What questions for arguments are asked with. */
export interface AskingParts {
	/** Checks a value against a schema that is somebody else's, where it can do no harm. */
	readonly validate: (schema: unknown, value: unknown) => Promise<ValidationOutcome>;
	/** Asks for a text in an editor; nothing: it was closed. */
	readonly edit: (question: EditorQuestion) => Promise<string | undefined>;
}

/** What is wrong, as a sentence; nothing where all is right or cannot be checked: then the server will say. */
export function faultIn(outcome: ValidationOutcome): string | undefined {
	if (outcome.kind !== 'invalid') return undefined;
	const text = outcome.faults.join('; ');
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A value that was given; nothing: the parameter is left out. */
export type Given = { readonly value: unknown } | undefined;

/** Where the question stands, and what it begins with. */
export interface ParameterAsking extends Question {
	/** The value of before. */
	readonly given?: { readonly value: unknown };
	/** What was typed and not confirmed; it goes before. */
	readonly draft: string | undefined;
}

/** A line to choose. */
interface Choice {
	readonly label: string;
	readonly description?: string;
	readonly given: Given;
}

const labelLength = 100;

/** The question for one parameter. */
export class ParameterQuestion {
	readonly #parameter: Parameter;
	readonly #form: Form;
	readonly #parts: AskingParts;

	constructor(parameter: Parameter, form: Form, parts: AskingParts) {
		this.#parameter = parameter;
		this.#form = form;
		this.#parts = parts;
	}

	/** Asks for the value, first for its kind where there are several. */
	async ask(at: ParameterAsking): Promise<Reply<Given>> {
		const { asking } = this.#parameter;
		if (asking.kind !== 'forms') return this.#askFor(asking, at);
		const drafts = new Map(asking.forms.map((form) => [form, at.draft]));
		for (;;) {
			const form = await this.#askForm(asking.forms, at);
			if (form.kind !== 'answer') return form;
			if (!form.answer) return { kind: 'answer', answer: undefined };
			const reply = await this.#askFor(form.answer, {
				...at,
				canGoBack: true,
				draft: drafts.get(form.answer),
			});
			if (reply.kind !== 'back') return reply;
			drafts.set(form.answer, reply.draft);
		}
	}

	#askFor(asking: InputKind, at: ParameterAsking): Promise<Reply<Given>> {
		switch (asking.kind) {
			case 'boolean':
				return this.#askChoice(
					[true, false].map((value) => ({ value, label: `${value}` })),
					at,
				);
			case 'choice':
				return this.#askChoice(asking.options, at);
			case 'choices':
				return this.#askChoices(asking.options, at);
			case 'null':
				return Promise.resolve({ kind: 'answer', answer: { value: null } });
			default:
				return this.#askTyped(asking, at);
		}
	}

	async #askTyped(asking: TypedAsking, at: ParameterAsking): Promise<Reply<Given>> {
		const parameter = this.#parameter;
		const before = at.given ?? (parameter.required ? byDefault(parameter) : undefined);
		const skeleton = parameter.required && asking.kind === 'json' ? (asking.skeleton ?? '') : '';
		let text = at.draft ?? (before ? typedText(before.value, asking) : skeleton);
		// What was given in an editor the last time, and fits into no line, is given there again.
		let long = at.draft === undefined && isLong(before?.value) ? before?.value : undefined;
		for (;;) {
			if (long !== undefined) {
				const edited = await this.#edit(long, asking);
				if (edited) return { kind: 'answer', answer: edited };
			}
			const reply = await askText({
				...at,
				prompt: promptOf(parameter, asking),
				placeholder: placeholderOf(parameter),
				text,
				secret: parameter.secret,
				canEdit: !parameter.secret && (asking.kind === 'text' || asking.kind === 'json'),
				check: (typed) => this.#faultOfText(typed, asking),
			});
			if (reply.kind === 'answer') return { kind: 'answer', answer: this.#givenBy(reply.answer, asking) };
			if (reply.kind !== 'edit') return reply;
			text = reply.draft;
			long = text;
		}
	}

	/** Has a text written in an editor, where JSON has room for its lines. */
	async #edit(text: string, asking: TypedAsking): Promise<Given> {
		const language = asking.kind === 'json' ? 'json' : 'text';
		const read = (edited: string): Given =>
			asking.kind === 'text' ? { value: edited } : this.#givenBy(edited, asking);
		const check = async (edited: string) =>
			asking.kind === 'text' ? this.#faultOf(edited) : this.#faultOfText(edited, asking);
		const { name } = this.#parameter;
		const edited = await this.#parts.edit({ name, language, text, check });
		return edited === undefined ? undefined : read(edited);
	}

	#givenBy(text: string, asking: TypedAsking): Given {
		const typed = typedValue(text, asking);
		if (typed.kind === 'value') return typed;
		return this.#parameter.required ? byDefault(this.#parameter) : undefined;
	}

	async #faultOfText(text: string, asking: TypedAsking): Promise<string | undefined> {
		const typed = typedValue(text, asking);
		if (typed.kind === 'fault') return typed.fault;
		if (typed.kind === 'value') return this.#faultOf(typed.value);
		if (this.#givenBy(text, asking) || !this.#parameter.required) return undefined;
		return asking.kind === 'text'
			? l10n.t('Enter a value, or "" for an empty text.')
			: l10n.t('Enter a value.');
	}

	/** What the schema says of the value, without the name of the parameter, which is asked for anyway. */
	async #faultOf(value: unknown): Promise<string | undefined> {
		const { name } = this.#parameter;
		const outcome = await this.#parts.validate(this.#form.eachSchema, { [name]: value });
		if (outcome.kind !== 'invalid') return undefined;
		const faults = outcome.faults.map((fault) =>
			fault.startsWith(`/${name}: `) ? fault.slice(name.length + 3) : fault.replace(`/${name}/`, '/'),
		);
		return faultIn({ ...outcome, faults });
	}

	async #askChoice(options: readonly Option[], at: ParameterAsking): Promise<Reply<Given>> {
		const items: Choice[] = [
			...options.map((option) => this.#choice(option)),
			...(this.#parameter.required ? [] : [{ label: l10n.t('Leave out'), given: undefined }]),
		];
		const wanted = at.given ?? byDefault(this.#parameter);
		const reply = await askPick({
			...at,
			placeholder: this.#placeholder,
			items,
			selected: items.filter(({ given }) => wanted && given && same(given.value, wanted.value)).slice(0, 1),
		});
		return reply.kind === 'answer' ? { kind: 'answer', answer: reply.answer.given } : reply;
	}

	async #askChoices(options: readonly Option[], at: ParameterAsking): Promise<Reply<Given>> {
		const items = options.map((option) => this.#choice(option));
		const wanted = (at.given ?? byDefault(this.#parameter))?.value;
		const ticked = Array.isArray(wanted) ? wanted : [];
		const values = (chosen: readonly Choice[]) => chosen.map(({ given }) => given?.value);
		const reply = await askPicks({
			...at,
			placeholder: this.#placeholder,
			items,
			selected: items.filter(({ given }) => ticked.some((value) => same(value, given?.value))),
			check: async (chosen) =>
				chosen.length === 0 && !this.#parameter.required ? undefined : this.#faultOf(values(chosen)),
		});
		if (reply.kind !== 'answer') return reply;
		const leftOut = reply.answer.length === 0 && !this.#parameter.required;
		return { kind: 'answer', answer: leftOut ? undefined : { value: values(reply.answer) } };
	}

	async #askForm(forms: readonly InputKind[], at: ParameterAsking): Promise<Reply<InputKind | undefined>> {
		const items = [
			...forms.map((form) => ({ label: capitalized(wordOf(form)), form })),
			...(this.#parameter.required ? [] : [{ label: l10n.t('Leave out'), form: undefined }]),
		];
		const selected = items.filter(({ form }) => at.given && form && holds(form, at.given.value)).slice(0, 1);
		const reply = await askPick({ ...at, placeholder: this.#placeholder, items, selected });
		return reply.kind === 'answer' ? { kind: 'answer', answer: reply.answer.form } : reply;
	}

	#choice({ value, label, description }: Option): Choice {
		const { default: usual } = this.#parameter;
		const words = [
			...(description ? [labelText(description, labelLength)] : []),
			...(usual !== undefined && same(usual, value) ? [l10n.t('default')] : []),
		];
		const text = words.join(' · ');
		return { label: labelText(label, labelLength), ...(text && { description: text }), given: { value } };
	}

	get #placeholder(): string {
		return labelText(choicePromptOf(this.#parameter), 200);
	}
}

function byDefault(parameter: Parameter): Given {
	return parameter.default === undefined ? undefined : { value: parameter.default };
}

function same(a: unknown, b: unknown): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a value was most likely given in this form. */
function holds(asking: InputKind, value: unknown): boolean {
	switch (asking.kind) {
		case 'choice':
			return asking.options.some((option) => same(option.value, value));
		case 'text':
			return typeof value === 'string';
		case 'number':
		case 'boolean':
			return typeof value === asking.kind;
		case 'null':
			return value === null;
		case 'choices':
		case 'list':
			return Array.isArray(value);
		default:
			return typeof value === 'object' && value !== null;
	}
}

function isLong(value: unknown): value is string {
	return typeof value === 'string' && /[\r\n]/.test(value);
}
