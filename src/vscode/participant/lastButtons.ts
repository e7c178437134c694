import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';

/**
 * Holds back the buttons of an answer until its end, and shows each once. As soon as text follows a button, VS Code folds everything before the
 * button away.
 */
export class LastButtons implements Disposable {
	/** The answer's stream, whose buttons wait. */
	readonly stream: vscode.ChatResponseStream;
	readonly #answer: vscode.ChatResponseStream;
	readonly #buttons: vscode.Command[] = [];

	constructor(stream: vscode.ChatResponseStream) {
		this.#answer = stream;
		const button = (command: vscode.Command) => {
			if (!this.#buttons.some((other) => isDeepStrictEqual(other, command))) this.#buttons.push(command);
		};
		this.stream = Object.create(stream, { button: { value: button } });
	}

	/** The answer has ended. */
	[Symbol.dispose](): void {
		for (const button of this.#buttons) this.#answer.button(button);
	}
}
