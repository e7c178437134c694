import type { MarkdownString } from '../editor.ts';

/** A chat's stream that keeps what an answer shows, in order. Only a text with the mark ⚙ may have icons. */
export function chatStream() {
	const lines: string[] = [];
	const buttons: { readonly command: string; readonly arguments?: readonly unknown[] }[] = [];
	const add = (kind: string, text: string) => void lines.push(`${kind} ${text.trim()}`);
	const stream = {
		markdown: (text: string | MarkdownString) => {
			// VS Code hides progress that an empty text follows, and shows nothing in its place.
			if (text === '') while (lines.at(-1)?.startsWith('progress ')) lines.pop();
			else if (typeof text === 'string') add('text', text);
			else add(text.supportThemeIcons ? '⚙' : 'markdown', text.value);
		},
		progress: (text: string) => add('progress', text),
		button: (button: (typeof buttons)[number] & { readonly title: string }) => {
			buttons.push(button);
			add('button', button.title);
		},
	};
	return { stream: stream as never, lines, buttons };
}
