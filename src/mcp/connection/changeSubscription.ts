import { setTimeout as delay } from 'node:timers/promises';
import type { McpLimits } from '../limits.ts';
import { ResumeBackoff } from './streamableTransport.ts';

/** What a subscription asks for. */
type ChangeFilter = { [name in `${'tools' | 'resources' | 'prompts'}ListChanged`]?: true };

interface ChangeSource {
	readonly filter: ChangeFilter;
	readonly listen: (
		filter: ChangeFilter,
		options: { readonly timeout: number; readonly signal: AbortSignal },
	) => Promise<{ readonly closed: Promise<unknown> }>;
	/** Changes between two subscriptions were announced to nobody. */
	readonly onGap: () => void;
	readonly limits: Pick<McpLimits, 'longestResumeMs' | 'listPageMs'>;
	readonly signal: AbortSignal;
}

/** In the newer protocol, a server announces changes only to subscribers. Subscribes as long as the connection lasts. */
export async function followChanges({
	filter,
	listen,
	onGap,
	limits: { longestResumeMs, listPageMs: timeout },
	signal,
}: ChangeSource): Promise<void> {
	const backoff = new ResumeBackoff(longestResumeMs);
	for (let round = 0; !signal.aborted && !backoff.isHopeless; round += 1) {
		if (round > 0) onGap();
		const listening = await listen(filter, { timeout, signal }).catch(() => {});
		const began = performance.now();
		await listening?.closed;
		const wait = backoff.next(performance.now() - began > longestResumeMs);
		await delay(wait, undefined, { signal }).catch(() => {});
	}
}
