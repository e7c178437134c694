import { abortable } from '../discovery/cancellation.ts';
import type { DiscoverySession } from '../discovery/discoverySession.ts';
import { noPrefetch, prefetch } from '../discovery/prefetch.ts';
import type { ChatMessage } from '../models/chatModel.ts';
import { evictions } from './evictions.ts';
import type { LoopEvent } from './loopEvent.ts';

/** An index that takes longer than this, in milliseconds, is not waited for: a chat begins with what it has. */
const patienceMs = 1_000;

/**
 * At the beginning of a turn, loads what the user's message names or clearly asks for. `messages`: the conversation so far, that message
 * last. That it cannot be searched fails nothing: the model can search. Throws only what `signal` is aborted with.
 */
export async function* loadAhead(
	session: DiscoverySession,
	messages: readonly ChatMessage[],
	signal: AbortSignal,
): AsyncGenerator<LoopEvent> {
	const message = messages.at(-1);
	if (message?.role !== 'user') return;
	const turn = { isFirst: messages.length === 1, loading: session.loading };
	const found = prefetch(session.surface, message.text, turn).catch(() => noPrefetch);
	const { reason, tools, words } = await abortable(Promise.race([found, impatience()]), signal);
	if (tools.length === 0) return;
	const before = session.activated;
	// While the index was made, the catalog may have changed.
	const present = tools
		.map(({ wireName }) => session.surface.get(wireName))
		.filter((tool) => tool !== undefined);
	const loaded = session.load(present, reason, words);
	if (loaded.length > 0) yield { type: 'prefetched', reason, tools: loaded };
	const active = new Set(session.activated);
	const evicted = before.filter((tool) => !active.has(tool)).map(({ wireName }) => wireName);
	yield* evictions(evicted, session);
}

function impatience(): Promise<typeof noPrefetch> {
	return new Promise((resolve) => setTimeout(resolve, patienceMs, noPrefetch).unref());
}
