import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandOf } from '../../chat/chatHistory.ts';
import type { OpenChats } from '../../chat/openChats.ts';
import type { EditorTools } from '../core/editorTools.ts';
import { withDetails } from '../ui/unsupported.ts';
import type { CommandAnswers } from './commandAnswers.ts';
import { beginningText, greetingText, isGreeting } from './followups.ts';
import { savedSession } from './history.ts';
import type { UserRequest } from './messageLoop.ts';
import type { ModelAnswers } from './modelAnswers.ts';
import { type Readiness, sayWaiting } from './readiness.ts';
import type { ResultMetadata } from './resultMetadata.ts';

/** VS Code's own command, which shows Markdown rendered. */
const showPreview = 'markdown.showPreview';

interface HandlerParts {
	readonly chats: OpenChats;
	readonly readiness: Readiness;
	readonly editorTools: EditorTools;
	readonly commands: CommandAnswers;
	readonly models: ModelAnswers;
	/** Where the user guide is. */
	readonly extensionUri: vscode.Uri;
}

/** Answers messages to `@discovery`, with a slash command or with a model. */
export class RequestHandler {
	readonly #parts: HandlerParts;

	constructor(parts: HandlerParts) {
		this.#parts = parts;
	}

	async answer(message: UserRequest): Promise<vscode.ChatResult> {
		const { request, context, stream, token } = message;
		const { chats, readiness, editorTools, commands, models } = this.#parts;
		const greets = isGreeting(request);
		if (greets) stream.markdown(this.#greeting());
		const outcome = greets ? 'greeted' : 'notReady';
		const isAnswered =
			readiness.isReady(stream) || (!greets && (await readiness.waitForApproval(stream, token)));
		if (!isAnswered) return { metadata: { outcome } satisfies ResultMetadata };
		if (greets) {
			stream.markdown(beginningText());
			sayWaiting(readiness.waiting, stream);
			return { metadata: { outcome } satisfies ResultMetadata };
		}
		editorTools.refresh();
		const session = await chats.open(savedSession(context));
		const command = commandOf(request);
		const { called, stopped, next } = command
			? await commands.answer(command, session, message)
			: await models.answer(message, session);
		const metadata: ResultMetadata = {
			session: await chats.end(session),
			called,
			...(!command && { asked: request.prompt }),
			...(stopped && { stopped }),
			...(next && Object.keys(next).length > 0 && { next }),
		};
		return stopped
			? withDetails({ metadata }, l10n.t('You stopped this answer before it was complete.'))
			: { metadata };
	}

	#greeting(): vscode.MarkdownString {
		const guide = vscode.Uri.joinPath(this.#parts.extensionUri, 'docs', 'README.md');
		const link = `command:${showPreview}?${encodeURIComponent(JSON.stringify([guide]))}`;
		const greeting = new vscode.MarkdownString(greetingText(link));
		greeting.isTrusted = { enabledCommands: [showPreview] };
		return greeting;
	}
}
