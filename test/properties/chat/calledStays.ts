import { expect } from 'vitest';
import type { DiscoverySession } from '../../../src/discovery/session/discoverySession.ts';

/** Holds that no tool that was called in a turn makes room in it, unless the user has left so little that nothing else could. */
export class CalledStays {
	/** How often something made room in a turn in which a tool was called. */
	spared = 0;
	#entries = 0;
	readonly #called = new Set<string>();

	check({ log, activations, surface }: DiscoverySession): void {
		// Of the entries, only messages are ever taken out.
		const happened = log.entries.filter(({ kind }) => kind !== 'message');
		for (const entry of happened.slice(this.#entries)) {
			if (entry.kind === 'turn') this.#called.clear();
			if (entry.kind === 'use') this.#called.add(entry.wireName);
			if (entry.kind !== 'evict') continue;
			if (this.#called.size > 0) this.spared++;
			const gone = entry.wireNames.filter((name) => this.#called.has(name));
			if (gone.length === 0) continue;
			const always = new Set(surface.loaded.map(({ wireName }) => wireName));
			// Where it is the request that is full, a definition that stands in a result leaves no room by going.
			const takesRoom = (name: string) =>
				!always.has(name) && !log.definitions.has(name) && surface.get(name);
			const others = activations.map(({ wireName }) => wireName).filter((name) => !this.#called.has(name));
			expect(others.filter(takesRoom), `${gone.join(', ')} made room before these`).toEqual([]);
		}
		this.#entries = happened.length;
	}
}
