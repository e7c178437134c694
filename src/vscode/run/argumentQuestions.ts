import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { askParameter, faultSentence, lineLength, type Validate } from '../ui/inputs/askParameter.ts';
import { optionalLabel, type Parameter } from '../ui/inputs/parameter.ts';
import { askPicks, askSteps, type Question } from '../ui/inputs/quickInputs.ts';
import { labelText } from '../ui/labelText.ts';
import type { PrivateFiles } from '../ui/textFiles.ts';
import { type Answers, argumentsOf, noAnswers, type Step, stepsOf, withoutSecrets } from './answers.ts';
import { formOf } from './parameters.ts';

/** Arguments that fit the tool's schema, as far as that can be checked. */
interface Filled {
	readonly args: Readonly<Record<string, unknown>>;
	/** Parameters whose values must not be shown. */
	readonly secret: ReadonlySet<string>;
	/** Kept for the next run. */
	readonly answers: Answers;
}

const titleLength = 80;

/**
 * Asks for a tool's arguments; `undefined`: the user gave up. `files`: for texts that are written in an editor. `before`: the answers of
 * the last run.
 */
export async function askArguments(
	{ id, inputSchema }: CatalogTool,
	validate: Validate,
	files: PrivateFiles,
	before: Answers = noAnswers,
): Promise<Filled | undefined> {
	const form = formOf(inputSchema);
	let answers = before;
	/** What the schema rejects about a value, in a sentence without the parameter's name. */
	const faultOf = async (name: string, value: unknown) => {
		if (form.kind === 'whole') return faultSentence(await validate(inputSchema, value));
		const outcome = await validate(form.eachSchema, { [name]: value });
		return faultSentence(outcome, (fault) => fault.replace(`/${name}: `, '').replace(`/${name}/`, '/'));
	};
	const ask = async (step: Step, question: Question) => {
		if (step.kind === 'optional') {
			const reply = await askOptional(step.parameters, answers.chosen, question);
			if (reply.kind === 'answer')
				answers = { ...answers, chosen: new Set(reply.answer.map(({ name }) => name)) };
			return reply;
		}
		const { parameter } = step;
		const { name } = parameter;
		const reply = await askParameter({
			...question,
			parameter,
			before: answers.texts.get(name),
			faultOf: (value) => faultOf(name, value),
			files,
		});
		if ('text' in reply) answers = { ...answers, texts: new Map(answers.texts).set(name, reply.text) };
		return reply;
	};
	const title = l10n.t('Run {0}', labelText(id, titleLength));
	const left = await askSteps({ title, canLeave: false }, () => stepsOf(form, answers), ask);
	if (left !== 'answer') return undefined;
	const secret = form.parameters.filter((parameter) => parameter.secret).map(({ name }) => name);
	// The server checks whether the values fit together. Its answer is the result.
	const args = argumentsOf(form, answers);
	return { args, secret: new Set(secret), answers: withoutSecrets(form, answers) };
}

function askOptional(parameters: readonly Parameter[], chosen: ReadonlySet<string>, question: Question) {
	const items = parameters.map((parameter) => ({
		label: labelText(parameter.name, titleLength),
		description: labelText(optionalLabel(parameter), lineLength),
		detail: labelText(parameter.description, lineLength),
		name: parameter.name,
	}));
	return askPicks({
		...question,
		placeholder: l10n.t('Select optional parameters to set'),
		items,
		selected: items.filter(({ name }) => chosen.has(name)),
	});
}
