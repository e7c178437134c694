import { oneLine, toolCount } from '../text.ts';
import type { ToolSurface } from '../toolSurface.ts';

/** Servers that one list names, tools that are named of one server, and characters of a server's name. */
const namedServers = 20;
const namedTools = 5;
const nameLimit = 80;

/** Deferred tools by server: wire names, which are unique and carry no text of a server. */
export type Findable = ReadonlyMap<string, ReadonlySet<string>>;

const known = new WeakMap<ToolSurface, Findable>();

/** What can be found on a surface; made once a surface. */
export function findable(surface: ToolSurface): Findable {
	let servers = known.get(surface);
	if (!servers) {
		servers = deferredByServer(surface);
		known.set(surface, servers);
	}
	return servers;
}

/**
 * What can be found now and could not be before, and the other way round, in a paragraph for the model, whose manifest is frozen;
 * `undefined` where nothing of that has changed.
 */
export function surfaceChanges(old: Findable, current: Findable): string | undefined {
	if (old === current) return undefined;
	const added = [...current].filter(([server]) => !old.has(server));
	const gone = [...old.keys()].filter((server) => !current.has(server));
	const changed = [...current].flatMap(([server, tools]) => changeLine(server, old.get(server), tools));
	const lines = [
		...listed(
			'New servers',
			added.map(([server, tools]) => `${shown(server)} (${toolCount(tools.size)})`),
		),
		...listed('Servers that are gone', gone.map(shown)),
		...changed.slice(0, namedServers),
	];
	return lines.length > 0 ? ['Changed since the list of servers was made:', ...lines].join('\n') : undefined;
}

function changeLine(
	server: string,
	old: ReadonlySet<string> | undefined,
	now: ReadonlySet<string>,
): string[] {
	if (!old) return [];
	const changes = [
		...namedOrCounted(
			'new',
			[...now].filter((name) => !old.has(name)),
		),
		...namedOrCounted(
			'gone',
			[...old].filter((name) => !now.has(name)),
		),
	];
	return changes.length > 0 ? [`- ${shown(server)}: ${changes.join('; ')}`] : [];
}

function namedOrCounted(word: string, wireNames: readonly string[]): string[] {
	if (wireNames.length === 0) return [];
	const rest = wireNames.length - namedTools;
	const names = wireNames.slice(0, namedTools).join(', ');
	return [`${word} ${rest > 0 ? `${names} and ${rest} more` : names}`];
}

function listed(heading: string, entries: readonly string[]): string[] {
	if (entries.length === 0) return [];
	const rest = entries.length - namedServers;
	const names = entries.slice(0, namedServers).join(', ');
	return [`- ${heading}: ${rest > 0 ? `${names} and ${rest} more` : names}`];
}

function deferredByServer({ deferred }: ToolSurface): Map<string, Set<string>> {
	const servers = new Map<string, Set<string>>();
	for (const { server, wireName } of deferred) {
		const names = servers.get(server);
		if (names) names.add(wireName);
		else servers.set(server, new Set([wireName]));
	}
	return servers;
}

function shown(server: string): string {
	return oneLine(server, nameLimit);
}
