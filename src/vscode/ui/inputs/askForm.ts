import * as l10n from '@vscode/l10n';
import { labelText, lineLength } from '../labelText.ts';
import { type AskedParameter, askParameter } from './askParameter.ts';
import { type FormAnswers, type FormStep, stepsOf } from './formAnswers.ts';
import { optionalLabel, type Parameter } from './parameter.ts';
import { askPicks, askSteps, type InputQuestion } from './quickInputs.ts';

/**
 * Asks for required parameters one after the other, and for optional ones that the user selects. `detailsOf`: what else belongs to the question about
 * a parameter.
 */
export async function askForm(
	frame: Parameters<typeof askSteps>[0],
	parameters: readonly Parameter[],
	earlierAnswers: FormAnswers,
	detailsOf: (parameter: Parameter) => Pick<AskedParameter, 'faultOf'> & Partial<AskedParameter>,
): Promise<FormAnswers | 'back' | 'cancelled'> {
	let answers = earlierAnswers;
	const ask = async (step: FormStep, question: InputQuestion) => {
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
			initialText: answers.texts.get(name),
			...detailsOf(parameter),
		});
		if (reply.kind === 'skipped') answers = { ...answers, texts: new Map(answers.texts).set(name, '') };
		if ('text' in reply) answers = { ...answers, texts: new Map(answers.texts).set(name, reply.text) };
		return reply;
	};
	const ending = await askSteps(frame, () => stepsOf(parameters, answers), ask);
	if (ending === 'answer') return answers;
	return ending === 'back' ? 'back' : 'cancelled';
}

function askOptional(parameters: readonly Parameter[], chosen: ReadonlySet<string>, question: InputQuestion) {
	const items = parameters.map((parameter) => ({
		label: labelText(parameter.name),
		description: labelText(optionalLabel(parameter), lineLength),
		detail: labelText(parameter.description, lineLength),
		name: parameter.name,
	}));
	return askPicks({
		...question,
		placeholder: l10n.t('Select optional values to set'),
		items,
		selected: items.filter(({ name }) => chosen.has(name)),
	});
}
