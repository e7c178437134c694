import { assertNever } from '../../common/assertNever.ts';
import { englishToolCount, listText, nameLimit, oneLine } from '../../common/text.ts';
import { boundTokens } from '../../common/tokens.ts';
import { serverNameLimit } from '../catalog/manifest.ts';
import type { Loading } from '../catalog/policy.ts';
import type { Unsearched, UnsearchedServer } from '../catalog/searchMiss.ts';
import { callToolName } from '../catalog/syntheticTool.ts';
import type { Hit } from '../search/hit.ts';
import { maxNames } from '../search/searchRequest.ts';
import type { MissingName, NearestTools } from './findTools.ts';
import { closestTools, isUncertain, type OutcomeHit, type SearchOutcome } from './findTools.ts';
import { type Detail, details, nameLine, schemaEntry, toolEntry } from './toolText.ts';

/** Token budget of a result (an upper bound by `boundTokens`), and per tool found if that is more. */
const resultTokens = 455;
const tokensPerTool = 80;
/** Lines for tools that are not loaded. Entries are shortened to make room for them, because the model learns these names nowhere else. */
const keptLines = 20;
/** Share of the best score below which a tool is not named. */
const minShare = 0.1;
/** Characters of the repeated query. */
const queryLimit = 200;
/** Tools named on one line. */
const listedTools = 50;

const byExactName = 'load one by its exact name with tool_names';

type Found = Extract<SearchOutcome, { readonly ok: true }>;

/**
 * What the model reads of a search. Bounded in tokens: entries tell less, level by level, until some lines of further tools have
 * room; then there are as many of these as fit, the least likely left out first. With `native` the definitions come
 * beside it, so only the rest is told; with `call` they are told here, beyond the bound, because they come from nowhere else.
 */
export function searchResultText(outcome: SearchOutcome, loading: Loading = 'append'): string {
	const { unsearched } = outcome;
	const text = outcome.ok ? foundText(outcome, loading) : `Error: ${outcome.message}`;
	return unsearched ? `${text}\n\n${unsearchedText(unsearched)}` : text;
}

function foundText(outcome: Found, loading: Loading): string {
	const layout = resultLayouts[loading];
	const budget = Math.max(resultTokens, tokensPerTool * outcome.hits.length);
	const measured = (detail: Detail) => compose(outcome, layout, (hit) => layout.bounded(hit, detail), []);
	const room = (detail: Detail) => budget - boundTokens(measured(detail));
	const minScore = minShare * (outcome.hits[0]?.score ?? 0);
	const isNear = ({ score }: Hit) => score >= minScore;
	const { riskyCount = 0 } = outcome;
	const tools = outcome.further.filter((hit, i) => i < riskyCount || isNear(hit)).map(({ tool }) => tool);
	const lines = isUnsure(outcome)
		? tools.slice(0, closestTools).map((tool) => nameLine(tool))
		: tools.map((tool, i) => nameLine(tool, i < riskyCount + describedLines ? furtherWords : 0));
	const least = tokensOfLines(lines.slice(0, keptLines));
	const detail = details.find((level) => room(level) >= least) ?? 'least';
	const described = layout.unbounded ?? ((hit: OutcomeHit) => layout.bounded(hit, detail));
	return compose(outcome, layout, described, linesWithin(lines, room(detail)));
}

/** Whether a keyword search found tools but is sure of none. */
function isUnsure({ kind, hits, further, nearest }: Found): boolean {
	return (
		kind === 'keyword' &&
		!nearest &&
		further.length > 0 &&
		hits.every(({ state }) => state === 'already-loaded') &&
		hits.every(isUncertain)
	);
}

/** How found tools are described for a way of loading. */
interface ResultLayout {
	/** A tool's text within the budget; empty: not described. */
	readonly bounded: (hit: OutcomeHit, detail: Detail) => string;
	/** A tool's text beyond the budget. */
	readonly unbounded?: (hit: OutcomeHit) => string;
	readonly heading: boolean;
	/** Last sentence, if any tool was found. */
	readonly ending: string;
}

const resultLayouts: Record<Loading, ResultLayout> = {
	append: {
		bounded: toolEntry,
		heading: true,
		ending: 'These tools are now loaded and available to call.',
	},
	native: {
		bounded: ({ state, tool }) => (state === 'loaded' ? '' : `- ${tool.wireName} [Already loaded]`),
		heading: false,
		ending: '',
	},
	call: {
		bounded: (hit) => toolEntry(hit, 'least'),
		unbounded: schemaEntry,
		heading: true,
		ending: `These tools are now loaded: call them with ${callToolName}, by the name in parentheses.`,
	},
};

function compose(
	outcome: Found,
	{ heading, ending }: ResultLayout,
	told: (hit: OutcomeHit) => string,
	further: readonly string[],
): string {
	const { hits, missing } = outcome;
	const shown = hits.filter((hit) => isLoaded(hit.state));
	const refused = hits.filter(({ state }) => state === 'refused').map(({ tool }) => tool.wireName);
	// Ambiguous names and tools of other servers are not missing: a line of their own lists what they may mean.
	const isNamed = outcome.kind === 'select' && missing.some(({ why }) => why !== 'unknown');
	const isUnsureOfAll = isUnsure(outcome);
	const parts = hits.length === 0 && !isNamed && !isUnsureOfAll ? nothingFound(outcome) : [];
	if (shown.length > 0 && heading) parts.push(`Found ${englishToolCount(shown.length)}:`);
	parts.push(...shown.map(told).filter(Boolean));
	parts.push(
		...waitingPart(outcome),
		...missing.map(missingLine),
		...unreadPart(outcome),
		...(isUnsureOfAll ? [[closestHeading, ...further].join('\n')] : namedParts(outcome, further)),
	);
	if (refused.length > 0)
		parts.push(`Not loaded, because this turn cannot load more tools: ${listText(refused, listedTools)}`);
	for (const { tool, refusal } of hits.filter(({ state }) => state === 'unsendable'))
		parts.push(
			`Not loaded, because your provider rejects its definition; do not call it: ${tool.wireName}. ${refusal}`,
		);
	if (shown.length > 0 && ending) parts.push(ending);
	return parts.join('\n\n');
}

