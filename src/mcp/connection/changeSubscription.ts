import { setTimeout as delay } from 'node:timers/promises';
import type { McpLimits } from '../limits.ts';
import { ResumeBackoff } from './streamableTransport.ts';

interface Announcing {
	readonly listChanged?: boolean | undefined;
}

interface ChangeFilter {
	toolsListChanged?: true;
	resourcesListChanged?: true;
	promptsListChanged?: true;
}

interface ChangeSource {
	/** What the server declares. */
	readonly capabilities: {
		readonly tools?: Announcing | undefined;
		readonly resources?: Announcing | undefined;
		readonly prompts?: Announcing | undefined;
	};
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
	capabilities: { tools, resources, prompts },
	listen,
	onGap,
	limits: { longestResumeMs, listPageMs: timeout },
	signal,
}: ChangeSource): Promise<void> {
	const filter: ChangeFilter = {
		...(tools?.listChanged ? { toolsListChanged: true } : {}),
		...(resources?.listChanged ? { resourcesListChanged: true } : {}),
		...(prompts?.listChanged ? { promptsListChanged: true } : {}),
	};
	if (Object.keys(filter).length === 0) return;
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
