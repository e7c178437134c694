import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OfferedPrompt, PromptParts, PromptSource } from '../../chat/commands/promptSource.ts';
import type { ReadTexts } from '../../chat/results/readTexts.ts';
import type { ChatSession } from '../../chat/sessions.ts';
import { JoinedSignal } from '../../common/cancellation.ts';
import type { SecretMask } from '../../config/secrets/secretMask.ts';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { ServerStatus } from '../../mcp/serverStatus.ts';
import { messageText } from '../../models/answerParts.ts';
import { askCompletedValues } from '../ui/inputs/completedInput.ts';
import { labelText, lineLength } from '../ui/labelText.ts';
import { maskedLine } from './attachments.ts';
import type { KnownSecrets } from './knownSecrets.ts';

/** The prompts of servers, which a message can start with. */
export class ServerPrompts {
	readonly #pool: ServerPool;
	readonly #reads: ReadTexts;
	readonly #secrets: KnownSecrets;

	constructor(pool: ServerPool, reads: ReadTexts, secrets: KnownSecrets) {
		this.#pool = pool;
		this.#reads = reads;
		this.#secrets = secrets;
	}

	/** The prompts of the servers that a chat may use. `onNote` gets a line if secrets were masked or prompts may be missing. */
	sourceFor(
		{ id, discovery }: ChatSession,
		signal: AbortSignal,
		onNote: (line: string) => void,
	): PromptSource {
		const pool = this.#pool;
		const isUsable = ({ name, state }: ServerStatus) =>
			state.kind !== 'disabled' && permitsServer(discovery.surface.toolset, name);
		const permitted = () => pool.servers().filter(isUsable);
		const promptsOf = async (server: string): Promise<readonly OfferedPrompt[]> => {
			const { prompts, cutShort } = await pool.withClient(server, (client) => client.prompts(signal), {
				signal,
			});
			if (cutShort !== undefined) onNote(l10n.t('Some prompts of {0} are missing: {1}', server, cutShort));
			return prompts.map((prompt) => ({ server, ...prompt }));
		};
		return {
			servers: permitted().map(({ name }) => name),
			list: async (server) => {
				if (server !== undefined) return promptsOf(server);
				const running = permitted().filter(({ offers }) => offers?.prompts);
				// One failing server must not hide the prompts of the others.
				const lists = await Promise.all(running.map(({ name }) => promptsOf(name).catch(() => [])));
				signal.throwIfAborted();
				return lists.flat();
			},
			choose: async (prompts) => {
				const items = prompts.map((prompt) => ({
					label: labelText(prompt.title ?? prompt.name, lineLength),
					description: labelText(`${prompt.server}:${prompt.name}`, lineLength),
					detail: labelText(prompt.description ?? '', lineLength),
					prompt,
				}));
				const title = l10n.t('MCP Prompts');
				const placeHolder = l10n.t('Select a prompt');
				return (
					await vscode.window.showQuickPick(items, {
						title,
						placeHolder,
						matchOnDescription: true,
						matchOnDetail: true,
					})
				)?.prompt;
			},
			fill: async ({ server, name, title, arguments: promptArguments }) => {
				const heading = title ? `${title} (${server}:${name})` : `${server}:${name}`;
				const questions = promptArguments.map(({ name, description = '', required }) => ({
					name,
					prompt: description === '' ? name : l10n.t('{0}: {1}', name, description),
					required,
				}));
				return askCompletedValues(heading, questions, (argument, value, others, asking) => {
					const ending = new JoinedSignal(asking, signal);
					const request = { of: { prompt: name }, argument, value, others };
					return pool
						.withClient(server, (client, options) => client.complete(request, options), {
							signal: ending.signal,
						})
						.finally(() => ending.dispose());
				});
			},
			messages: async ({ server, name }, args) => {
				const { messages } = await pool.withClient(
					server,
					(client, options) => client.getPrompt(name, args, options),
					{
						signal,
					},
				);
				const { parts, secrets } = maskedParts(messages, await this.#secrets.mask());
				if (secrets.size > 0) onNote(maskedLine(secrets.size, `${server}:${name}`));
				return parts;
			},
			put: ({ server }, messages) => {
				for (const message of messages) discovery.log.append({ kind: 'message', message, from: server });
				const content = messages.flatMap((message) =>
					message.role === 'tool' ? [] : [{ type: 'text' as const, text: messageText(message) }],
				);
				this.#reads.addResult(id, [server], { content, isError: false });
			},
		};
	}
}

/** Masks secrets before a prompt goes to a model. */
function maskedParts(
	messages: PromptParts,
	mask: SecretMask,
): { readonly parts: PromptParts; readonly secrets: ReadonlySet<string> } {
	const secrets = new Set<string>();
	const parts = messages.map(({ role, content }) => ({
		role,
		content: content.map((part) => {
			if (part.type !== 'text') return part;
			const masked = mask.mask(part.text);
			for (const { value } of masked.secrets) secrets.add(value);
			return { ...part, text: masked.text };
		}),
	}));
	return { parts, secrets };
}
