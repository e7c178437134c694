import { code, codeBlock, plain } from '../../discovery/markdown.ts';
import { findTools, type SearchFindings } from '../../discovery/searchTools/findTools.ts';
import { parseRequest } from '../../discovery/searchTools/request.ts';
import { searchResultJson } from '../../discovery/searchTools/resultJson.ts';
import { commandName } from './namedTools.ts';
import type { SlashCommandContext } from './slashCommand.ts';
import { counted, toolLine, toolList } from './toolLine.ts';

const jsonFlag = /(^|\s)--json(?=\s|$)/;

/** `/find WORDS`, `/find select:A,B`, with `--json` for the JSON form: searches, and loads nothing. */
export function find(args: string, { session }: SlashCommandContext): string {
	const query = args.replace(jsonFlag, ' ').trim();
	const parsed = parseRequest({ query });
	const findings = parsed.ok ? findTools(session.surface, parsed.request) : parsed;
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
	return [...found(findings, query, { session }), ...findings.missing.map(missingLine)].join('\n\n');
}

function found(
	{ hits, more }: SearchFindings,
	query: string,
	{ session }: Pick<SlashCommandContext, 'session'>,
): string[] {
	if (hits.length === 0) {
		const deferred = counted(session.surface.deferred.length, 'deferred tool');
		return [
			`Nothing among ${deferred} matches ${code(query)}. Try other words, or \`/tools\` for the whole list.`,
		];
	}
	return [
		hits.map(({ tool }) => `- ${toolLine(tool, session)}`).join('\n'),
		...(more > 0 ? [`${more} more match less well.`] : []),
		`Load them for this chat: ${code(`/load ${hits.map(({ tool }) => commandName(tool)).join(' ')}`)}`,
	];
}

function missingLine({ name, why, candidates }: SearchFindings['missing'][number]): string {
	if (why === 'ambiguous') return `More than one tool is called ${code(name)}: ${toolList(candidates)}.`;
	return `There is no tool ${code(name)}.${candidates.length > 0 ? ` Closest names: ${toolList(candidates)}.` : ''}`;
}
