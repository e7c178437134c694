import type { ServerPolicy, ToolPolicy } from '../discovery/policy.ts';
import { serverSections } from './config.ts';
import type { Salvaged } from './salvage.ts';
import type { configSchema, serverSchema } from './schema.ts';

/** The whole file, without its faulty parts. */
export type SalvagedConfig = Salvaged<typeof configSchema>;

/** A server as the file has it, without its faulty parts. */
export type ServerEntry = Salvaged<typeof serverSchema>;

/** Keys that say when a server's tools load. A fault in one of them does not keep the server from starting. */
export const policyKeys = ['defer_loading', 'lazy', 'pinned', 'search_hint', 'tools'];

/** The section whose entry of this name counts. */
export function winningSection(
	config: SalvagedConfig,
	server: string,
): (typeof serverSections)[number] | undefined {
	return serverSections.find((section) => config[section]?.has(server));
}

/**
 * What an entry says on deferral, its aliases resolved: `lazy: true` is `defer_loading: true` and `lazy: false` is
 * `pinned: true`, each only where the canonical key says nothing.
 */
export function serverPolicyOf(entry: ServerEntry): ServerPolicy {
	return {
		deferLoading: entry.defer_loading ?? entry.lazy ?? false,
		pinned: entry.pinned ?? entry.lazy === false,
		...(entry.search_hint === undefined ? {} : { searchHint: entry.search_hint }),
		tools: new Map([...(entry.tools ?? [])].map(([name, tool]) => [name, toolPolicyOf(tool)])),
	};
}

function toolPolicyOf(tool: { readonly defer_loading?: boolean; readonly search_hint?: string }): ToolPolicy {
	return {
		...(tool.defer_loading === undefined ? {} : { deferLoading: tool.defer_loading }),
		...(tool.search_hint === undefined ? {} : { searchHint: tool.search_hint }),
	};
}
