import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { certainty } from '../../discovery/search/confidence.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { type Filling, fill, type Sources } from './fill.ts';
import type { Literal } from './literals.ts';
import { isSaid, parametersOf } from './parameters.ts';
import { type Deed, deedOf, deedOfTool, hasRole, isGrammar, mayDo, splitName, stemsOf } from './words.ts';

/** A tool with what the step gives it. */
export interface Choice {
	readonly tool: ToolDefinition;
	readonly filling: Filling;
	/** Whether all that the user said speaks for it, so that no search is needed to find a better one. */
	readonly sure: boolean;
	/** How many of the request's words its name has. */
	readonly named: number;
	readonly score: number;
}

/** What a step gets out of the tools there are. */
export interface Choices {
	/** The tool that does it; with values missing if no other has them all. Absent: nothing fits well enough. */
	readonly best?: Choice;
	/** The closest, best first, whether or not they fit. */
	readonly nearest: readonly ToolDefinition[];
}

/** Tools that are looked at for a step, best first. */
const maxConsidered = 12;
/** Confidence from which on a tool is named as the closest. */
const nearEnough = 0.1;
/** Share of the best fitting tool's score below which another is no rival. */
const rivalShare = 0.45;
/** Kinds of actions in which the verb makes no difference: to write a file is to create it. */
const sharedDeeds: ReadonlySet<Deed | undefined> = new Set(['look', 'make', 'send', 'run']);
/** Fields that say what a tool does. */
const telling: ReadonlySet<string> = new Set(['name', 'title', 'summary', 'description']);

