import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ValidationOutcome } from '../../sandbox/job.ts';
import { labelText } from '../ui/labelText.ts';
import {
	type Answers,
	argumentsOf,
	noAnswers,
	readText,
	type Step,
	stepsOf,
	textOf,
	withoutSecrets,
} from './answers.ts';
import { askInEditor } from './askInEditor.ts';
import {
	type Form,
	formOf,
	type InputKind,
	type Option,
	optionalLabel,
	type Parameter,
	placeholderOf,
	promptOf,
} from './parameters.ts';
import { askPick, askPicks, askText, type Question } from './quickInputs.ts';
import type { PrivateFiles } from './resultFiles.ts';

/** Arguments that fit the tool's schema, as far as that can be checked. */
interface Filled {
	readonly args: Readonly<Record<string, unknown>>;
	/** Parameters whose values are not to be shown. */
	readonly secret: ReadonlySet<string>;
	/** Kept for the next run. */
	readonly answers: Answers;
}

/** Checks a value against a server's schema, in the sandbox. */
export type Validate = (schema: unknown, value: unknown) => Promise<ValidationOutcome>;

/** How a question was left. `text`: what was typed or chosen until then. */
type Reply = { readonly kind: 'answer' | 'back'; readonly text: string } | { readonly kind: 'cancelled' };

/** Characters of a tool's name in a title, and of other people's text in a line of a list. */
const titleLength = 80;
const lineLength = 200;

/** Asks for the arguments of one tool, one question after the other, with Back. */
export class ArgumentQuestions {
	readonly #tool: CatalogTool;
	readonly #form: Form;
	readonly #validate: Validate;
	readonly #files: PrivateFiles;
	#answers: Answers;

	/** `files`: for texts that are written in an editor. `before`: the answers of the last run. */
	constructor(tool: CatalogTool, validate: Validate, files: PrivateFiles, before: Answers = noAnswers) {
		this.#tool = tool;
		this.#form = formOf(tool.inputSchema);
		this.#validate = validate;
		this.#files = files;
		this.#answers = before;
	}

	/** Asks all questions; `undefined`: the user has given up. */
	async ask(): Promise<Filled | undefined> {
		for (let at = 0; ; ) {
			const steps = stepsOf(this.#form, this.#answers);
			const step = steps[at];
			if (!step) return this.#filled();
			const reply = await this.#askStep(step, {
				title: l10n.t('Run {0}', labelText(this.#tool.id, titleLength)),
				step: at + 1,
				steps: steps.length,
				canGoBack: at > 0,
			});
			if (reply === 'cancelled') return undefined;
			at += reply === 'back' ? -1 : 1;
		}
	}

	/** The arguments by the answers. Whether they also fit together, the server says: its answer is the result. */
	#filled(): Filled {
		const secret = this.#form.parameters.filter((parameter) => parameter.secret).map(({ name }) => name);
		const args = argumentsOf(this.#form, this.#answers);
		return { args, secret: new Set(secret), answers: withoutSecrets(this.#form, this.#answers) };
	}

	#askStep(step: Step, question: Question): Promise<Reply['kind']> {
		return step.kind === 'parameter'
			? this.#askParameter(step.parameter, question)
			: this.#askOptional(step.parameters, question);
	}

	async #askParameter(parameter: Parameter, question: Question): Promise<Reply['kind']> {
		const { name } = parameter;
		const before = this.#answers.texts.get(name) ?? defaultText(parameter);
		const options = optionsFor(parameter.input);
		const reply = options
			? await this.#choose(parameter, options, before, question)
			: await this.#type(parameter, before, question);
		if (reply.kind === 'cancelled') return reply.kind;
		this.#answers = { ...this.#answers, texts: new Map(this.#answers.texts).set(name, reply.text) };
		return reply.kind;
	}

	async #choose(
		parameter: Parameter,
		options: readonly Option[],
		before: string,
		question: Question,
	): Promise<Reply> {
		const { input, required, default: usual } = parameter;
		const items = options.map(({ value, label, description = '' }) => {
			const text = textOf(value, input);
			const words = [description, text === textOf(usual, input) ? l10n.t('default') : ''].filter(Boolean);
			return {
				label: labelText(label, lineLength),
				description: labelText(words.join(' · '), lineLength),
				text,
			};
		});
		const reply = await askPick({
			...question,
			placeholder: labelText(promptOf(parameter), lineLength),
			items: required ? items : [...items, { label: l10n.t('Leave out'), description: '', text: '' }],
			selected: items.filter(({ text }) => text === before),
		});
		if (reply.kind === 'back') return { kind: 'back', text: before };
		return reply.kind === 'answer' ? { kind: 'answer', text: reply.answer.text } : reply;
	}

