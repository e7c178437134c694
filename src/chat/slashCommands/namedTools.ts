import type { CatalogTool } from '../../discovery/catalog.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { code } from '../../discovery/markdown.ts';
import { toolList } from './toolLine.ts';

/** Tools named in the words after a command, and what to say of the names that lead to none. */
export interface NamedTools {
	readonly tools: readonly CatalogTool[];
	/** Markdown. */
	readonly faults: readonly string[];
}

/** Finds the tools named in `args`, separated by blanks or commas. */
export function namedTools(args: string, session: DiscoverySession): NamedTools {
	const tools = new Set<CatalogTool>();
	const faults: string[] = [];
	for (const name of namesIn(args, session)) {
		const resolution = session.surface.names.resolve(name);
		if (resolution.kind === 'found') tools.add(resolution.tool);
		else if (resolution.kind === 'ambiguous') {
			faults.push(`More than one tool is called ${code(name)}: ${toolList(resolution.candidates)}.`);
		} else {
			const closest = resolution.closest.length > 0 ? ` Closest names: ${toolList(resolution.closest)}.` : '';
			faults.push(`There is no tool ${code(name)}${place(session)}.${closest}${serverHint(name, session)}`);
		}
	}
	return { tools: [...tools], faults };
}

/** What a toolset hides is not told, but that it may hide something is. */
function place({ surface }: DiscoverySession): string {
	return surface.toolset ? ` in the toolset ${code(surface.toolset.name)} (\`/toolset none\` leaves it)` : '';
}

function serverHint(name: string, { surface }: DiscoverySession): string {
	const isServer = surface.servers.some((server) => server.name === name);
	return isServer ? ` It is a server: ${code(`/tools ${name}`)} lists its tools.` : '';
}

/** A name by which {@link namedTools} finds a tool among others: one with blanks would be taken for several. */
export function commandName(tool: CatalogTool): string {
	return /[\s,]/.test(tool.id) ? tool.wireName : tool.id;
}

/** A name may hold blanks: the whole text is tried before its words. */
function namesIn(args: string, session: DiscoverySession): string[] {
	const whole = args.trim();
	if (session.surface.names.resolve(whole).kind === 'found') return [whole];
	return whole.split(/[\s,]+/).filter(Boolean);
}
