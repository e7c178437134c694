import * as vscode from 'vscode';
import { followHistory, pastTurns, withoutAddress } from '../../chat/chatHistory.ts';
import { type LoopEvent, unwrapped } from '../../chat/loopEvent.ts';
import type { OpenChats } from '../../chat/openChats.ts';
import type { ChatSession, ChatSessions } from '../../chat/sessions.ts';
import { refOfClient } from '../../config/models/clientDefinition.ts';
import { permitsServer } from '../../discovery/catalog/toolset.ts';
import type { ModelProvider } from '../core/modelProvider.ts';
import { AnswerNotes } from './answerNotes.ts';
import { hasAttachments } from './attachments.ts';
import { ChatRenderer } from './chatRenderer.ts';
import { updatedFacts } from './followups.ts';
import { historyEntry } from './history.ts';
import { LastButtons } from './lastButtons.ts';
import type { MessageLoop, UserRequest } from './messageLoop.ts';
import type { Readiness } from './readiness.ts';
import type { AnswerOutcome, NextFacts } from './resultMetadata.ts';

interface ModelAnswersParts {
	readonly models: ModelProvider;
	readonly sessions: ChatSessions;
	readonly chats: OpenChats;
	readonly readiness: Readiness;
	readonly loop: MessageLoop;
}

/** Answers messages with the chosen model and the tool loop. */
export class ModelAnswers {
	readonly #parts: ModelAnswersParts;

	constructor(parts: ModelAnswersParts) {
		this.#parts = parts;
	}

	async answer(message: UserRequest, session: ChatSession): Promise<AnswerOutcome> {
		const { request, context, stream, token } = message;
		const { models, sessions, chats, readiness, loop } = this.#parts;
		const { toolset } = session.discovery.surface;
		await readiness.waitForServers(stream, token, (server) => permitsServer(toolset, server));
		const picked = await models.picked(request.model);
		const askedClient = picked.definition && {
			client: refOfClient(picked.definition.client),
			baseUrl: picked.definition.client.baseUrl,
			message: hasAttachments(request) ? undefined : withoutAddress(request.prompt),
		};
		using buttons = new LastButtons(stream);
		const renderer = new ChatRenderer(buttons.stream, session.id, askedClient);
		const notes = new AnswerNotes(sessions, readiness, session, buttons.stream);
		/** Ids of the tools that were called, by call. */
		const begun = new Map<string, string>();
		let next: NextFacts = {};
		let stopped = false;
		try {
			const interrupted = await chats.interrupted(session);
			followHistory(session.discovery, pastTurns(context.history.map(historyEntry)), {
				isInterrupted: interrupted !== undefined,
			});
			chats.answering(session, request.prompt, begun);
			for await (const event of loop.run(message, { session, picked, renderer, notes, interrupted })) {
				// In a closing window, calls fail and answers end. The loop has not logged that yet.
				if (mayComeOfClosing(event) && !(await isWindowOpen())) chats.close();
				renderer.render(event);
				if (event.type === 'end' && event.reason === 'cancelled') stopped = true;
				const { event: inner, agents } = unwrapped(event);
				notes.note(inner);
				next = updatedFacts(next, inner);
				// A call that still waits for the user's permission has done nothing.
				if (inner.type === 'toolBegun') begun.set(inner.call.id, inner.tool.id);
				// An agent's calls are not part of this chat's conversation.
				if (inner.type === 'toolFinished' && agents.length > 0) begun.delete(inner.call.id);
				if (inner.type === 'toolBegun' || inner.type === 'usage')
					chats.answering(session, request.prompt, begun);
			}
		} finally {
			renderer.dispose();
			if (await isWindowOpen()) await chats.answered(session);
		}
		notes.show();
		sessions.setUnsent(session, { model: request.model.name, reasons: notes.unsent });
		return { called: [...notes.called], stopped, next };
	}
}

/** Whether the end of a window can be the reason for an event. */
function mayComeOfClosing(event: LoopEvent): boolean {
	return event.type === 'end' || (event.type === 'toolFinished' && event.result.isError);
}

/**
 * Whether the window is still open. While it closes, the editor rejects what it was asked, so calls fail and the answer ends: that is an
 * interruption.
 */
async function isWindowOpen(): Promise<boolean> {
	try {
		await vscode.commands.getCommands(true);
		return true;
	} catch {
		return false;
	}
}