	/** Asks for a text on one line; in an editor where the user presses the pencil, or where it has several lines already. */
	async #type(parameter: Parameter, before: string, question: Question): Promise<Reply> {
		const { name, input, secret } = parameter;
		const check = (text: string) => this.#faultOf(parameter, text);
		const asked = {
			...question,
			prompt: promptOf(parameter),
			placeholder: placeholderOf(parameter),
			secret,
			canEdit: !secret && input.kind !== 'number',
			check,
		};
		let text = before;
		for (let inEditor = text.includes('\n'); ; inEditor = true) {
			if (inEditor) {
				const language = input.kind === 'json' ? 'json' : 'text';
				const edited = await askInEditor({ name, language, text, check }, this.#files);
				if (edited !== undefined) return { kind: 'answer', text: asTyped(edited, input) };
			}
			const reply = await askText({ ...asked, text: text.includes('\n') ? '' : text });
			if (reply.kind !== 'edit') return reply;
			text = reply.text;
		}
	}

	/** What is wrong with one parameter, in a sentence that does not repeat its name. */
	async #faultOf({ name, input, required }: Parameter, text: string): Promise<string | undefined> {
		const reading = readText(text, input);
		if (reading.kind === 'fault') return reading.fault;
		if (reading.kind === 'nothing') {
			if (!required) return undefined;
			return input.kind === 'text'
				? l10n.t('Enter a value, or "" for an empty text.')
				: l10n.t('Enter a value.');
		}
		if (this.#form.kind === 'whole')
			return sentenceOf(await this.#validate(this.#tool.inputSchema, reading.value));
		const outcome = await this.#validate(this.#form.eachSchema, { [name]: reading.value });
		return sentenceOf(outcome, (fault) => fault.replace(`/${name}: `, '').replace(`/${name}/`, '/'));
	}

	async #askOptional(parameters: readonly Parameter[], question: Question): Promise<Reply['kind']> {
		const items = parameters.map((parameter) => ({
			label: labelText(parameter.name, titleLength),
			description: labelText(optionalLabel(parameter), lineLength),
			detail: labelText(parameter.description, lineLength),
			name: parameter.name,
		}));
		const reply = await askPicks({
			...question,
			placeholder: l10n.t('Optional: tick what to give; Enter goes on'),
			items,
			selected: items.filter(({ name }) => this.#answers.chosen.has(name)),
		});
		if (reply.kind !== 'answer') return reply.kind;
		this.#answers = { ...this.#answers, chosen: new Set(reply.answer.map(({ name }) => name)) };
		return reply.kind;
	}
}

/** What can be chosen; `undefined` where the value is typed. */
function optionsFor(input: InputKind): readonly Option[] | undefined {
	if (input.kind === 'boolean') return [true, false].map((value) => ({ value, label: `${value}` }));
	return input.kind === 'choice' ? input.options : undefined;
}

/** What a question begins with on the first run. An optional text begins empty, as it is left out by leaving it so. */
function defaultText({ required, input, default: usual, skeleton }: Parameter): string {
	const first = required || optionsFor(input) ? (usual ?? skeleton) : undefined;
	return first === undefined ? '' : textOf(first, input);
}

/** The text of an editor; JSON on one line, so that it fits into a box on the next run. */
function asTyped(text: string, input: InputKind): string {
	const reading = readText(text, input);
	return reading.kind === 'value' ? textOf(reading.value, input) : text;
}

/** What is wrong, as a sentence; `undefined` where nothing is, or where it cannot be checked and the server decides. */
function sentenceOf(outcome: ValidationOutcome, shown = (fault: string) => fault): string | undefined {
	if (outcome.kind !== 'invalid') return undefined;
	const text = outcome.faults.map(shown).join('; ');
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
