import { isRecord } from '../../common/json.ts';
import { type FormAnswers, valuesOf } from '../ui/inputs/formAnswers.ts';
import { inputText } from '../ui/inputs/parameter.ts';
import type { Form } from './parameters.ts';

/** The arguments, in the order of the form. */
export function argumentsOf({ kind, parameters }: Form, answers: FormAnswers): Record<string, unknown> {
	const values = valuesOf(parameters, answers);
	const allArguments = kind === 'whole' ? values[0]?.[1] : undefined;
	return isRecord(allArguments) ? allArguments : Object.fromEntries(values);
}

/** The answers that lead to these arguments. */
export function answersOf({ kind, parameters }: Form, args: Readonly<Record<string, unknown>>): FormAnswers {
	const entries = parameters.flatMap((parameter) => {
		const value = kind === 'whole' ? args : args[parameter.name];
		return Object.hasOwn(args, parameter.name) || kind === 'whole' ? [{ ...parameter, value }] : [];
	});
	return {
		texts: new Map(entries.map(({ name, input, value }) => [name, inputText(value, input)])),
		chosen: new Set(entries.filter(({ required }) => !required).map(({ name }) => name)),
	};
}

/** What may be kept for the next run. */
export function answersWithoutSecrets({ parameters }: Form, { texts, chosen }: FormAnswers): FormAnswers {
	const secret = new Set(parameters.filter((parameter) => parameter.secret).map(({ name }) => name));
	return { texts: new Map([...texts].filter(([name]) => !secret.has(name))), chosen };
}
