import type { CatalogTool } from '../../discovery/catalog.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { nearestName } from '../../discovery/nearestName.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted, isLoaded, toolLine } from './toolLine.ts';

/** Tools of a server that are named beside others, and those listed when the server is asked for. */
const namedOfServer = 100;
const listedOfServer = 500;

/** `/tools`: every server with the names of its tools; `/tools SERVER`: its tools with their state. */
export function tools(args: string, { session }: SlashCommandContext): string {
	const { servers, deferred } = session.surface;
	const wanted = args.trim();
	if (wanted) return oneServer(wanted, session);
	if (servers.length === 0) return 'No server has listed a tool yet.';
	const total = `${counted(session.loadedTools.length, 'tool')} loaded, ${deferred.length - session.activated.length} deferred.`;
	return [...servers.map(({ name }) => brief(name, session)), total].join('\n\n');
}

function oneServer(wanted: string, session: DiscoverySession): string {
	const names = session.surface.servers.map((server) => server.name);
	const name =
		names.find((known) => known === wanted) ??
		names.find((known) => known.toLowerCase() === wanted.toLowerCase());
	if (name === undefined) {
		const closest = nearestName(wanted, names);
		const listed =
			names.length > 0
				? `Servers: ${names.map((known) => code(known)).join(', ')}`
				: 'No server has listed a tool yet.';
		return `There is no server ${code(wanted)}.${closest ? ` Did you mean ${code(closest)}?` : ''} ${listed}`;
	}
	const its = toolsOf(name, session);
	const lines = its.slice(0, listedOfServer).map((tool) => `- ${toolLine(tool, session)}`);
	return `${heading(name, its)}\n\n${[...lines, ...rest(its.length - lines.length, '- ')].join('\n')}`;
}

/** Loaded tools in bold. */
function brief(server: string, session: DiscoverySession): string {
	const its = toolsOf(server, session);
	const names = its.slice(0, namedOfServer).map((tool) => {
		const name = plain(tool.name, 80);
		return isLoaded(tool, session) ? `**${name}**` : name;
	});
	return `${heading(server, its)}: ${[...names, ...rest(its.length - names.length)].join(', ')}`;
}

function heading(server: string, its: readonly CatalogTool[]): string {
	return `**${plain(server)}** (${counted(its.length, 'tool')})`;
}

function toolsOf(server: string, session: DiscoverySession): CatalogTool[] {
	return session.surface.tools.filter((tool) => tool.server === server);
}

function rest(n: number, before = ''): string[] {
	return n > 0 ? [`${before}… and ${n} more`] : [];
}
