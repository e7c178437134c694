import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { thoughtMark } from '../../chat/chatHistory.ts';
import { ids, settings } from '../ui/ids.ts';

/** How a model's thinking is shown. */
type ThinkingStyle = 'shown' | 'folded' | 'hidden';

/** Characters of thinking that a button carries. VS Code stores them with the chat. */
const keptCharacters = 100_000;

function thinkingStyle(): ThinkingStyle {
	const set: unknown = vscode.workspace.getConfiguration(settings.section).get(settings.thinking);
	return set === 'shown' || set === 'hidden' ? set : 'folded';
}

/**
 * Shows a model's thinking. VS Code's own folded thinking is a proposed API, and its chat does not render `<details>`. So the chat says
 * “Thinking…”, and a button below the answer opens the text. The button comes back with the chat.
 */
export class ThinkingView {
	readonly #stream: vscode.ChatResponseStream;
	readonly #style = thinkingStyle();
	#text = '';
	#isThinking = false;

	constructor(stream: vscode.ChatResponseStream) {
		this.#stream = stream;
	}

	/** Whether thinking appears in the chat as it comes. */
	get isShown(): boolean {
		return this.#style === 'shown';
	}

	add(text: string): void {
		if (this.#style === 'hidden') return;
		if (!this.#isThinking) this.#begin();
		this.#text += text;
		if (this.#style === 'shown') this.#stream.markdown(text.replaceAll(/\r\n?|\n/g, '\n> '));
	}

	/** Ends the quotation of thinking; call it before anything else is shown. */
	pause(): void {
		if (!this.#isThinking) return;
		this.#isThinking = false;
		if (this.#style === 'shown') this.#stream.markdown('\n\n');
	}

	end(): void {
		this.pause();
		const text = this.#text.trim();
		if (this.#style !== 'folded' || text === '') return;
		this.#stream.button({
			command: ids.showThinking,
			title: l10n.t('Show Thinking'),
			arguments: [text.slice(0, keptCharacters)],
		});
	}

	#begin(): void {
		this.#isThinking = true;
		if (this.#style === 'folded') {
			if (this.#text !== '') this.#text += '\n\n---\n\n';
			this.#stream.progress(l10n.t('Thinking…'));
		} else {
			const heading = `\n\n${thoughtMark}*${l10n.t('Thinking')}*\n>\n> `;
			this.#stream.markdown(new vscode.MarkdownString(heading, true));
		}
	}
}