/** The search's words for a step: what it says without its values, and what kind of thing these are. */
export function queryOf({ text, literals }: Sources): string {
	const values = literals.filter(({ kind, key }) => kind !== 'word' || key !== undefined);
	// One number may be anything; several are what is calculated with.
	const isSum = values.filter(({ kind, key }) => kind === 'number' && key === undefined).length > 1;
	const parts = values.map((value, i) => {
		const said = text.slice(values[i - 1]?.end ?? 0, value.start);
		return `${said} ${isSum && value.kind === 'number' ? 'two numbers' : nounOf(value, text)} `;
	});
	const query = [...parts, text.slice(values.at(-1)?.end ?? 0)]
		.join('')
		.replace(/^(\s*(?:show|give|get|find|tell)) me\b/i, '$1')
		// "in this git repository" is about git, not in it.
		.replace(/\b(?:in|of|from|at)\s{2,}(?=git|directory|repo)/gi, '')
		.replace(/["“”„«»`]|\s+/g, ' ')
		.trim();
	return query || text.trim();
}

/** What stands for a value: "read" alone finds anything, "read file" what is meant. */
function nounOf({ kind, key, text }: Literal, step: string): string {
	if (key !== undefined || (kind === 'path' && /\b(?:files?|folders?|director(?:y|ies))\b/i.test(step)))
		return '';
	if (kind === 'path' || kind === 'glob') return /[\\/]$/.test(text) ? 'folder' : 'file';
	if (kind === 'date') return 'history';
	if (kind === 'here') return text.replace(/^here$/i, 'directory').replace(/^(?:this|the|my)\s+/i, '');
	return '';
}

/** Of the tools that fit, the one whose values are known; what changes something is never taken on weak evidence. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): Choices {
	const query = queryOf(sources);
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const hits = index.search(query, { limit: maxConsidered, unlikely: true });
	const servers = new Set(tools.map(({ name }) => splitName(name).server.toLowerCase()));
	const choices = hits.flatMap((hit) => {
		const isSure = (hit.confidence ?? 1) >= certainty;
		// The name of a server that is there is no synonym of another's.
		const matches = index
			.explain(query, hit.tool)
			.filter(({ word, as }) => as === undefined || !servers.has(word.toLowerCase()));
		const choice = choiceOf(hit.tool.definition, sources, query, matches, isSure);
		return choice ? [{ ...choice, score: hit.score }] : [];
	});
	const top = Math.max(...choices.map(({ score }) => score));
	const [best] = choices.filter(({ score }) => score >= top * rivalShare).toSorted(byWorth);
	const nearest = hits.filter(({ confidence = 1 }) => confidence >= nearEnough).slice(0, 3);
	return { ...(best && { best }), nearest: nearest.map(({ tool }) => tool.definition) };
}

/** The tool, if it knows all that is said. To look does no harm; to change something wants its verb and its noun, to remove something all nouns. */
function choiceOf(
	tool: ToolDefinition,
	sources: Sources,
	query: string,
	matches: readonly WordMatch[],
	isSure: boolean,
): Omit<Choice, 'score'> | undefined {
	const filling = fill(tool, sources);
	const { missing, said, unused, words } = filling;
	const isReference = ({ kind }: Literal) => kind === 'subject' || kind === 'result';
	// "It" means something that this tool would not get, so calling it would not do what was asked.
	if (missing.length === 0 && unused.some(isReference) && !goesOn(tool, filling, sources)) return undefined;

	const { server, name } = splitName(tool.name);
	const servers = new Set(stemsOf(server));
	const spoken = tokenize(query).filter((word) => !isGrammar(word));
	// "git commit" is to commit.
	const [first = '', second = ''] = spoken;
	const asked = servers.has(stem(first)) && deedOf(second) !== undefined ? spoken.slice(1) : spoken;
	const [verb = ''] = asked;
	const names = new Set(stemsOf(name).filter((word) => !servers.has(word)));
	const nouns = [...new Set(asked)].filter(
		(word) => word !== verb && !isStopWord(word) && !words.has(word) && !servers.has(stem(word)),
	);
	// "readme" is like "read", but that is what the verb has found already.
	const isVerbAgain = ({ as }: WordMatch, word: string) =>
		word !== verb && as !== undefined && stem(as) === stem(verb);
	const matchesOf = (word: string) =>
		matches.filter((match) => tokenize(match.word).includes(word) && !isVerbAgain(match, word));
	const isNamed = (word: string) =>
		names.has(stem(word)) || matchesOf(word).some(({ field }) => field === 'name');
	if (nouns.some((word) => !isNamed(word) && matchesOf(word).length === 0)) return undefined;

	const deed = deedOf(verb);
	const own = deedOfTool(tool);
	const modes = parametersOf(tool).filter((parameter) => /^(?:mode|action|operation)$/i.test(parameter.name));
	const isMode = modes.some(({ choices = [] }) => choices.some((mode) => isSaid(mode, verb)));
	if (!isMode && !mayDo(deed, own)) return undefined;
	// A word that is no verb says too little on its own.
	if (deed === undefined && nouns.length + said.size === 0) return undefined;
	// A synonym is no evidence of the verb, unless it is what the whole server is for.
	const isName =
		(deed !== undefined && names.has(stem(verb))) || matchesOf(verb).some(({ field }) => field === 'server');
	const isTold = matchesOf(verb).some(
		({ field, as, word }) => telling.has(field) && stemsOf(as ?? word).includes(stem(verb)),
	);
	const isVerb = isName || isMode || isTold;
	const isDeed = isVerb || (own === deed && sharedDeeds.has(own));

	// A file that is given is as good as the word, and so is "it", where that is known.
	const isReferred = sources.literals.some((one) => isReference(one) && !unused.includes(one));
	const isPlaced = isReferred || [...said].some((parameter) => hasRole(parameter, 'place'));
	const named = nouns.filter(isNamed).length + (isPlaced ? 1 : 0);
	const isPlain = unused.every(isReference) && (isName || (isDeed && named > 0));
	// What a name ends with is what the tool removes: `delete-task-list` removes no task.
	const head = stemsOf(name).findLast((word) => deedOf(word) === undefined);
	const isHead = head === undefined || nouns.some((word) => stem(word) === head);
	const isRemovable = own !== 'remove' || (isHead && named >= Math.max(1, nouns.length));
	const isEnough = isPlain && isRemovable && (isSure || nouns.length === 0);
	// A value that the tool has no parameter for was meant for another tool, and a verb alone does not say what to look at.
	const isAll = missing.length > 0 || unused.every((value) => isReference(value) || value.key !== undefined);
	const isOfThis =
		named + said.size > 0 || nouns.length > 0 || ![...names].some((word) => word !== stem(verb));
	const fits = own === 'look' ? isAll && isOfThis && (isSure || isPlain) : isEnough;
	// A search may find the tool for one thing beside the one for several.
	const isForOne = listsOfOne(filling) === 0;
	const sure = isSure && isPlain && isVerb && missing.length === 0 && isForOne && !isDeprecated(tool);
	return fits ? { tool, filling, sure, named } : undefined;
}

/**
 * Whether "it" is what the call before has worked on, as this one does: "commit …, then push it" is about one repository. A text is
 * no part of that, and after what changed nothing something must be said of what is to be done.
 */
function goesOn(tool: ToolDefinition, { input, said }: Filling, { before }: Sources): boolean {
	if (!before || splitName(before.wireName).server !== splitName(tool.name).server) return false;
	const matters = Object.entries(before.input).filter(([name]) => !hasRole(name, 'text'));
	const deed = deedOfTool({ name: before.wireName, description: '' });
	const wasChange = deed !== undefined && deed !== 'look';
	const isSame = matters.length > 0 && matters.every(([name, value]) => input[name] === value);
	return isSame && (wasChange || said.size > 0);
}

/**
 * The order of choices: those that lack no value first, then those that use every value, then those that are not deprecated, then those that
 * take one thing, then the better match.
 */
function byWorth(a: Choice, b: Choice): number {
	return (
		Number(a.filling.missing.length > 0) - Number(b.filling.missing.length > 0) ||
		a.filling.unused.length - b.filling.unused.length ||
		Number(isDeprecated(a.tool)) - Number(isDeprecated(b.tool)) ||
		b.named - a.named ||
		listsOfOne(a.filling) - listsOfOne(b.filling) ||
		b.score - a.score
	);
}

/** Values that a tool for several takes as a list of one. */
function listsOfOne({ input }: Filling): number {
	return Object.values(input).filter((value) => Array.isArray(value) && value.length === 1).length;
}

function isDeprecated({ description }: ToolDefinition): boolean {
	return /\bdeprecated\b/i.test(description.slice(0, 200));
}

/** A server of the configuration whose tools cannot be called now. */
export interface UnavailableServer {
	readonly name: string;
	readonly state: 'unapproved' | 'signed-out' | 'stopped' | 'starting' | 'failed' | 'faulty' | 'forbidden';
	/** Why it failed, in a sentence. */
	readonly reason?: string;
	/** What is known of what it does while its tools are not: the user's search hint, the package that it runs. */
	readonly about: string;
}

/** The server that a request is for, as its name and what is known of it say: "file" tells `filesystem`. `undefined`: none of these. */
export function serverFor(
	query: string,
	servers: readonly UnavailableServer[],
): UnavailableServer | undefined {
	const asked = tokenize(query)
		.filter((word) => !isGrammar(word))
		.map(stem);
	const points = ({ name, about }: UnavailableServer) => {
		const known = stemsOf(`${name} ${about}`);
		return asked.filter((word) =>
			known.some((own) => own === word || (word.length > 3 && own.startsWith(word))),
		).length;
	};
	const [best] = servers.toSorted((a, b) => points(b) - points(a));
	return best && points(best) > 0 ? best : undefined;
}
