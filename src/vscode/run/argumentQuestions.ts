import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { labelText } from '../ui/labelText.ts';
import { type Answers, answered, argumentsOf, noAnswers, type Step, stepsOf, typedValue } from './answers.ts';
import type { Form, Parameter } from './form.ts';
import { formOf } from './form.ts';
import { type AskingParts, faultIn, ParameterQuestion } from './parameterQuestion.ts';
import { shown, wordOf } from './questionLabels.ts';
import { askPicks, askText, type Question, type Reply } from './quickInputs.ts';

/** Arguments that fit the tool's schema, as far as that can be checked, and the answers that they were made of. */
export interface Filled {
	readonly form: Form;
	readonly answers: Answers;
	readonly args: Readonly<Record<string, unknown>>;
}

const wholeAsking = { kind: 'json', type: 'object' } as const;
/** Characters of a tool's name in a title. */
const titleLength = 80;

/** The questions for one tool's arguments, one after the other, back and forth. */
export class ArgumentQuestions {
	readonly #tool: CatalogTool;
	readonly #form: Form;
	readonly #parts: AskingParts;
	#answers: Answers;
	/** What was typed and left, by parameter. */
	readonly #drafts = new Map<string, string>();
	/** What the arguments are as a whole, where they were asked for so. */
	#whole: Readonly<Record<string, unknown>> | undefined;

	/** `before`: what was given the last time. */
	constructor(tool: CatalogTool, parts: AskingParts, before: Answers = noAnswers) {
		this.#tool = tool;
		this.#form = formOf(tool.inputSchema);
		this.#parts = parts;
		this.#answers = before;
	}

	/** Asks all; nothing where the user gives up. */
	async ask(): Promise<Filled | undefined> {
		let at = 0;
		for (;;) {
			const steps = stepsOf(this.#form, this.#answers);
			const step = steps[at] ?? (await this.#misfit());
			if (!step) return { form: this.#form, answers: this.#answers, args: this.#args };
			const question = {
				title: this.#title,
				step: at + 1,
				steps: Math.max(steps.length, at + 1),
				canGoBack: at > 0,
			};
			const reply = await this.#askStep(step, question);
			if (reply.kind === 'cancelled') return undefined;
			// One that does not fit is asked for at the end, again and again.
			at = reply.kind === 'back' ? at - 1 : Math.min(at + 1, steps.length);
		}
	}

	get #title(): string {
		return l10n.t('Run {0}', labelText(this.#tool.id, titleLength));
	}

	get #args(): Readonly<Record<string, unknown>> {
		return this.#whole ?? argumentsOf(this.#form, this.#answers);
	}

	/** All is given; where it does not fit together, it is to be mended as a whole. */
	async #misfit(): Promise<Step | undefined> {
		return (await this.#faultOf(this.#args)) === undefined ? undefined : { kind: 'whole' };
	}

	async #faultOf(args: unknown): Promise<string | undefined> {
		return faultIn(await this.#parts.validate(this.#tool.inputSchema, args));
	}

	#askStep(step: Step, question: Question): Promise<Reply<unknown>> {
		switch (step.kind) {
			case 'parameter':
				return this.#askParameter(step.parameter, question);
			case 'optional':
				return this.#askOptional(step.parameters, question);
			case 'whole':
				return this.#askWhole(question);
		}
	}

	async #askParameter(parameter: Parameter, question: Question): Promise<Reply<unknown>> {
		const { name } = parameter;
		const { values } = this.#answers;
		const reply = await new ParameterQuestion(parameter, this.#form, this.#parts).ask({
			...question,
			...(values.has(name) && { given: { value: values.get(name) } }),
			draft: this.#drafts.get(name),
		});
		if (reply.kind === 'back' && reply.draft !== undefined) this.#drafts.set(name, reply.draft);
		if (reply.kind !== 'answer') return reply;
		this.#drafts.delete(name);
		this.#answers = answered(this.#answers, name, reply.answer);
		this.#whole = undefined;
		return reply;
	}

	async #askOptional(parameters: readonly Parameter[], question: Question): Promise<Reply<unknown>> {
		const items = parameters.map((parameter) => ({
			label: labelText(parameter.name, titleLength),
			description: labelText(optionalWords(parameter), 200),
			...(parameter.description && { detail: labelText(parameter.description, 200) }),
			name: parameter.name,
		}));
		const reply = await askPicks({
			...question,
			placeholder: l10n.t('Optional: tick what to give; Enter goes on'),
			items,
			selected: items.filter(({ name }) => this.#answers.chosen.has(name)),
		});
		if (reply.kind !== 'answer') return reply;
		this.#answers = { ...this.#answers, chosen: new Set(reply.answer.map(({ name }) => name)) };
		this.#whole = undefined;
		return reply;
	}

	async #askWhole(question: Question): Promise<Reply<unknown>> {
		const fault = await this.#faultOf(this.#args);
		const check = (text: string) => this.#faultOfWhole(text);
		let text = JSON.stringify(this.#args);
		for (;;) {
			const reply = await askText({
				...question,
				prompt: [l10n.t('All arguments, as a JSON object.'), ...(fault ? [fault] : [])].join(' '),
				placeholder: '{ }',
				text,
				secret: false,
				canEdit: true,
				check,
			});
			if (reply.kind === 'answer') return this.#takeWhole(reply.answer);
			if (reply.kind !== 'edit') return reply;
			text = reply.draft;
			const edited = await this.#parts.edit({ name: l10n.t('arguments'), language: 'json', text, check });
			if (edited !== undefined) return this.#takeWhole(edited);
		}
	}

	async #faultOfWhole(text: string): Promise<string | undefined> {
		const typed = typedValue(text, wholeAsking);
		if (typed.kind === 'value') return this.#faultOf(typed.value);
		return typed.kind === 'fault' ? typed.fault : l10n.t('Enter a JSON object: { … }.');
	}

	#takeWhole(text: string): Reply<unknown> {
		const typed = typedValue(text, wholeAsking);
		if (typed.kind === 'value') this.#whole = typed.value as Readonly<Record<string, unknown>>;
		return { kind: 'answer', answer: undefined };
	}
}

function optionalWords({ asking, default: byDefault }: Parameter): string {
	return byDefault === undefined
		? wordOf(asking)
		: l10n.t('{0}, default: {1}', wordOf(asking), shown(byDefault));
}
