import * as z from 'zod';
import { type SavedChat, savedChatIn } from '../../chat/sessions.ts';
import { defined } from '../../common/json.ts';
import { orNothing, salvagedList } from '../../common/storedShapes.ts';

/** What the chat's history keeps of each answer; plain JSON. */
export interface ResultMetadata {
	readonly session?: SavedChat;
	/** Wire names of the tools that were called. */
	readonly called?: readonly string[];
	/** The message that a model answered. */
	readonly asked?: string;
	/** Set if no model answered: a greeting, or a message that came too early. */
	readonly outcome?: 'greeted' | 'notReady';
	readonly next?: NextFacts;
	/** The user stopped the answer. */
	readonly stopped?: true;
}

/** What followups are based on; plain JSON. */
export interface NextFacts {
	/** The last search, if it found nothing. */
	readonly nothingFor?: string;
	/** The tool whose call failed last, as `server:tool`. */
	readonly failed?: string;
}

/** What happened while a message was answered. */
export interface AnswerOutcome {
	/** Wire names of the tools that were called. */
	readonly called: readonly string[];
	/** The user stopped the answer. */
	readonly stopped: boolean;
	readonly next?: NextFacts;
}

const text = orNothing(z.string());

const metadata = z.object({
	session: z.unknown().optional().transform(savedChatIn),
	called: orNothing(salvagedList(z.string())),
	asked: text,
	outcome: orNothing(z.enum(['greeted', 'notReady'])),
	next: orNothing(z.object({ nothingFor: text, failed: text }).transform((next): NextFacts => defined(next))),
	stopped: orNothing(z.literal(true)),
});

/** What the history has of an answer, without what cannot be read: VS Code may have stored it long ago. */
export function metadataIn(stored: unknown): ResultMetadata {
	const { success, data } = metadata.safeParse(stored);
	return success ? defined(data) : {};
}
