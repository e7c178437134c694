import * as l10n from '@vscode/l10n';
import { code, codeBlock } from '../../common/markdown.ts';
import type { Hit } from '../../discovery/search/hit.ts';
import { searchIn } from '../../discovery/session/chatSearch.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import {
	isMiss,
	isMissByWords,
	isUncertain,
	type NearestTools,
	type SearchFindings,
} from '../../discovery/tools/findTools.ts';
import { searchResultJson } from '../../discovery/tools/otherChats.ts';
import { toolCount } from '../counts.ts';
import { waitingLine } from './matchedWords.ts';
import { isLoaded, type SlashCommandContext, toolLine, toolList, toolStateWords } from './namedTools.ts';

const jsonFlag = /(^|\s)--json(?=\s|$)/;
/** Tools that an answer lists. */
const shownTools = 5;

/** `/find WORDS`, `/find select:A,B`, with `--json` for the JSON form: searches, and loads nothing. */
export async function find(
	args: string,
	{ session, miss, onUnsearched, onMiss, onWaiting, onFound }: SlashCommandContext,
): Promise<string> {
	const query = args.replace(jsonFlag, ' ').trim();
	const findings = await searchIn(session, { query }, miss);
	if (findings.unsearched) onUnsearched?.(findings.unsearched);
	if (isMissByWords(findings)) onMiss?.();
	const waiting = findings.ok ? (findings.waiting ?? []) : [];
	if (waiting.length > 0) onWaiting?.(waiting);
	if (jsonFlag.test(args)) {
		const deferred = session.surface.deferred.length;
		return codeBlock(JSON.stringify(searchResultJson(query, findings, deferred), null, 2), 'json');
	}
	if (!findings.ok) return l10n.t('What should search find? Example: {0}', code('/find create a file'));
	const { hits } = findings;
	const loadable = clearest(hits)
		.map(({ tool }) => tool)
		.filter((tool) => !isLoaded(tool, session));
	if (loadable.length > 0) onFound?.(loadable);
	const nothing = findings.kind === 'keyword' && hits.length === 0;
	return [
		...(hits.length > 0 ? foundParts(findings, session) : []),
		...(nothing ? nothingParts(findings.nearest, query, session) : []),
		...(waiting.length > 0 ? [`${waitingLine(waiting)}.`] : []),
		...findings.missing.map(missingLine),
	].join('\n\n');
}

/** The sure hits; if none is sure, the closest one. The button loads these, and they are listed first. */
export function clearest<H extends Pick<Hit, 'confidence'>>(hits: readonly H[]): readonly H[] {
	const sure = hits.filter((hit) => !isUncertain(hit));
	return sure.length > 0 ? sure : hits.slice(0, 1);
}

/** One line for each tool, whether it is worth loading or only close. */
function foundParts(findings: SearchFindings, session: DiscoverySession): string[] {
	const { hits, further } = findings;
	const isUnclear = hits.every(isUncertain);
	const closest = isMiss(findings) ? l10n.t('No clear match. Closest tools:') : l10n.t('Closest tools:');
	const first = new Set(isUnclear ? hits : clearest(hits));
	const weaker = [...hits, ...further].filter((hit) => !first.has(hit));
	const rows = [
		...[...first].map((hit) => row(hit, session, [])),
		...weaker.map((hit) => row(hit, session, [l10n.t('weaker match')])),
	];
	return [...(isUnclear ? [closest] : []), rows.slice(0, shownTools).join('\n')];
}

function row({ tool }: Hit, session: DiscoverySession, marks: readonly string[]): string {
	// Search finds mostly deferred tools, so only the others need a word.
	const state = isLoaded(tool, session) ? toolStateWords(tool, session) : [];
	return `- ${toolLine(tool, [...state, ...marks])}`;
}

function nothingParts(
	nearest: NearestTools | undefined,
	query: string,
	{ surface }: DiscoverySession,
): string[] {
	return [
		l10n.t(
			'None of {0} matches {1}. Try other words, or {2} for a list.',
			toolCount(surface.tools.length),
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
