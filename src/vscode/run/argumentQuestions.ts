import * as l10n from '@vscode/l10n';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { askForm } from '../ui/inputs/askForm.ts';
import { faultSentence, type Validate } from '../ui/inputs/askParameter.ts';
import { type FormAnswers, noAnswers } from '../ui/inputs/formAnswers.ts';
import { labelText } from '../ui/labelText.ts';
import type { PrivateFiles } from '../ui/savedFiles.ts';
import { answersWithoutSecrets, argumentsOf } from './answers.ts';
import { formOf } from './parameters.ts';

/** Arguments that fit the tool's schema, as far as that can be checked. */
interface Filled {
	readonly args: Readonly<Record<string, unknown>>;
	/** Parameters whose values must not be shown. */
	readonly secret: ReadonlySet<string>;
	/** Kept for the next run. */
	readonly answers: FormAnswers;
}

/**
 * Asks for a tool's arguments; `undefined`: the user gave up. `files`: for texts that are written in an editor. `lastAnswers`: of the last
 * run.
 */
export async function askArguments(
	{ id, inputSchema }: CatalogTool,
	validate: Validate,
	files: PrivateFiles,
	lastAnswers: FormAnswers = noAnswers,
): Promise<Filled | undefined> {
	const form = formOf(inputSchema);
	/** What the schema rejects about a value, in a sentence without the parameter's name. */
	const faultOf = async (name: string, value: unknown) => {
		if (form.kind === 'whole') return faultSentence(await validate(inputSchema, value));
		const outcome = await validate(form.eachSchema, { [name]: value });
		return faultSentence(outcome, (fault) => fault.replace(`/${name}: `, '').replace(`/${name}/`, '/'));
	};
	const title = l10n.t('Run {0}', labelText(id));
	const answers = await askForm({ title, canLeave: false }, form.parameters, lastAnswers, ({ name }) => ({
		faultOf: (value) => faultOf(name, value),
		files,
	}));
	if (typeof answers === 'string') return undefined;
	const secret = form.parameters.filter((parameter) => parameter.secret).map(({ name }) => name);
	// The server checks whether the values fit together. Its answer is the result.
	const args = argumentsOf(form, answers);
	return { args, secret: new Set(secret), answers: answersWithoutSecrets(form, answers) };
}
