import type { CatalogTool } from '../catalog.ts';
import { compareStrings } from '../compareStrings.ts';
import { type DiscoveryPolicy, isUnconfigured } from '../policy.ts';
import { toolTokens } from '../toolTokens.ts';
import type { Advice } from './advice.ts';
import { serverDeferAdvice, toolDeferAdvice } from './deferAdvice.ts';
import type { Habits } from './habits.ts';
import { pinAdvice } from './pinAdvice.ts';
import { isPinnedAlone } from './pinnedAlone.ts';
import type { Suggestion } from './suggestion.ts';

/** Suggestions at a time: more is a list that nobody reads. */
const mostSuggestions = 5;
/** Tools that are pinned one by one, and their tokens, beyond which pinning would do what discovery is there to undo. */
const mostPins = 24;
const mostPinTokens = 2000;

/** What past chats speak for as things stand now: see the rules. */
export interface SuggestionGrounds {
	readonly habits: Habits;
	/** All there are. */
	readonly tools: readonly CatalogTool[];
	readonly policy: DiscoveryPolicy;
	/** Ids of suggestions that are not to be made again. */
	readonly dismissed?: ReadonlySet<string>;
}

/** The best first; nothing that the configuration says already, and nothing that another of them speaks against. */
export function suggestionsFor(grounds: SuggestionGrounds): readonly Suggestion[] {
	const { habits, policy, dismissed = new Set() } = grounds;
	if (!policy.enabled || habits.chats.length === 0) return [];
	const tools = grounds.tools.filter((tool) => !isUnconfigured(tool, policy));
	const isNew = ({ suggestion }: Advice) => !dismissed.has(suggestion.id);
	const servers = serverDeferAdvice(habits, tools, policy).filter(isNew);
	const whole = new Set(servers.map(({ suggestion }) => suggestion.server));
	const others = [...pinAdvice(habits, tools, policy), ...toolDeferAdvice(habits, tools, policy)]
		.filter(isNew)
		.filter(({ suggestion }) => !whole.has(suggestion.server));
	const ranked = [...servers, ...others].sort(byWorth).map(({ suggestion }) => suggestion);
	const pins = pinsOf(tools, policy);
	return ranked.reduce((made, next) => withSuggestion(made, next, pins), [] as readonly Suggestion[]);
}

function withSuggestion(
	made: readonly Suggestion[],
	next: Suggestion,
	pins: readonly number[],
): readonly Suggestion[] {
	if (made.length === mostSuggestions) return made;
	if (made.some(({ server, kind }) => server === next.server && kind !== next.kind)) return made;
	return next.kind === 'defer' || hasRoom([...pins, ...pinsAmong(made), next.tokens])
		? [...made, next]
		: made;
}

function hasRoom(pins: readonly number[]): boolean {
	return pins.length <= mostPins && pins.reduce((sum, tokens) => sum + tokens, 0) <= mostPinTokens;
}

function pinsAmong(made: readonly Suggestion[]): readonly number[] {
	return made.filter(({ kind }) => kind === 'pin').map(({ tokens }) => tokens);
}

/** Tokens of each tool that is pinned by its name; a server that is pinned as a whole was meant so. */
function pinsOf(tools: readonly CatalogTool[], policy: DiscoveryPolicy): readonly number[] {
	return tools.filter((tool) => isPinnedAlone(tool, policy)).map(toolTokens);
}

function byWorth(a: Advice, b: Advice): number {
	const [one, other] = [a.suggestion, b.suggestion];
	return b.worth - a.worth || one.tokens - other.tokens || compareStrings(one.id, other.id);
}
