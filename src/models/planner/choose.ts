import { certainty, confidenceFloor, isLikely } from '../../discovery/search/confidence.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { isSmallTalk, isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { type Filling, fill, type Sources } from './fill.ts';
import type { Literal } from './literals.ts';
import { parametersOf } from './parameters.ts';
import { type Done, madeFolder, placeOf } from './task.ts';
import {
	type Deed,
	deedOf,
	deedOfTool,
	isGrammar,
	isQuestion,
	mayDo,
	splitName,
	stemsOf,
	verbOf,
} from './words.ts';

/** A tool with what the step gives it. */
export interface Choice {
	readonly tool: ToolDefinition;
	readonly filling: Filling;
	/** Whether all that the user said speaks for it, so that no search is needed to find a better one. */
	readonly sure: boolean;
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
/** Share of the best fitting tool's score below which another is no rival. */
const rivalShare = 0.45;
/** Fields that say what a tool is for. */
const headline: ReadonlySet<string> = new Set(['name', 'title', 'hint', 'summary']);

/** The search's words for a step: what it says without its values, and what kind of thing these are. */
export function queryOf({ text, literals, before }: Sources): string {
	const numbers = literals.filter(({ kind, key }) => kind === 'number' && key === undefined).length;
	let query = '';
	let at = 0;
	for (const literal of literals) {
		if (literal.kind === 'word' && literal.key === undefined) continue;
		query += `${text.slice(at, literal.start)} ${nounOf(literal, text, numbers, before)} `;
		at = literal.end;
	}
	query += text.slice(at);
	const tidy = query
		.replace(/^(\s*(?:show|give|get|find|tell)) me\b/i, '$1')
		.replace(/\b(?:in|of|from|at)\s{2,}(?=(?:git|current|open|folder|directory|workspace|repo)\b)/gi, '')
		.replace(/["“”„«»`]/g, ' ')
		.replace(/\s+/g, ' ')
		.replace(/\s+([,.;:!?])/g, '$1')
		.replace(/(?:[\s,.;:!?]+(?:and|with|to|in|into|from|for|of|as|by|the|a|an|about|at))*[\s,.;:!?]*$/i, '')
		.replace(/^(?:(?:hi|hello|hey|please|can you|could you|would you|i want to|i'd like to)[,!]?\s+)+/i, '')
		.trim();
	return tidy || text.trim();
}

/** A bare file or date leaves the word for what it is, since "read" alone finds anything. */
function nounOf(
	{ kind, key, before, text: value }: Literal,
	text: string,
	numbers: number,
	last?: Done,
): string {
	if (key !== undefined) return '';
	if (kind === 'path' || kind === 'glob') {
		if (/\b(?:files?|folders?|director(?:y|ies)|repo(?:sitory)?)\b/i.test(text) || before[0] === 'called')
			return '';
		return /[\\/]$/.test(value) ? 'folder' : 'file';
	}
	if (kind === 'date') return /\b(?:log|history|commits?)\b/i.test(text) ? '' : 'history';
	// One number may be anything; several are what is calculated with.
	if (kind === 'number')
		return numbers > 1 && !/\bnumbers?\b/i.test(text) && before.length === 1 ? 'two numbers' : '';
	if (kind === 'here')
		return /\b(?:git|repo)/i.test(value) ? value.replace(/^(?:this|the|my)\s+/i, '') : 'directory';
	if (kind === 'subject') return last && !/\b(?:file|folder)\b/i.test(text) ? thingOf(last) : '';
	if (kind === 'url') return /\b(?:urls?|pages?|sites?|websites?)\b/i.test(text) ? '' : 'url';
	return '';
}

/** What the call before was about: what its `branchName` or `card_id` is of, or a file. */
function thingOf(last: Done): string {
	const named = Object.keys(last.input).map((name) => /^(\p{Ll}{3,})(?:_?[Nn]ame|_?[Ii]d)$/u.exec(name)?.[1]);
	const noun = named.find((one) => one !== undefined);
	if (noun !== undefined) return noun;
	return placeOf(last) === undefined ? '' : madeFolder(last) === undefined ? 'file' : 'folder';
}

/** Of the tools that fit, the one whose values are known; what changes something is never taken on weak evidence. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): Choices {
	const query = queryOf(sources);
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const hits = index.search(query, { limit: maxConsidered, unlikely: true });
	const asked = askedOf(query, sources);
	const fitting = hits.flatMap(({ tool, score, confidence = 1 }) => {
		const { definition } = tool;
		const matched = index.explain(query, tool);
		const filling = fill(definition, sources);
		const evidence = evidenceOf(definition, filling, asked, matched);
		if (!fits(evidence, deedOfTool(definition), confidence)) return [];
		return [
			{ tool: definition, filling, score, evidence, sure: confidence >= certainty && isSure(evidence) },
		];
	});
	const top = Math.max(...fitting.map(({ score }) => score));
	const best = fitting
		.filter(({ score, evidence }) => score >= top * rivalShare || evidence.isVerb)
		.toSorted(byWorth)[0];
	return {
		...(best && {
			best: { tool: best.tool, filling: best.filling, sure: best.sure && best.filling.missing.length === 0 },
		}),
		nearest: hits
			.filter(isLikely)
			.slice(0, 3)
			.map(({ tool }) => tool.definition),
	};
}

/** Whether all that was said speaks for a tool. */
function isSure({ verb, silent, nouns, named, drops }: Evidence): boolean {
	return (
		verb !== 'none' && silent === 0 && drops === 0 && (nouns === 0 ? verb === 'name' || named > 0 : named > 0)
	);
}

/** What a step asks for, beside its values. */
interface Asked {
	readonly verb: string | undefined;
	readonly deed: Deed | undefined;
	/** The words that say what is meant, the verb aside. */
	readonly nouns: readonly string[];
}

function askedOf(query: string, { literals }: Sources): Asked {
	const verb = verbOf(query);
	const verbs = verb !== undefined && !isQuestion(verb) ? [verb] : [];
	const here = new Set(literals.filter(({ kind }) => kind === 'here').flatMap(({ text }) => tokenize(text)));
	const words = tokenize(query).filter(
		(word) => !isGrammar(word) && !isStopWord(word) && !isSmallTalk(word) && !here.has(word),
	);
	const numbers = literals.filter(({ kind }) => kind === 'number').length;
	// To add numbers changes nothing.
	const isOther = ({ kind, key }: Literal) => key !== undefined || (kind !== 'word' && kind !== 'number');
	const sums = numbers > 1 && verb === 'add' && !literals.some(isOther);
	return {
		verb,
		deed: sums ? 'look' : verb === undefined ? undefined : deedOf(verb),
		nouns: [...new Set(words)].filter((word) => !verbs.includes(word)),
	};
}

/** What speaks for a tool. */
interface Evidence {
	/** Whether it may change something. */
	readonly changes: boolean;
	/** Whether what it does may be what is asked for. */
	readonly does: boolean;
	/** Whether only looking is asked for. */
	readonly looks: boolean;
	/** Its name is the verb and nothing more: `echo`. */
	readonly isVerb: boolean;
	/** The verb is in its name itself. A mode alone ("continue") is little evidence. */
	readonly isVerbNamed: boolean;
	/** The verb is in its name or is one of its modes; or its name has another that does the same; or its first sentence has it, or the rest of it. */
	readonly verb: 'name' | 'deed' | 'headline' | 'told' | 'none';
	/** Words that it says nothing of. */
	readonly silent: number;
	readonly nouns: number;
	/** Nouns in its name, and in what it says of itself first. */
	readonly named: number;
	readonly headed: number;
	/** Its server is for such things, by name or by the user's own hint. */
	readonly hinted: boolean;
	/** Values that it would drop. */
	readonly drops: number;
	/** It would be called without what "it" or "the result" means. */
	readonly dangles: boolean;
	readonly isComplete: boolean;
}

function evidenceOf(
	tool: ToolDefinition,
	filling: Filling,
	asked: Asked,
	matched: readonly WordMatch[],
): Evidence {
	const { verb, deed } = asked;
	const own = deedOfTool(tool);
	const { server, name } = splitName(tool.name);
	const servers = new Set(stemsOf(server));
	const names = new Set(stemsOf(name).filter((word) => !servers.has(word)));
	const parameters = parametersOf(tool);
	const modes = parameters.flatMap(({ name: mode, choices = [] }) =>
		/^(?:mode|action|operation)$/i.test(mode) ? choices : [],
	);
	const isMode =
		verb !== undefined && modes.some((mode) => typeof mode === 'string' && stem(mode) === stem(verb));
	const fields = (word: string) =>
		matched.filter((match) => tokenize(match.word).includes(word)).map(({ field }) => field);
	const heads = (word: string) => names.has(stem(word)) || fields(word).some((field) => headline.has(field));
	const nouns = asked.nouns.filter((word) => !filling.words.has(word) && !servers.has(stem(word)));
	// A file that is given is as good as the word.
	const placed = [...filling.said].some((said) => /path|file|source|dest|dir|folder/i.test(said)) ? 1 : 0;
	const does = isMode || mayDo(deed, own);
	const inName = verb !== undefined && (isMode || names.has(stem(verb)));
	const sameDeed = own !== undefined && own === deed && sharedDeeds.has(own);
	const isSaid = (word: string, among: ReadonlySet<string>) => (match: WordMatch) =>
		among.has(match.field) &&
		tokenize(match.word).includes(word) &&
		tokenize(match.as ?? match.word).some((own) => stem(own) === stem(word));
	const isHead = verb !== undefined && matched.some(isSaid(verb, headline));
	const isTold = verb !== undefined && matched.some(isSaid(verb, new Set(['description'])));
	const isComplete = filling.missing.length === 0;
	return {
		isComplete,
		isVerb: inName && !isMode && names.size === 1,
		isVerbNamed: inName && !isMode,
		changes: own !== 'look',
		does,
		looks: deed === 'look',
		verb: inName ? 'name' : sameDeed ? 'deed' : isHead ? 'headline' : isTold ? 'told' : 'none',
		silent: nouns.filter((word) => fields(word).length === 0 && !names.has(stem(word))).length,
		nouns: nouns.length,
		named: nouns.filter((word) => names.has(stem(word)) || fields(word).includes('name')).length + placed,
		headed: nouns.filter(heads).length + placed,
		hinted: filling.said.size > 0 && matched.some(({ field }) => field === 'server' || field === 'hint'),
		drops: filling.unused.filter(({ kind }) => kind !== 'subject' && kind !== 'result').length,
		dangles: isComplete && filling.unused.some(({ kind }) => kind === 'subject' || kind === 'result'),
	};
}

/** Deeds that are done alike whatever the verb: to write a file is to create it. */
const sharedDeeds: ReadonlySet<Deed> = new Set(['look', 'make', 'send', 'run']);

function fits(evidence: Evidence, own: Deed | undefined, confidence: number): boolean {
	const {
		changes,
		does,
		looks,
		verb,
		silent,
		nouns,
		named,
		headed,
		hinted,
		drops,
		dangles,
		isComplete,
		isVerbNamed,
	} = evidence;
	if (!does || dangles) return false;
	if (!changes) {
		if (confidence >= certainty) return silent * 3 <= nouns;
		return (
			looks && confidence >= confidenceFloor && silent === 0 && drops === 0 && (headed > 0 || verb === 'name')
		);
	}
	if (verb === 'none' || silent > 0 || drops > 0) return false;
	if (own === 'remove') return (verb === 'name' || verb === 'deed') && named >= Math.max(1, nouns);
	if (nouns === 0) return named > 0 || isVerbNamed || (verb === 'deed' && hinted);
	if (verb === 'told') return confidence >= certainty && named > 0 && isComplete;
	return confidence >= certainty && (named > 0 || (headed >= nouns && verb !== 'deed'));
}

interface Ranked {
	readonly tool: ToolDefinition;
	readonly filling: Filling;
	readonly score: number;
	readonly evidence: Evidence;
}

/** What lacks nothing first, then what takes every value, then what is not on its way out, then the better match. */
function byWorth(a: Ranked, b: Ranked): number {
	return (
		Number(a.filling.missing.length > 0) - Number(b.filling.missing.length > 0) ||
		Number(b.evidence.isVerb) - Number(a.evidence.isVerb) ||
		a.filling.unused.length - b.filling.unused.length ||
		Number(isDeprecated(a)) - Number(isDeprecated(b)) ||
		b.evidence.named - a.evidence.named ||
		Number(b.evidence.verb === 'name') - Number(a.evidence.verb === 'name') ||
		Number(hasListOfOne(a)) - Number(hasListOfOne(b)) ||
		b.score - a.score
	);
}

function isDeprecated({ tool }: Ranked): boolean {
	return /\bdeprecated\b/i.test(tool.description.slice(0, 200));
}

/** A tool for one goes before the same for a list. */
function hasListOfOne({ filling }: Ranked): boolean {
	return Object.values(filling.input).some(
		(value) => Array.isArray(value) && value.length === 1 && typeof value[0] === 'string',
	);
}

/** A server of the configuration whose tools cannot be called now. */
export interface UnavailableServer {
	readonly name: string;
	readonly state: 'unapproved' | 'stopped' | 'starting' | 'failed';
	/** Why it failed, in a sentence. */
	readonly reason?: string;
	/** What is known of what it does while its tools are not: the user's search hint, the package that it runs. */
	readonly about: string;
}

/** Letters from which on the beginning of a word tells it: "file" of `filesystem`. */
const telling = 4;

/** The server that a request is for, as its name and what is known of it say; `undefined`: none of these. */
export function serverFor(
	words: string,
	servers: readonly UnavailableServer[],
): UnavailableServer | undefined {
	const asked = tokenize(words)
		.filter((word) => !isGrammar(word))
		.map(stem);
	const speaks = ({ name, about }: UnavailableServer) => {
		const known = [...tokenize(name), ...tokenize(about).filter((word) => !isGrammar(word))].map(stem);
		return asked.filter((word) =>
			known.some((own) => own === word || (word.length >= telling && own.startsWith(word))),
		).length;
	};
	const [best] = servers
		.map((server) => ({ server, points: speaks(server) }))
		.sort((a, b) => b.points - a.points);
	return best && best.points > 0 ? best.server : undefined;
}
