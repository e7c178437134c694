import { afterEach, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import { restoreDialogs } from './dialogs.ts';
import { eventually } from './workspace.ts';

type Input = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

const real = { createInputBox: vscode.window.createInputBox, createQuickPick: vscode.window.createQuickPick };

/** The editor's own inputs, as a person answers them: what the extension opens is caught, shown, and driven by the editor's commands. */
export class QuickInputs {
	/** Those that are not closed again, the last one last. */
	#opened: Input[] = [];

	/** Catches what is opened from now on. */
	catch(): void {
		this.#opened = [];
		replace('createInputBox', () => this.#caught(real.createInputBox.call(vscode.window)));
		replace('createQuickPick', () => this.#caught(real.createQuickPick.call(vscode.window)));
	}

	/** The editor opens its inputs without us again. */
	restore(): void {
		replace('createInputBox', real.createInputBox);
		replace('createQuickPick', real.createQuickPick);
	}

	/** Waits for the question at a place of its row, e.g. `2/3`; `1/1` where it is the only one. */
	async question(place: string): Promise<Input> {
		return eventually(`question ${place}`, () => {
			const input = this.#opened.at(-1);
			return input && `${input.step ?? 1}/${input.totalSteps ?? 1}` === place ? input : undefined;
		});
	}

	/** Types a text into the box at a place, and presses Enter. */
	async type(place: string, text: string): Promise<void> {
		const input = await this.question(place);
		input.value = text;
		await pressEnter();
	}

	/** Takes the entry of that name from the list at a place. */
	async choose(place: string, label: string): Promise<void> {
		const pick = (await this.question(place)) as vscode.QuickPick<vscode.QuickPickItem>;
		const item = pick.items.find((one) => one.label === label);
		if (!item) throw new Error(`no entry ${label} among ${pick.items.map((one) => one.label).join(', ')}`);
		if (pick.canSelectMany) pick.selectedItems = [item];
		else pick.activeItems = [item];
		await eventually(
			'the entry',
			() => (pick.canSelectMany ? pick.selectedItems : pick.activeItems)[0] === item,
		);
		await pressEnter();
	}

	/** Goes back to the question before. */
	async back(): Promise<void> {
		await press('workbench.action.quickInputBack');
	}

	#caught<T extends Input>(input: T): T {
		this.#opened.push(input);
		input.onDidHide(() => {
			this.#opened = this.#opened.filter((one) => one !== input);
		});
		return input;
	}
}

/** The inputs that the extension opens in each test of a group. After each, all dialogs are the editor's own again. */
export function caughtInputs(): QuickInputs {
	const inputs = new QuickInputs();
	beforeEach(() => inputs.catch());
	afterEach(() => {
		inputs.restore();
		restoreDialogs();
	});
	return inputs;
}

/** Accepts what is shown. */
export function pressEnter(): Promise<void> {
	return press('workbench.action.acceptSelectedQuickOpenItem');
}

/** The editor draws what we have set before it takes a key. */
async function press(command: string): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 200));
	await vscode.commands.executeCommand(command);
}

function replace(name: 'createInputBox' | 'createQuickPick', value: unknown): void {
	Object.defineProperty(vscode.window, name, { value, configurable: true, writable: true });
}
