import type { SearchMiss, Unsearched, UnsearchedServer } from '../../discovery/catalog/searchMiss.ts';
import { permitsServer, type Toolset } from '../../discovery/catalog/toolset.ts';
import type { ServerPool } from '../serverPool.ts';
import type { ServerStatus } from '../serverStatus.ts';

/** How long a search without a likely hit waits for servers that are starting. */
const missMs = 2000;

interface MissContext {
	readonly pool: Pick<ServerPool, 'servers' | 'whenReady'>;
	readonly toolset: () => Toolset | undefined;
	/** Servers that are off because of faults in their entries. */
	readonly faulty: () => readonly string[];
	readonly signal?: AbortSignal;
	/** Longest wait in milliseconds, if not the default. */
	readonly patienceMs?: number;
}

/** What a search without a likely hit can do about it. */
export function searchMiss({ pool, toolset, faulty, signal, patienceMs = missMs }: MissContext): SearchMiss {
	const unsearched = () => unsearchedOf(pool.servers(), faulty(), toolset());
	return {
		settle: async () => {
			const unlisted = new Set(unsearched()?.servers.map(({ name }) => name));
			const names = pool.servers().flatMap(({ name, state }) => {
				// The message has already waited for servers that install themselves, which takes minutes.
				const isStarting = state.kind === 'starting' && !state.first?.installs;
				return isStarting && unlisted.has(name) ? [name] : [];
			});
			if (names.length > 0) await pool.whenReady(names, { timeoutMs: patienceMs, ...(signal && { signal }) });
		},
		unsearched,
	};
}

/** Servers whose tools are unknown. Cached tools are searched whatever has become of their server. */
export function unsearchedOf(
	statuses: readonly Pick<ServerStatus, 'name' | 'state' | 'listedAt'>[],
	faulty: readonly string[],
	toolset: Toolset | undefined,
): Unsearched | undefined {
	const enabled = statuses.filter(({ state }) => state.kind !== 'disabled');
	const unlisted = enabled.flatMap(({ name, state, listedAt }): UnsearchedServer[] => {
		const { kind } = state;
		if (listedAt !== undefined || kind === 'ready' || kind === 'disabled') return [];
		const explanation = kind === 'failed' ? state.error.details.explanation : undefined;
		return [{ name, why: kind, ...(explanation !== undefined && { explanation }) }];
	});
	const all = [...unlisted, ...faulty.map((name): UnsearchedServer => ({ name, why: 'faulty' }))];
	const servers = all.filter(({ name }) => permitsServer(toolset, name));
	const names = new Set([...enabled.map(({ name }) => name), ...faulty]);
	const outside = [...names].filter((name) => !permitsServer(toolset, name)).length;
	if (servers.length === 0 && outside === 0) return undefined;
	return {
		servers,
		...(toolset && outside > 0 && { outside: { toolset: toolset.name, servers: outside } }),
	};
}
