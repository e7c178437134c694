import * as l10n from '@vscode/l10n';
import type { InputAnswers, Proposal } from '../../config/add/proposal.ts';
import type { DraftInput } from '../../config/add/serverDraft.ts';
import { serverNameFault } from '../../config/file/entryNames.ts';
import { commands } from '../ui/ids.ts';
import { askForm } from '../ui/inputs/askForm.ts';
import { noAnswers, valuesOf } from '../ui/inputs/formAnswers.ts';
import type { Parameter } from '../ui/inputs/parameter.ts';
import { askText } from '../ui/inputs/quickInputs.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle } from '../ui/messages.ts';

const nameLength = 100;
const lineLength = 300;

/** Asks for another name of a server; `undefined`: the user wants to go back. */
export async function askName(name: string): Promise<string | undefined> {
	const reply = await askText({
		title: dialogTitle(commands.addServer),
		canGoBack: true,
		prompt: l10n.t('Server name. Its tools’ names start with it.'),
		placeholder: '',
		text: name,
		check: async (text) => serverNameFault(text.trim()),
	});
	return reply.kind === 'answer' ? reply.text.trim() : undefined;
}

/** Asks for required values one by one (each can be skipped and set later), then for the optional values that the user selects. */
export async function askInputs(
	title: string,
	inputs: Proposal['questions'],
): Promise<InputAnswers | 'back' | 'cancelled'> {
	const keyOf = new Map<string, string>();
	const parameters = [...inputs].map(([key, input]) => {
		const short = labelText(key.slice(key.indexOf(':') + 1), nameLength);
		const name = keyOf.has(short) ? key : short;
		keyOf.set(name, key);
		return parameterOf(name, input);
	});
	const answers = await askForm({ title, canLeave: true }, parameters, noAnswers, (parameter) => ({
		// An optional value that the user selects must be entered.
		parameter: { ...parameter, required: true },
		canSkip: parameter.required,
		faultOf: async () => undefined,
		...((parameter.secret || keyOf.get(parameter.name)?.startsWith('env:')) && {
			note: l10n.t('Stored in VS Code’s secret storage.'),
		}),
	}));
	if (typeof answers === 'string') return answers;
	return new Map(
		valuesOf(parameters, answers).map(([name, value]) => [keyOf.get(name) ?? '', String(value)]),
	);
}

function parameterOf(name: string, draftInput: DraftInput): Parameter {
	const { description = '', password, options, optional, path, default: defaultValue } = draftInput;
	return {
		name,
		description: labelText(description, lineLength),
		required: !optional,
		input: options
			? { kind: 'choice', options: options.map(({ value, label = value }) => ({ value, label })) }
			: { kind: 'text' },
		...(defaultValue !== undefined && { default: defaultValue }),
		...(path && { path }),
		secret: password,
	};
}
