import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { askParameter, faultSentence, lineLength, type Validate } from '../ui/inputs/askParameter.ts';
import { optionalLabel, type Parameter } from '../ui/inputs/parameter.ts';
import { askPicks, type Question } from '../ui/inputs/quickInputs.ts';
import { labelText } from '../ui/labelText.ts';
import type { PrivateFiles } from '../ui/textFiles.ts';
import { type Answers, argumentsOf, noAnswers, type Step, stepsOf, withoutSecrets } from './answers.ts';
import { type Form, formOf } from './parameters.ts';

/** Arguments that fit the tool's schema, as far as that can be checked. */
interface Filled {
	readonly args: Readonly<Record<string, unknown>>;
	/** Parameters whose values are not to be shown. */
	readonly secret: ReadonlySet<string>;
	/** Kept for the next run. */
	readonly answers: Answers;
}

/** How a question was left. */
type StepReply = 'answer' | 'back' | 'cancelled';

/** Characters of a tool's or a parameter's name. */
const titleLength = 80;

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

	#askStep(step: Step, question: Question): Promise<StepReply> {
		return step.kind === 'parameter'
			? this.#askParameter(step.parameter, question)
			: this.#askOptional(step.parameters, question);
	}

	async #askParameter(parameter: Parameter, question: Question): Promise<StepReply> {
		const { name } = parameter;
		const reply = await askParameter({
			...question,
			parameter,
			before: this.#answers.texts.get(name),
			faultOf: (value) => this.#faultOf(name, value),
			files: this.#files,
		});
		if (reply.kind !== 'answer' && reply.kind !== 'back') return 'cancelled';
		this.#answers = { ...this.#answers, texts: new Map(this.#answers.texts).set(name, reply.text) };
		return reply.kind;
	}

	/** What the schema has against a value of one parameter, in a sentence that does not repeat its name. */
	async #faultOf(name: string, value: unknown): Promise<string | undefined> {
		if (this.#form.kind === 'whole')
			return faultSentence(await this.#validate(this.#tool.inputSchema, value));
		const outcome = await this.#validate(this.#form.eachSchema, { [name]: value });
		return faultSentence(outcome, (fault) => fault.replace(`/${name}: `, '').replace(`/${name}/`, '/'));
	}

	async #askOptional(parameters: readonly Parameter[], question: Question): Promise<StepReply> {
		const items = parameters.map((parameter) => ({
			label: labelText(parameter.name, titleLength),
			description: labelText(optionalLabel(parameter), lineLength),
			detail: labelText(parameter.description, lineLength),
			name: parameter.name,
		}));
		const reply = await askPicks({
			...question,
			placeholder: l10n.t('Optional: select the parameters to set'),
			items,
			selected: items.filter(({ name }) => this.#answers.chosen.has(name)),
		});
		if (reply.kind !== 'answer') return reply.kind === 'back' ? 'back' : 'cancelled';
		this.#answers = { ...this.#answers, chosen: new Set(reply.answer.map(({ name }) => name)) };
		return reply.kind;
	}
}
