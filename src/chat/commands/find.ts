import * as l10n from '@vscode/l10n';
import { code, codeBlock, plain } from '../../common/markdown.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { parseRequest } from '../../discovery/search/searchRequest.ts';
import type { SearchHit } from '../../discovery/search/toolIndex.ts';
import { toolsInUse } from '../../discovery/session/chatSearch.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import {
	closestTools,
	findTools,
	isMiss,
	isMissByWords,
	isUncertain,
	type NearestTools,
	type SearchFindings,
} from '../../discovery/tools/findTools.ts';
import { searchResultJson } from '../../discovery/tools/otherChats.ts';
import { deferredCount, toolCount } from '../counts.ts';
import { matchLine, waitingLine } from './matchLine.ts';
import { commandName, type SlashCommandContext, toolLine, toolList } from './namedTools.ts';

const jsonFlag = /(^|\s)--json(?=\s|$)/;

/** `/find WORDS`, `/find select:A,B`, with `--json` for the JSON form: searches, and loads nothing. */
export async function find(
	args: string,
	{ session, miss, onUnsearched, onMiss, onWaiting }: SlashCommandContext,
): Promise<string> {
	const query = args.replace(jsonFlag, ' ').trim();
	const parsed = parseRequest({ query });
	const search = async () =>
		parsed.ok ? findTools(session.surface, parsed.request, { after: toolsInUse(session) }) : parsed;
	let findings = await search();
	if (isMiss(findings) && miss) {
		const { surface } = session;
		await miss.settle();
		if (session.surface !== surface) findings = await search();
		const unsearched = isMiss(findings) ? miss.unsearched() : undefined;
		if (unsearched) onUnsearched?.(unsearched);
	}
	if (isMissByWords(findings)) onMiss?.();
	const waiting = findings.ok ? (findings.waiting ?? []) : [];
	if (waiting.length > 0) onWaiting?.(waiting);
	const deferred = session.surface.deferred.length;
	if (jsonFlag.test(args)) {
		return codeBlock(JSON.stringify(searchResultJson(query, findings, deferred), null, 2), 'json');
	}
	if (!parsed.ok) return l10n.t('What should search find? Example: {0}', code('/find create a file'));
	if (!findings.ok) return plain(findings.message);
	if (deferred === 0 && findings.hits.length === 0) {
		return l10n.t(
			'Nothing is deferred, so there is nothing to find: {0} loaded. {1} lists them.',
			toolCount(session.surface.loaded.length),
			code('/tools'),
		);
	}
	const found = findings.hits.length > 0 ? await foundParts(findings, query, session) : [];
	const nothing = findings.kind === 'keyword' && found.length === 0;
	return [
		...found,
		...(nothing ? nothingParts(findings.nearest, query, session) : []),
		...(waiting.length > 0 ? [`${waitingLine(waiting)}.`] : []),
		...findings.missing.map(missingLine),
	].join('\n\n');
}

async function foundParts(
	{ kind, hits, further, more }: SearchFindings,
	query: string,
	session: DiscoverySession,
): Promise<string[]> {
	const index = kind === 'keyword' ? await session.surface.index() : undefined;
	const isUnsure = hits.every(isUncertain);
	const shown = isUnsure ? [...hits, ...further].slice(0, closestTools) : hits;
	const lines = shown.map((hit) => {
		const why = index ? matchLine(index.explain(query, hit.tool)) : '';
		// Two blanks at the end of a line break it within its item.
		return why ? `${hitLine(hit, session)}  \n  ${why}` : hitLine(hit, session);
	});
	return [
		...(isUnsure ? [l10n.t('No clear match. Closest tools:')] : []),
		lines.join('\n'),
		...(more > 0 && !isUnsure ? [moreLine(more, further)] : []),
		isUnsure
			? l10n.t('Load one for this chat: {0}', code(`/load ${commandName(shown[0]?.tool as CatalogTool)}`))
			: l10n.t(
					'Load them for this chat: {0}',
					code(`/load ${hits.map(({ tool }) => commandName(tool)).join(' ')}`),
				),
	];
}

function hitLine(hit: SearchHit, session: DiscoverySession): string {
	return `- ${toolLine(hit.tool, session, ...(isUncertain(hit) ? [l10n.t('uncertain')] : []))}`;
}

function moreLine(more: number, further: readonly SearchHit[]): string {
	const count = more === 1 ? l10n.t('1 weaker match.') : l10n.t('{0} weaker matches.', more);
	if (further.length === 0) return count;
	return `${count} ${l10n.t('The next best: {0}.', toolList(further.map(({ tool }) => tool)))}`;
}

function nothingParts(
	nearest: NearestTools | undefined,
	query: string,
	{ surface }: DiscoverySession,
): string[] {
	return [
		l10n.t(
			'Nothing among {0} matches {1}. Try other words, or {2} for the whole list.',
			deferredCount(surface.deferred.length),
			code(query),
			code('/tools'),
		),
		...(nearest ? nearestParts(nearest) : []),
	];
}

function nearestParts(nearest: NearestTools): string[] {
	const tools = toolList(nearest.tools);
	if (!tools) return [];
	return nearest.kind === 'spelling'
		? [l10n.t('Closest names: {0}.', tools)]
		: [l10n.t('{0} has: {1}.', code(nearest.server), tools)];
}

function missingLine({ name, why, candidates }: SearchFindings['missing'][number]): string {
	const tools = toolList(candidates);
	if (why === 'ambiguous') return l10n.t('More than one tool is called {0}: {1}.', code(name), tools);
	const none = l10n.t('There is no tool {0}.', code(name));
	return tools ? `${none} ${l10n.t('Closest names: {0}.', tools)}` : none;
}
