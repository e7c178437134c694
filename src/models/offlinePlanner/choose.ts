import { type Choice, nameWords, wordsOfTool } from './candidate.ts';
import type { Request } from './request.ts';
import { suitability } from './suitability.ts';
import { singular } from './words.ts';

/**
 * The best choice: the first, unless another suits better, see {@link isNearer}; or unless it lacks
 * a value or leaves one of the prompt unused, and another takes them all and speaks as much of the user's words. Also,
 * for a single value a tool for one goes before the same for a list.
 */
export function choose(choices: readonly Choice[], request: Request): Choice | undefined {
	const [top, ...others] = choices;
	if (!top) return undefined;
	const first = others.reduce((best, choice) => (isNearer(choice, best, request) ? choice : best), top);
	const better = [top, ...others].find(
		(choice) =>
			choice !== first &&
			takesAll(choice) &&
			closeness(choice, request) >= closeness(first, request) &&
			(takesAll(first)
				? isShortList(first) &&
					!isShortList(choice) &&
					sharedWords(choice, request, nameWords) >= sharedWords(first, request, nameWords)
				: sharedWords(choice, request) >= sharedWords(first, request)),
	);
	return better ?? first;
}

/**
 * Is no worse in its verb, in the words of the request that its name has, and in what it lacks, and better in one of the
 * last two. That it lacks nothing counts only where more speaks for it: a tool without parameters never lacks any.
 */
function isNearer(choice: Choice, other: Choice, request: Request): boolean {
	const words = sharedNouns(choice, request) - sharedNouns(other, request);
	const lacksLess = lacksNothing(choice) && !lacksNothing(other);
	const lacksMore = lacksNothing(other) && !lacksNothing(choice);
	if (closeness(choice, request) < closeness(other, request) || words < 0 || lacksMore) return false;
	const isMeant = choice.filling.said.size > 0 || sharedNouns(choice, request) > 0;
	return words > 0 || (lacksLess && isMeant && sharedWords(choice, request) >= sharedWords(other, request));
}

function lacksNothing({ filling }: Choice): boolean {
	return filling.missing.length === 0;
}

/** How near what the tool does is to what is asked for: 0 unknown, 1 of the same kind, 2 the verb itself is in its name. */
function closeness(choice: Choice, request: Request): number {
	const word = request.verb?.word;
	if (suitability(choice, request) !== 'fits') return 0;
	return word !== undefined && nameWords(choice.tool).has(word) ? 2 : 1;
}

/** Complete, and with every value of the request used, of which there is at least one. */
function takesAll({ filling }: Choice): boolean {
	return (
		filling.missing.length === 0 &&
		filling.unused.length === 0 &&
		filling.said.size > 0 &&
		!filling.byRemainder
	);
}

function isShortList({ filling }: Choice): boolean {
	return Object.values(filling.input).some((value) => Array.isArray(value) && value.length === 1);
}

/** Words of the request, values aside, that stand in what the tool says of itself. */
function sharedWords({ tool }: Choice, { words }: Request, wordsIn = wordsOfTool): number {
	const known = wordsIn(tool);
	return words.filter((word) => known.has(word)).length;
}

/** Words of the request beside its verb that stand in the tool's name. */
function sharedNouns(choice: Choice, request: Request): number {
	const verb = singular(request.verb?.word ?? '');
	return sharedWords(
		choice,
		request,
		(tool) => new Set([...nameWords(tool)].filter((word) => word !== verb)),
	);
}
