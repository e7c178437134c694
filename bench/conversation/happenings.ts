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

/** Events that can happen to a conversation, as named in figures. */
export type Happening = 'load' | 'schemaChange' | 'evictAndLoad' | 'serverGone' | 'restored';

/** The turn before which the event happens. Five tools are loaded by then, and the turn itself loads none. */
const at = 8;
/** The cap on loaded tools if loading one should evict another. */
const fewTools = 2;
/** The server whose tool changes, and the server that goes away. Tools of both are loaded by then. */
const [changing, going] = ['github', 'google-calendar'];

/** A request and the previous one. */
export type Pair = readonly [before: ChatRequest, next: ChatRequest];

/**
 * Pairs of consecutive requests. For an event that happens once: the first request after it. For loading, which happens in every
 * other turn: all requests of the conversation, because its cost depends on how often it happens.
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
	const changes: Partial<Record<Happening, (session: DiscoverySession) => DiscoverySession>> = {
		schemaChange: withSurface(surface(changedServers(servers), 2)),
		serverGone: withSurface(
			surface(
				servers.filter(({ name }) => name !== going),
				2,
			),
		),
		restored: (session) => reopened(session, surface(structuredClone(servers), 2)),
	};
	const happens = changes[happening];
	const happenings: Happenings = new Map(happens ? [[at, happens]] : []);
	// The last turns call tools that would have been evicted by then.
	const turnsPlayed = happening === 'evictAndLoad' ? script.slice(0, at + 2) : script;
	const turns = await requestsOf(turnsPlayed, surface(servers, 1), loading, happenings);
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

/** The same tools; all tools of one server have one more parameter. */
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

/** The conversation in another window, which has only the stored log. */
function reopened({ log }: DiscoverySession, surface: ToolSurface): DiscoverySession {
	return new DiscoverySession(surface, new ChatLog(structuredClone(log.entries)));
}
