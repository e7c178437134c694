import type { DiscoverySession } from '../discovery/discoverySession.ts';
import type { LoopEvent } from './loopEvent.ts';

/** Tells that tools were unloaded to make room; nothing where there were none. */
export function* evictions(wireNames: readonly string[], session: DiscoverySession): Generator<LoopEvent> {
	if (wireNames.length === 0) return;
	yield { type: 'evicted', names: wireNames.map((name) => session.surface.get(name)?.id ?? name) };
}
