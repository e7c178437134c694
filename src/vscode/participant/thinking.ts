import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { ids } from '../ui/ids.ts';

/** Characters of thinking that a button carries. VS Code stores them with the chat. */
const keptCharacters = 100_000;

/**
 * Shows a model's thinking. VS Code's own folded thinking is a proposed API, and its chat does not render `<details>`. So the chat says
 * “Thinking…”, and a button below the answer opens the text. The button comes back with the chat.
 */
export class ThinkingView {
	readonly #stream: vscode.ChatResponseStream;
	#text = '';
	#isThinking = false;

	constructor(stream: vscode.ChatResponseStream) {
		this.#stream = stream;
	}

	add(text: string): void {
		if (!this.#isThinking) this.#begin();
		this.#text += text;
	}

	/** Something else is shown: later thinking is another thought. */
	pause(): void {
		this.#isThinking = false;
	}

	/** The model starts its answer again, and with it the thought. */
	breakOff(): void {
		if (this.#isThinking) this.#text += ` ${l10n.t('[This thought broke off.]')}`;
		this.pause();
	}

	end(): void {
		const text = this.#text.trim();
		if (text === '') return;
		this.#stream.button({
			command: ids.showThinking,
			title: l10n.t('Show Thinking'),
			arguments: [text.slice(0, keptCharacters)],
		});
	}

	#begin(): void {
		this.#isThinking = true;
		if (this.#text !== '') this.#text += '\n\n---\n\n';
		this.#stream.progress(l10n.t('Thinking…'));
	}
}
