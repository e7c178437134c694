import * as l10n from '@vscode/l10n';
import { toolCount } from '../../chat/counts.ts';
import { code, plain } from '../../discovery/markdown.ts';
import type { NearestTools } from '../../discovery/searchTools/nearestTools.ts';
import { isUncertain, type OutcomeHit, type SearchOutcome } from '../../discovery/searchTools/outcome.ts';

/** A search in one line of the chat: what was searched for, what it loaded, and where nothing fits what is nearest. */
export function searchLine(outcome: SearchOutcome): string {
	if (!outcome.ok) return plain(outcome.message);
	const named = (...states: OutcomeHit['state'][]) =>
		outcome.hits
			.filter((hit) => states.includes(hit.state))
			.map(hitName)
			.join(', ');
	const loaded = named('loaded');
	const already = named('already-loaded');
	const refused = named('refused', 'crowded');
	const found = [
		...(loaded ? [l10n.t('loaded {0}', loaded)] : []),
		...(already ? [l10n.t('{0} loaded already', already)] : []),
		...(refused ? [l10n.t('no room for {0}', refused)] : []),
	];
	const result = found.join('; ') || nothing(outcome.nearest);
	const words = l10n.t('Searched {0} for {1}: {2}', toolCount(outcome.searched), code(outcome.query), result);
	return `$(search) ${words}`;
}

function hitName(hit: OutcomeHit): string {
	const name = code(hit.tool.id);
	return isUncertain(hit) ? l10n.t('{0} (uncertain)', name) : name;
}

function nothing(nearest: NearestTools | undefined): string {
	if (!nearest) return l10n.t('nothing found');
	const names =
		nearest.kind === 'resembling'
			? nearest.servers.map(({ name }) => name)
			: nearest.tools.map(({ id }) => id);
	return names.length > 0
		? l10n.t('nothing fits; nearest: {0}', names.map((name) => code(name)).join(', '))
		: l10n.t('nothing fits');
}
