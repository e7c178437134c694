import * as l10n from '@vscode/l10n';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import { cut, visible } from '../../common/text.ts';
import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { placeholder } from '../../discovery/catalog/tool.ts';
import { messageText, plainAnswer } from '../../models/answerParts.ts';
import { codeList, didYouMean, type SlashCommandContext } from './namedTools.ts';
import type { OfferedPrompt, PromptParts, PromptSource } from './promptSource.ts';

/** Maximum characters of a title, of a shown message, and of all messages for the model. */
const titleCharacters = 100;
const maxMessageCharacters = 4_000;
const maxPromptCharacters = 200_000;

/** `/prompt server:name`: asks for the arguments, and adds the messages of the prompt before the user's next message. */
export async function prompt(args: string, { prompts: source }: SlashCommandContext): Promise<string> {
	if (!source) return l10n.t('No server has prompts.');
	const requestedName = args.trim();
	const chosen = requestedName === '' ? await anyPrompt(source) : await findPrompt(requestedName, source);
	if (typeof chosen === 'string') return chosen;
	const values = await source.fill(chosen);
	if (!values) return l10n.t('The prompt was not filled in, so nothing was added.');
	const missing = chosen.arguments.filter(({ name, required }) => required && !values[name]);
	if (missing.length > 0)
		return l10n.t(
			'{0} needs {1}, so nothing was added.',
			idOf(chosen),
			missing.map(({ name }) => code(name)).join(', '),
		);
	const messages = promptMessages(await source.messages(chosen, values));
	if (messages.length === 0) return l10n.t('{0} has no messages.', idOf(chosen));
	source.put(chosen, messages);
	return [
		l10n.t('The messages of {0} will be sent with your next message:', idOf(chosen)),
		...messages.map(messageMarkdown),
	].join('\n\n');
}

async function anyPrompt(source: PromptSource): Promise<OfferedPrompt | string> {
	const all = await source.list();
	if (all.length === 0)
		return l10n.t('No running server has prompts. {0} starts a server.', code('/prompt server:name'));
	return (await source.choose(all)) ?? l10n.t('No prompt was selected.');
}

/** Both a server's and a prompt's name may contain a colon. */
async function findPrompt(requestedName: string, source: PromptSource): Promise<OfferedPrompt | string> {
	const server = source.servers
		.filter((name) => requestedName === name || requestedName.startsWith(`${name}:`))
		.sort((a, b) => b.length - a.length)[0];
	if (server === undefined) {
		const all = await source.list();
		const bare = all.filter(({ name }) => name === requestedName);
		return bare.length === 1 && bare[0] ? bare[0] : unknownPrompt(requestedName, all);
	}
	const prompts = await source.list(server);
	return (
		prompts.find(({ name }) => `${server}:${name}` === requestedName) ?? unknownPrompt(requestedName, prompts)
	);
}

function unknownPrompt(requestedName: string, prompts: readonly OfferedPrompt[]): string {
	const names = prompts.map(({ server, name }) => `${server}:${name}`);
	return [
		l10n.t('There is no prompt {0}.', code(requestedName)),
		...didYouMean(requestedName, names),
		...(names.length > 0 ? [l10n.t('Prompts: {0}', codeList(names))] : []),
	].join(' ');
}

/** `Title (server:name)`: the part that users can type. */
function idOf({ server, name, title }: OfferedPrompt): string {
	const id = code(`${server}:${name}`);
	return title && title !== name ? `${plain(title, titleCharacters)} (${id})` : id;
}

/** The messages for the model: without invisible characters, and limited. */
export function promptMessages(parts: PromptParts): readonly ChatMessage[] {
	let remainingCharacters = maxPromptCharacters;
	return parts.flatMap(({ role, content }): ChatMessage[] => {
		const texts = content.map((part) =>
			part.type === 'text'
				? visible(part.text)
				: role === 'user' && part.type === 'image'
					? ''
					: placeholder(part),
		);
		const text = cut(texts.filter(Boolean).join('\n'), remainingCharacters);
		remainingCharacters = Math.max(0, remainingCharacters - text.length);
		const images = role === 'user' ? content.filter((part) => part.type === 'image') : [];
		if (text === '' && images.length === 0) return [];
		return role === 'user' ? [{ role, text, ...(images.length > 0 && { images }) }] : [plainAnswer(text)];
	});
}

/** A server's text, shown so that no markup takes effect. */
function messageMarkdown(message: ChatMessage): string {
	if (message.role === 'tool') return '';
	const images = message.role === 'user' ? (message.images?.length ?? 0) : 0;
	const speaker = message.role === 'user' ? l10n.t('You:') : l10n.t('The model:');
	return [
		speaker,
		codeBlock(cut(messageText(message), maxMessageCharacters), 'text'),
		...(images > 0 ? [images === 1 ? l10n.t('With a picture.') : l10n.t('With {0} pictures.', images)] : []),
	].join('\n\n');
}
