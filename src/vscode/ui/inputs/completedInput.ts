import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { labelText, lineLength } from '../labelText.ts';
import { askSteps, type InputQuestion, type Reply, showInput } from './quickInputs.ts';

/** A text with completions from a server. */
interface CompletedQuestion extends InputQuestion {
	readonly prompt: string;
	readonly required: boolean;
	/** An earlier answer. */
	readonly text: string;
	/** Completions of the typed text. */
	readonly complete: (typed: string, signal: AbortSignal) => Promise<readonly string[]>;
}

interface CompletedItem extends vscode.QuickPickItem {
	readonly value: string;
}

/** Asks with a list that the server completes. The caller leaves out an empty text. */
async function askCompleted(question: CompletedQuestion): Promise<Reply<string>> {
	const { prompt, required, text, complete } = question;
	const pick = vscode.window.createQuickPick<CompletedItem>();
	pick.placeholder = labelText(prompt, lineLength);
	pick.value = text;
	let asking = new AbortController();
	const update = async () => {
		asking.abort();
		asking = new AbortController();
		const { signal } = asking;
		pick.items = completions(pick.value, [], required);
		pick.busy = true;
		// A server without completions leaves the typed text.
		const values = await complete(pick.value, signal).catch(() => []);
		if (signal.aborted) return;
		pick.busy = false;
		pick.items = completions(pick.value, values, required);
	};
	pick.onDidChangeValue(() => void update());
	const reply = showInput<string>(pick, question, (answer) =>
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			if (item) answer(item.value);
		}),
	);
	void update();
	return reply.finally(() => asking.abort());
}

/** Enter takes the first row: the typed text if the server knows it, else a completion. */
function completions(typed: string, values: readonly string[], required: boolean): CompletedItem[] {
	const row = (value: string, description = ''): CompletedItem => ({
		label: labelText(value, lineLength),
		description,
		value,
		alwaysShow: true,
	});
	if (typed === '') {
		const leaveOut = { label: l10n.t('Leave Out'), value: '', alwaysShow: true };
		return [...(required ? [] : [leaveOut]), ...values.map((value) => row(value))];
	}
	const others = values.filter((value) => value !== typed);
	const isKnown = others.length < values.length;
	const continues = (value: string) => value.toLowerCase().startsWith(typed.toLowerCase());
	return [
		...(isKnown ? [row(typed)] : []),
		...others.filter(continues).map((value) => row(value)),
		...(isKnown ? [] : [row(typed, l10n.t('as typed'))]),
		...others.filter((value) => !continues(value)).map((value) => row(value)),
	];
}

interface CompletedValue {
	readonly name: string;
	readonly prompt: string;
	readonly required: boolean;
}

/** Asks for several texts with completions; `undefined`: cancelled. Empty ones are left out. */
export async function askCompletedValues(
	title: string,
	questions: readonly CompletedValue[],
	complete: (
		name: string,
		typed: string,
		others: Readonly<Record<string, string>>,
		signal: AbortSignal,
	) => Promise<readonly string[]>,
): Promise<Readonly<Record<string, string>> | undefined> {
	const values: Record<string, string> = {};
	const ending = await askSteps(
		{ title: labelText(title, lineLength), canLeave: false },
		() => questions,
		async ({ name, ...value }, question) => {
			const { [name]: text = '', ...others } = values;
			const reply = await askCompleted({
				...question,
				...value,
				text,
				complete: (typed, signal) => complete(name, typed, others, signal),
			});
			if (reply.kind === 'answer') {
				if (reply.answer === '') delete values[name];
				else values[name] = reply.answer;
			}
			return reply;
		},
	);
	return ending === 'answer' ? values : undefined;
}
