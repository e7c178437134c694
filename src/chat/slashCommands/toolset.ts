import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { nearestName } from '../../discovery/nearestName.ts';
import type { Toolset } from '../../discovery/toolset.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted } from './toolLine.ts';

/** `/toolset`: lists the toolsets; `/toolset NAME`: chooses one; `/toolset none`: all tools again. */
export function toolset(args: string, { session, toolsets, chooseToolset }: SlashCommandContext): string {
	const wanted = args.trim();
	if (wanted === '') return toolsetList(session, toolsets);
	if (wanted === 'none') {
		chooseToolset(undefined);
		return `No toolset is chosen: ${counted(session.surface.tools.length, 'tool')} can be used.`;
	}
	if (!toolsets.has(wanted)) {
		const closest = nearestName(wanted, [...toolsets.keys()]);
		const hint = closest ? ` Did you mean ${code(closest)}?` : '';
		return `There is no toolset ${code(wanted)}.${hint}\n\n${toolsetList(session, toolsets)}`;
	}
	chooseToolset(wanted);
	const { tools, servers, unknownInToolset: unknown } = session.surface;
	const report =
		unknown.length > 0 ? `\n\nNot found, so ignored: ${unknown.map((name) => code(name)).join(', ')}` : '';
	return `This chat now uses the toolset ${code(wanted)}: ${counted(tools.length, 'tool')} of ${counted(servers.length, 'server')}.${report}`;
}

function toolsetList(session: DiscoverySession, toolsets: ReadonlyMap<string, Toolset>): string {
	if (toolsets.size === 0) {
		return 'The configuration defines no toolsets (`tool_sets`); every tool is available.';
	}
	const chosen = session.surface.toolset?.name;
	const rows = [...toolsets.values()].map(
		({ name, description }) =>
			`- ${code(name)}${name === chosen ? ' (chosen)' : ''}${description ? `: ${plain(description)}` : ''}`,
	);
	return `${rows.join('\n')}\n\nChoose one with \`/toolset NAME\`, or all tools with \`/toolset none\`.`;
}
