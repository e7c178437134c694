import { certainty, isLikely } from '../../discovery/search/confidence.ts';
import type { WordMatch } from '../../discovery/search/explain.ts';
import { ToolIndex } from '../../discovery/search/toolIndex.ts';
import { isStopWord, stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import { type Filling, fill } from './fill.ts';
import type { Literal } from './literals.ts';
import { parametersOf } from './parameters.ts';
import type { Sources } from './task.ts';
import { type Deed, deedOf, deedOfTool, hasRole, isGrammar, mayDo, splitName, stemsOf } from './words.ts';

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
export function queryOf(sources: Sources): string {
	const { text, literals } = sources;
	let query = '';
	let at = 0;
	for (const literal of literals) {
		if (literal.kind === 'word' && literal.key === undefined) continue;
		query += `${text.slice(at, literal.start)} ${nounOf(literal, sources)} `;
		at = literal.end;
	}
	query += text.slice(at);
	const tidy = query
		.replace(/^(\s*(?:show|give|get|find|tell)) me\b/i, '$1')
		// "in this git repository" is about git, not in it.
		.replace(/\b(?:in|of|from|at)\s{2,}(?=(?:git|current|open|folder|directory|workspace|repo)\b)/gi, '')
		.replace(/["“”„«»`]|\s+/g, ' ')
		.replace(/\s+(?=[\s,.;:!?])/g, '')
		.replace(/(?:[\s,.;:!?]+(?:and|with|to|in|into|from|for|of|as|by|the|a|an|about|at))*[\s,.;:!?]*$/i, '')
		.trim();
	return tidy || text.trim();
}

/** What stands for a value: "read" alone finds anything, "read file" what is meant. */
function nounOf({ kind, key, text: value }: Literal, { text, literals }: Sources): string {
	if (key !== undefined) return '';
	switch (kind) {
		case 'path':
		case 'glob':
			if (/\b(?:files?|folders?|director(?:y|ies)|repo(?:sitory)?)\b/i.test(text)) return '';
			return /[\\/]$/.test(value) ? 'folder' : 'file';
		case 'date':
			return /\b(?:log|history|commits?)\b/i.test(text) ? '' : 'history';
		case 'number':
			// One number may be anything; several are what is calculated with.
			return literals.filter((one) => one.kind === 'number' && one.key === undefined).length > 1
				? 'two numbers'
				: '';
		case 'here':
			return /\b(?:git|repo)/i.test(value) ? value.replace(/^(?:this|the|my)\s+/i, '') : 'directory';
		default:
			return '';
	}
}

/** Of the tools that fit, the one whose values are known; what changes something is never taken on weak evidence. */
export function choose(tools: readonly ToolDefinition[], sources: Sources): Choices {
	const query = queryOf(sources);
	const index = new ToolIndex(tools.map((tool) => ({ ...tool, ...splitName(tool.name), definition: tool })));
	const hits = index.search(query, { limit: maxConsidered, unlikely: true });
	const asked = askedOf(query, sources);
	const fitting = hits.flatMap(({ tool, score, confidence = 1 }) => {
		const { definition } = tool;
		const filling = fill(definition, sources);
		const evidence = evidenceOf(definition, filling, asked, index.explain(query, tool));
		const isSure = confidence >= certainty;
		if (!fits(evidence, asked, isSure)) return [];
		const sure = isSure && isAllSaid(evidence);
		return [{ tool: definition, filling, score, evidence, sure }];
	});
	const top = Math.max(...fitting.map(({ score }) => score));
	const [best] = fitting
		.filter(({ score, evidence }) => score >= top * rivalShare || evidence.isVerb)
		.toSorted(byWorth);
	const nearest = hits.filter(isLikely).slice(0, 3);
	return { ...(best && { best }), nearest: nearest.map(({ tool }) => tool.definition) };
}

/** What a step asks for, beside its values. */
interface Asked {
	readonly verb: string | undefined;
	readonly deed: Deed | undefined;
	/** The words that say what is meant, the verb aside. */
	readonly nouns: readonly string[];
}

function askedOf(query: string, { literals }: Sources): Asked {
	const words = tokenize(query);
	const verb = words.find((word) => !isGrammar(word));
	// To add numbers changes nothing.
	const numbers = literals.filter(({ kind }) => kind === 'number').length;
	const values = literals.filter(({ kind, key }) => kind !== 'word' || key !== undefined).length;
	const sums = verb === 'add' && numbers > 1 && numbers === values;
	return {
		verb,
		deed: sums ? 'look' : verb === undefined ? undefined : deedOf(verb),
		nouns: [...new Set(words)].filter((word) => word !== verb && !isGrammar(word) && !isStopWord(word)),
	};
}

/** What speaks for a tool. */
interface Evidence {
	/** What it does. */
	readonly own: Deed | undefined;
	/** Whether that may be what is asked for. */
	readonly does: boolean;
	/** Its name is the verb and nothing more: `echo`. */
	readonly isVerb: boolean;
	/** Where it has the verb: in its name, as one of its modes, in what it says first, or in the rest. `deed`: another that does the same. */
	readonly verb: 'name' | 'mode' | 'deed' | 'headline' | 'told' | 'none';
	/** The words that it may have: neither the verb, nor its server's name, nor a value. */
	readonly nouns: number;
	/** How many of them it says nothing of, has in its name, and has in what it says first. A file that is given is as good as the word. */
	readonly silent: number;
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

/** Deeds that are done alike whatever the verb: to write a file is to create it. */
const sharedDeeds: ReadonlySet<Deed | undefined> = new Set(['look', 'make', 'send', 'run']);

function evidenceOf(
	tool: ToolDefinition,
	{ missing, said, unused, words }: Filling,
	{ verb = '', deed, nouns: allNouns }: Asked,
	matched: readonly WordMatch[],
): Evidence {
	const own = deedOfTool(tool);
	const { server, name } = splitName(tool.name);
	const servers = new Set(stemsOf(server));
	const names = new Set(stemsOf(name).filter((word) => !servers.has(word)));
	const modes = parametersOf(tool)
		.filter((parameter) => /^(?:mode|action|operation)$/i.test(parameter.name))
		.flatMap(({ choices = [] }) => choices);
	const isMode = modes.some((mode) => typeof mode === 'string' && stem(mode) === stem(verb));
	const fieldsOf = (word: string) => matched.filter((match) => tokenize(match.word).includes(word));
	// A synonym of the verb is no evidence, and what its parameters say is little.
	const verbFields = fieldsOf(verb)
		.filter((match) => stemsOf(match.as ?? match.word).includes(stem(verb)))
		.map(({ field }) => field);
	const isNamed = (word: string) => names.has(stem(word));
	const isHeaded = (word: string) => isNamed(word) || fieldsOf(word).some(({ field }) => headline.has(field));
	const nouns = allNouns.filter((word) => !words.has(word) && !servers.has(stem(word)));
	const placed = [...said].some((parameter) => hasRole(parameter, 'place')) ? 1 : 0;
	const isReference = ({ kind }: Literal) => kind === 'subject' || kind === 'result';
	const verbIn = () => {
		if (isMode) return 'mode';
		if (isNamed(verb)) return 'name';
		if (own === deed && sharedDeeds.has(own)) return 'deed';
		if (verbFields.some((field) => headline.has(field))) return 'headline';
		return verbFields.includes('description') ? 'told' : 'none';
	};
	return {
		own,
		does: isMode || mayDo(deed, own),
		isVerb: names.size === 1 && names.has(stem(verb)),
		verb: verbIn(),
		nouns: nouns.length,
		silent: nouns.filter((word) => fieldsOf(word).length === 0 && !isNamed(word)).length,
		named: nouns.filter(isNamed).length + placed,
		headed: nouns.filter(isHeaded).length + placed,
		hinted: said.size > 0 && matched.some(({ field }) => field === 'server' || field === 'hint'),
		drops: unused.filter((literal) => !isReference(literal)).length,
		dangles: missing.length === 0 && unused.some(isReference),
		isComplete: missing.length === 0,
	};
}

/** Whether the evidence is enough. To look does no harm; to change something wants its verb and its noun, to remove something all nouns. */
function fits(evidence: Evidence, asked: Asked, isSure: boolean): boolean {
	const { own, does, verb, nouns, silent, named, headed, hinted, drops, dangles, isComplete } = evidence;
	if (!does || dangles) return false;
	if (own === 'look') {
		if (isSure) return silent * 3 <= nouns;
		return asked.deed === 'look' && silent + drops === 0 && (headed > 0 || verb === 'name');
	}
	if (verb === 'none' || silent + drops > 0) return false;
	if (own === 'remove') return (verb === 'name' || verb === 'deed') && named >= Math.max(1, nouns);
	if (nouns === 0) return named > 0 || verb === 'name' || (verb === 'deed' && hinted);
	if (!isSure) return false;
	if (verb === 'told') return named > 0 && isComplete;
	return named > 0 || (headed >= nouns && verb !== 'deed');
}

/** Whether all that was said speaks for a tool, and it lacks nothing. */
function isAllSaid({ verb, nouns, silent, named, drops, isComplete }: Evidence): boolean {
	if (!isComplete || verb === 'none' || silent + drops > 0) return false;
	return named > 0 || (nouns === 0 && verb === 'name');
}

interface Ranked extends Choice {
	readonly score: number;
	readonly evidence: Evidence;
}

/** What lacks nothing first, then what takes every value, then what is not on its way out, then the better match. */
function byWorth(a: Ranked, b: Ranked): number {
	return (
		Number(b.evidence.isComplete) - Number(a.evidence.isComplete) ||
		Number(b.evidence.isVerb) - Number(a.evidence.isVerb) ||
		a.filling.unused.length - b.filling.unused.length ||
		Number(isDeprecated(a)) - Number(isDeprecated(b)) ||
		b.evidence.named - a.evidence.named ||
		b.score - a.score
	);
}

function isDeprecated({ tool }: Ranked): boolean {
	return /\bdeprecated\b/i.test(tool.description.slice(0, 200));
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
