import {
	Catalog,
	type CatalogServer,
	ChatLog,
	type DiscoveryPolicy,
	DiscoverySession,
	type Loading,
	ToolSurface,
} from '../../src/discovery/index.ts';
import type { ChatRequest } from '../../src/models/chatModel.ts';
import { type Happenings, requestsOf } from './conversing.ts';
import { script } from './script.ts';

/** What may happen to a conversation, as the keys of figures name it. */
export type Happening = 'load' | 'schemaChange' | 'evictAndLoad' | 'serverGone' | 'restored';

/** The turn before which something happens: five tools are loaded by then, and in the turn itself none is. */
const at = 8;
/** So many tools may be loaded at once where loading one is to evict another. */
const fewTools = 2;
/** Whose tool changes, and who goes: the tools of both are loaded by then. */
const [changing, going] = ['github', 'google-calendar'];

/** A request, and the one before it. */
export type Pair = readonly [before: ChatRequest, next: ChatRequest];

/**
 * Requests with those before them. Of what happens once: the first request after it. Of loading, which happens in every other turn: all
 * requests of a conversation in which it does, for what it costs depends on how often it happens.
 */
export async function pairsAfter(
	happening: Happening,
	servers: readonly CatalogServer[],
	policy: DiscoveryPolicy,
	loading: Loading,
): Promise<readonly Pair[]> {
	const rules = {
		...policy,
		loading,
		...(happening === 'evictAndLoad' && { maxActiveSchemas: fewTools }),
	};
	const surface = (all: readonly CatalogServer[], version: number) =>
		new ToolSurface(new Catalog(all, version), rules);
	const before: Partial<Record<Happening, (session: DiscoverySession) => DiscoverySession>> = {
		schemaChange: withSurface(surface(changedServers(servers), 2)),
		serverGone: withSurface(
			surface(
				servers.filter(({ name }) => name !== going),
				2,
			),
		),
		restored: (session) => reopened(session, surface(structuredClone(servers), 2)),
	};
	const happens = before[happening];
	const happenings: Happenings = new Map(happens ? [[at, happens]] : []);
	// The last turns call what would have been evicted by then.
	const told = happening === 'evictAndLoad' ? script.slice(0, at + 2) : script;
	const turns = await requestsOf(told, surface(servers, 1), loading, happenings);
	const requests = turns.flat();
	const pairs = requests.slice(1).map((next, i): Pair => [requests[i] ?? next, next]);
	if (happens) {
		const first = turns[at]?.[0];
		return pairs.filter(([, next]) => next === first);
	}
	return pairs;
}

function withSurface(surface: ToolSurface): (session: DiscoverySession) => DiscoverySession {
	return (session) => {
		session.surface = surface;
		return session;
	};
}

/** The same tools, all of one server with one parameter more. */
function changedServers(servers: readonly CatalogServer[]): CatalogServer[] {
	return servers.map((server) =>
		server.name === changing
			? {
					...server,
					tools: server.tools.map((tool) => ({
						...tool,
						inputSchema: {
							...tool.inputSchema,
							properties: { ...Object(tool.inputSchema.properties), verbose: { type: 'boolean' } },
						},
					})),
				}
			: server,
	);
}

/** The conversation in another window, which has nothing but what was kept. */
function reopened({ log }: DiscoverySession, surface: ToolSurface): DiscoverySession {
	return new DiscoverySession(surface, new ChatLog(structuredClone(log.entries)));
}
