import type { ResultContent } from '../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../discovery/session/discoverySession.ts';
import { plainAnswer } from '../models/answerParts.ts';

/** A message that is only `/word` is meant as a command. VS Code passes unknown commands on as text. */
const commandOnly = /^\/([a-z]+)$/i;
/** After the participant's name, words may follow the command, as after a command that VS Code knows. */
const addressedCommand = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i;

/**
 * The prompt without the participant's name. People type it out of habit even if the chat already added it, and search must not look for it.
 */
export function withoutAddress(prompt: string): string {
	return prompt.replace(/^\s*@discovery(?:\s+|$)/, '');
}

export type HistoryEntry =
	| { readonly kind: 'request'; readonly prompt: string; readonly command?: string | undefined }
	| { readonly kind: 'answer'; readonly text: string; readonly isGreeting?: boolean };

export interface SpokenCommand {
	readonly name: string;
	readonly args: string;
}

/** The command in a message; `undefined` if the message is for the model. */
export function commandOf({
	prompt,
	command,
}: Omit<HistoryEntry & { readonly kind: 'request' }, 'kind'>): SpokenCommand | undefined {
	if (command !== undefined) return { name: command, args: prompt };
	const words = withoutAddress(prompt).trim();
	const pattern = words === prompt.trim() ? commandOnly : addressedCommand;
	const [, name, args = ''] = pattern.exec(words) ?? [];
	return name === undefined ? undefined : { name, args };
}

/** A turn in the editor's history: the prompt, and the answer that was shown. */
export interface PastTurn {
	readonly prompt: string;
	readonly answer: string;
}

/** The turns of a chat that went to a model, with the shown answers. Commands and greetings did not. */
export function pastTurns(history: readonly HistoryEntry[]): PastTurn[] {
	const turns: (PastTurn | undefined)[] = [];
	for (const entry of history) {
		const last = turns.at(-1);
		if (entry.kind === 'request') {
			turns.push(
				commandOf(entry) === undefined ? { prompt: withoutAddress(entry.prompt), answer: '' } : undefined,
			);
		} else if (entry.isGreeting) turns[turns.length - 1] = undefined;
		else if (last) turns[turns.length - 1] = { ...last, answer: entry.text };
	}
	return turns.filter((turn) => turn !== undefined);
}

/**
 * Makes the log of a chat match the editor's history. If they differ, because the user went back and asked something else, or the log was
 * deleted, the history wins: it contains only what was shown, which is better than nothing. `isInterrupted`: a window closed during the last answer,
 * so the log may lack what was shown of it.
 */
export function followHistory(
	{ log }: DiscoverySession,
	history: readonly PastTurn[],
	{ isInterrupted = false }: { readonly isInterrupted?: boolean } = {},
): void {
	const { prompts } = log;
	const differs = history.findIndex(({ prompt }, i) => prompt !== prompts[i]);
	const same = differs < 0 ? history.length : differs;
	log.goBack(same);
	for (const { prompt, answer } of history.slice(same)) {
		log.append({ kind: 'past', prompt });
		log.append({ kind: 'message', message: { role: 'user', text: prompt } });
		if (answer) log.append({ kind: 'message', message: plainAnswer(answer) });
	}
	const shown = history.at(-1)?.answer;
	if (isInterrupted && shown && log.messages.at(-1)?.role === 'user')
		log.append({ kind: 'message', message: plainAnswer(shown) });
}

/** Maximum base64 characters of a picture in the chat and its history; about 1.5 MB. */
const maxShownCharacters = 2_000_000;
const imageType = /^image\/(png|jpeg|gif|webp)$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const shownImage = /!\[image\/\w+\]\(data:image\/\w+;base64,[A-Za-z0-9+/=]+\)/g;

/**
 * A picture as Markdown, with its data in the address, so that nothing is fetched. `undefined` for other parts, unknown formats, and pictures that
 * are too large.
 */
export function imageMarkdown(part: ResultContent): string | undefined {
	if (part.type !== 'image' || part.data.length > maxShownCharacters) return undefined;
	if (!imageType.test(part.mimeType) || !base64.test(part.data)) return undefined;
	return `![${part.mimeType}](data:${part.mimeType};base64,${part.data})`;
}

/** A shown text for the model: without pictures, which would be megabytes of meaningless text. */
export function modelText(markdown: string): string {
	return markdown.replace(shownImage, '[image]');
}
