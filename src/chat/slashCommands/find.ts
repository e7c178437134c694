import { assertNever } from '../../discovery/assertNever.ts';
import type { DiscoverySession } from '../../discovery/discoverySession.ts';
import { code, codeBlock, plain } from '../../discovery/markdown.ts';
import { findTools, type SearchFindings, type SearchHit } from '../../discovery/searchTools/findTools.ts';
import type { NearestTools } from '../../discovery/searchTools/nearestTools.ts';
import { isUncertain } from '../../discovery/searchTools/outcome.ts';
import { parseRequest } from '../../discovery/searchTools/request.ts';
import { searchResultJson } from '../../discovery/searchTools/resultJson.ts';
import { matchLine } from './matchLine.ts';
import { commandName } from './namedTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted, toolLine, toolList } from './toolLine.ts';

const jsonFlag = /(^|\s)--json(?=\s|$)/;

/** `/find WORDS`, `/find select:A,B`, with `--json` for the JSON form: searches, and loads nothing. */
export async function find(args: string, { session }: SlashCommandContext): Promise<string> {
	const query = args.replace(jsonFlag, ' ').trim();
	const parsed = parseRequest({ query });
	const findings = parsed.ok ? await findTools(session.surface, parsed.request) : parsed;
	const deferred = session.surface.deferred.length;
	if (jsonFlag.test(args)) {
		return codeBlock(JSON.stringify(searchResultJson(query, findings, deferred), null, 2), 'json');
	}
	if (!parsed.ok) return 'Find what? Example: `/find create a file`';
	if (!findings.ok) return plain(findings.message);
	if (deferred === 0 && findings.hits.length === 0) {
		const loaded = counted(session.surface.loaded.length, 'tool');
		return `Nothing is deferred, so there is nothing to find: ${loaded} loaded. \`/tools\` lists them.`;
	}
	const found = findings.hits.length > 0 ? await foundParts(findings, query, session) : [];
	const nothing = findings.kind === 'keyword' && found.length === 0;
	return [
		...found,
		...(nothing ? nothingParts(findings.nearest, query, session) : []),
		...findings.missing.map(missingLine),
	].join('\n\n');
}

async function foundParts(
	{ kind, hits, further, more }: SearchFindings,
	query: string,
	session: DiscoverySession,
): Promise<string[]> {
	const index = kind === 'keyword' ? await session.surface.index() : undefined;
	const lines = hits.map((hit) => {
		const why = index ? matchLine(index.explain(query, hit.tool)) : '';
		// Two blanks at the end of a line break it within its item.
		return why ? `${hitLine(hit, session)}  \n  ${why}` : hitLine(hit, session);
	});
	return [
		lines.join('\n'),
		...(hits.every(isUncertain) ? ['None of them is a sure match.'] : []),
		...(more > 0 ? [moreLine(more, further)] : []),
		`Load them for this chat: ${code(`/load ${hits.map(({ tool }) => commandName(tool)).join(' ')}`)}`,
	];
}

function hitLine(hit: SearchHit, session: DiscoverySession): string {
	return `- ${toolLine(hit.tool, session, ...(isUncertain(hit) ? ['uncertain'] : []))}`;
}

function moreLine(more: number, further: readonly SearchHit[]): string {
	const next = further.length > 0 ? ` The next best: ${toolList(further.map(({ tool }) => tool))}.` : '';
	return `${more} more match less well.${next}`;
}

function nothingParts(
	nearest: NearestTools | undefined,
	query: string,
	{ surface }: DiscoverySession,
): string[] {
	const deferred = counted(surface.deferred.length, 'deferred tool');
	return [
		`Nothing among ${deferred} matches ${code(query)}. Try other words, or \`/tools\` for the whole list.`,
		...(nearest ? nearestParts(nearest) : []),
	];
}

function nearestParts(nearest: NearestTools): string[] {
	const tools = toolList(nearest.tools);
	switch (nearest.kind) {
		case 'resembling': {
			const servers = nearest.servers.map(
				(server) => `${code(server.name)} (${counted(server.tools, 'tool')})`,
			);
			return [`Nearest servers: ${servers.join(', ')}. Nearest tools: ${tools}.`];
		}
		case 'spelling':
			return tools ? [`Closest names: ${tools}.`] : [];
		case 'server':
			return tools ? [`${code(nearest.server)} has: ${tools}.`] : [];
		default:
			return assertNever(nearest);
	}
}

function missingLine({ name, why, candidates }: SearchFindings['missing'][number]): string {
	if (why === 'ambiguous') return `More than one tool is called ${code(name)}: ${toolList(candidates)}.`;
	return `There is no tool ${code(name)}.${candidates.length > 0 ? ` Closest names: ${toolList(candidates)}.` : ''}`;
}