function isLoaded(state: OutcomeHit['state']): boolean {
	return state === 'loaded' || state === 'already-loaded';
}

const closestHeading = `No sure match. The closest tools, not loaded; ${byExactName}:`;
const riskyHeading = `Uncertain, and may change data: not loaded; ${byExactName}:`;
const furtherHeading = `The next best, not loaded; ${byExactName}:`;
/** How many of the next best are listed with the start of their description; the others by name only. */
const describedLines = 3;
const furtherWords = 5;

function namedParts({ riskyCount = 0, more }: Found, lines: readonly string[]): string[] {
	const further = lines.slice(riskyCount);
	const parts =
		lines.length > further.length ? [[riskyHeading, ...lines.slice(0, riskyCount)].join('\n')] : [];
	const matching = `${more} more ${more === 1 ? 'tool matches' : 'tools match'} less well`;
	if (further.length > 0) parts.push([`${matching}. ${furtherHeading}`, ...further].join('\n'));
	else if (more > 0) parts.push(`${matching}; say more of what you need to find them.`);
	return parts;
}

function tokensOfLines(lines: readonly string[]): number {
	return lines.length > 0 ? boundTokens([riskyHeading, furtherHeading, ...lines].join('\n')) : 0;
}

/** As many of the first lines as fit. */
function linesWithin(lines: readonly string[], tokens: number): readonly string[] {
	const count = lines.findIndex((_, i) => tokensOfLines(lines.slice(0, i + 1)) > tokens);
	return count < 0 ? lines : lines.slice(0, count);
}

function nothingFound({ query, nearest }: Found): string[] {
	return [
		`No tools found matching '${oneLine(query, queryLimit)}'.`,
		'No matching tools found; try a different query, a server_name or exact tool_names.',
		...(nearest ? nearestParts(nearest) : []),
	];
}

function nearestParts(nearest: NearestTools): string[] {
	const lines = nearest.tools.map((tool) => nameLine(tool));
	switch (nearest.kind) {
		case 'spelling':
			return lines.length > 0 ? [[`Closest names, not loaded; ${byExactName}:`, ...lines].join('\n')] : [];
		case 'server': {
			const serverHas = `Server '${oneLine(nearest.server, nameLimit)}' has ${englishToolCount(nearest.count)}`;
			return lines.length > 0 ? [[`${serverHas}; ${byExactName}:`, ...lines].join('\n')] : [`${serverHas}.`];
		}
		default:
			return assertNever(nearest);
	}
}

/** Uses wire names: they are unique, can be requested, and carry no server text. */
function missingLine({ name, why, candidates }: MissingName): string {
	const quotedName = `'${oneLine(name, nameLimit)}'`;
	const names = listText(
		candidates.map((tool) => tool.wireName),
		listedTools,
	);
	switch (why) {
		case 'unknown':
			return `Error: Unknown tool ${quotedName}.${names ? ` Closest names: ${names}` : ''}`;
		case 'ambiguous':
			return `Error: More than one tool is called ${quotedName}: ${names}. Give the full name of one.`;
		case 'other-server':
			return `Error: Tool ${quotedName} is not on that server; it is ${names}.`;
	}
}

/** Unsearched servers that are named. */
const namedUnsearched = 10;

const reasons: Readonly<Record<UnsearchedServer['why'], string>> = {
	starting: 'still starting: search again in a moment',
	unapproved: "waits for the user's approval",
	'signed-out': 'the user is not signed in to it',
	failed: 'failed to start',
	stopped: 'stopped by the user',
	faulty: 'switched off by a fault in the configuration',
	forbidden: 'not allowed by the settings of VS Code or an administrator',
};

/** Tells the model what could not be searched, so that it does not assume there is no such tool. */
function unsearchedText({ servers, outside }: Unsearched): string {
	const names = servers.map(({ name, why }) => `${oneLine(name, serverNameLimit)} (${reasons[why]})`);
	return [
		...(names.length > 0
			? [
					`Not searched, because their tools are unknown: ${listText(names, namedUnsearched)}. They may have what you need. Tell the user, instead of concluding that there is no such tool.`,
				]
			: []),
		...(outside
			? [
					`The toolset '${oneLine(outside.toolset, serverNameLimit)}' that the user chose for this chat leaves out ${outside.servers} ${outside.servers === 1 ? 'server, which was' : 'servers, which were'} not searched.`,
				]
			: []),
	].join('\n');
}

/** Names only: the user has not accepted the tool's current texts yet. */
function waitingPart({ waiting = [] }: Found): string[] {
	if (waiting.length === 0) return [];
	const names = waiting.map(({ id }) => `'${oneLine(id, nameLimit)}'`).join(', ');
	const [match, wait] = waiting.length === 1 ? ['matches', 'waits'] : ['match', 'wait'];
	return [`${names} ${match} and ${wait} for the user's approval of a change: tell the user to review it.`];
}

function unreadPart({ unread }: Found): string[] {
	if (unread === undefined) return [];
	return [
		`Only the first ${maxNames} names were looked up, and ${unread} were not. Use fewer names, or search with a query.`,
	];
}
