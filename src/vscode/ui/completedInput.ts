import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { labelText } from './labelText.ts';

/** A text that is asked for, with what its server proposes for it. */
interface CompletedQuestion {
	readonly title: string;
	readonly prompt: string;
	/** Its place among the questions, from 1. */
	readonly step: number;
	readonly steps: number;
	readonly required: boolean;
	/** What the text may become, by what is typed of it. */
	readonly complete: (typed: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** Characters of other people's text in a line. */
const lineLength = 200;

interface Item extends vscode.QuickPickItem {
	readonly value: string;
}

/** Asks for a text in a list that its server fills while it is typed; `undefined`: the user has given up. An empty text is left out by the caller. */
export function askCompleted(question: CompletedQuestion): Promise<string | undefined> {
	const { title, prompt, step, steps, required, complete } = question;
	const pick = vscode.window.createQuickPick<Item>();
	pick.title = labelText(title, lineLength);
	pick.placeholder = labelText(prompt, lineLength);
	pick.ignoreFocusOut = true;
	if (steps > 1) [pick.step, pick.totalSteps] = [step, steps];
	let asking = new AbortController();
	const fill = (values: readonly string[]) => {
		const typed = pick.value;
		const row = (value: string, description = ''): Item => ({
			label: labelText(value, lineLength),
			description,
			value,
			alwaysShow: true,
		});
		if (typed === '') {
			const leaveOut: Item = { label: l10n.t('Leave out'), value: '', alwaysShow: true };
			pick.items = [...(required ? [] : [leaveOut]), ...values.map((value) => row(value))];
			return;
		}
		// Enter takes the first row: what is typed where the server knows it, else a proposal that continues it.
		const others = values.filter((value) => value !== typed);
		const continues = (value: string) => value.toLowerCase().startsWith(typed.toLowerCase());
		const known = others.length < values.length ? [row(typed)] : [];
		const own = known.length > 0 ? [] : [row(typed, l10n.t('as typed'))];
		pick.items = [
			...known,
			...others.filter(continues).map((value) => row(value)),
			...own,
			...others.filter((value) => !continues(value)).map((value) => row(value)),
		];
	};
	const update = async () => {
		asking.abort();
		asking = new AbortController();
		const { signal } = asking;
		fill([]);
		pick.busy = true;
		// A server that cannot propose anything leaves what is typed.
		const values = await complete(pick.value, signal).catch(() => []);
		if (signal.aborted) return;
		pick.busy = false;
		fill(values);
	};
	return new Promise((resolve) => {
		const end = (value: string | undefined) => {
			asking.abort();
			resolve(value);
			pick.dispose();
		};
		pick.onDidChangeValue(() => void update());
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			if (item) end(item.value);
		});
		pick.onDidHide(() => end(undefined));
		pick.show();
		void update();
	});
}
