import { code, plain } from '../../discovery/markdown.ts';
import type { NearestTools } from '../../discovery/searchTools/nearestTools.ts';
import { isUncertain, type OutcomeHit, type SearchOutcome } from '../../discovery/searchTools/outcome.ts';
import { toolCount } from '../counts.ts';

/** A search in one line of the chat: what was searched for, what it loaded, and where nothing fits what is nearest. */
export function searchLine(outcome: SearchOutcome): string {
	if (!outcome.ok) return plain(outcome.message);
	const named = (state: OutcomeHit['state']) =>
		outcome.hits
			.filter((hit) => hit.state === state)
			.map(hitName)
			.join(', ');
	const [loaded, already, refused] = [named('loaded'), named('already-loaded'), named('refused')];
	const found = [
		...(loaded ? [`loaded ${loaded}`] : []),
		...(already ? [`${already} loaded already`] : []),
		...(refused ? [`no room for ${refused}`] : []),
	];
	const what = `$(search) Searched ${toolCount(outcome.searched)} for ${code(outcome.query)}`;
	return `${what}: ${found.join('; ') || nothing(outcome.nearest)}`;
}

function hitName(hit: OutcomeHit): string {
	return `${code(hit.tool.id)}${isUncertain(hit) ? ' (uncertain)' : ''}`;
}

function nothing(nearest: NearestTools | undefined): string {
	if (!nearest) return 'nothing found';
	const names =
		nearest.kind === 'resembling'
			? nearest.servers.map(({ name }) => name)
			: nearest.tools.map(({ id }) => id);
	return names.length > 0
		? `nothing fits; nearest: ${names.map((name) => code(name)).join(', ')}`
		: 'nothing fits';
}
