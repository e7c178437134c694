import type { CatalogTool } from '../catalog.ts';
import { cleanText, cut, oneLine } from '../text.ts';
import type { MissingName } from './findTools.ts';
import type { OutcomeHit, SearchOutcome } from './outcome.ts';
import { parameterList } from './parameterList.ts';

/** Characters of a description in a result; the whole of it is in the schema that has been loaded. */
const descriptionLimit = 300;
/** Characters of a name in a result: `server:tool`, or one that the model gave. */
const idLimit = 160;
/** Tools that one line names. */
const listedTools = 50;

/** What the model reads of a search. */
export function searchResultText(outcome: SearchOutcome): string {
	if (!outcome.ok) return `Error: ${outcome.message}`;
	const { hits, more, missing, evicted } = outcome;
	const shown = hits.filter((hit) => hit.state !== 'refused');
	const refused = hits.filter((hit) => hit.state === 'refused').map((hit) => hit.tool.wireName);
	const parts = hits.length === 0 ? nothingFound(outcome) : [];
	if (shown.length > 0) parts.push(`Found ${shown.length} tools:`, ...shown.map(entry));
	parts.push(...missing.map(missingLine));
	if (more > 0) parts.push(`${more} more tools match less well; say more of what you need to find them.`);
	if (refused.length > 0) {
		parts.push(`Not loaded, because no more tools can be loaded in this turn: ${listOf(refused)}`);
	}
	if (evicted.length > 0) parts.push(`Unloaded to make room: ${evicted.join(', ')}`);
	if (shown.length > 0) parts.push('These tools are now loaded and available to call.');
	return parts.join('\n\n');
}

function entry({ tool, state }: OutcomeHit): string {
	const mark = state === 'already-loaded' ? ' [Already loaded]' : '';
	const description = cut(cleanText(tool.description ?? tool.title ?? '').trim(), descriptionLimit);
	const lines = description.split(/[\n\r\u2028\u2029]/).filter((line) => line.trim());
	return [
		`- ${oneLine(tool.id, idLimit)} (${tool.wireName})${mark}`,
		...lines.map((line) => `  ${line.trim()}`),
		`  Parameters: ${parameterList(tool.inputSchema)}`,
	].join('\n');
}

function nothingFound({ query }: SearchOutcome): string[] {
	return [
		`No tools found matching '${query}'.`,
		'No matching tools found; try a different query, a server_name or exact tool_names.',
	];
}

/** Names tools by wire name: that is unique, can be asked for, and carries no text of a server. */
function missingLine({ name, why, candidates }: MissingName): string {
	const asked = `'${oneLine(name, idLimit)}'`;
	const names = listOf(candidates.map((tool: CatalogTool) => tool.wireName));
	switch (why) {
		case 'unknown':
			return `Error: Unknown tool ${asked}.${names ? ` Closest names: ${names}` : ''}`;
		case 'ambiguous':
			return `Error: More than one tool is called ${asked}: ${names}. Give the full name of one.`;
		case 'other-server':
			return `Error: Tool ${asked} is not on that server; it is ${names}.`;
	}
}

function listOf(names: readonly string[]): string {
	const rest = names.length - listedTools;
	return rest > 0 ? `${names.slice(0, listedTools).join(', ')}, ... and ${rest} more` : names.join(', ');
}
