import type { DiscoverySession } from '../discovery/discoverySession.ts';
import type { LoopEvent } from './loopEvent.ts';

/** Tells that tools were unloaded to make room; nothing where there were none. */
export function* evictions(wireNames: readonly string[], session: DiscoverySession): Generator<LoopEvent> {
	const { surface } = session;
	const names = surface.nameable(wireNames).map((name) => surface.get(name)?.id ?? name);
	if (names.length > 0) yield { type: 'evicted', names };
}
