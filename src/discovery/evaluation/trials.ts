import type { Catalog } from '../catalog.ts';
import { type DiscoveryPolicy, defaultServerPolicy } from '../policy.ts';
import { ToolSurface } from '../toolSurface.ts';
import { type Answer, answerOf, isWorse } from './answer.ts';
import type { WorkSteps } from './evaluate.ts';
import type { Question } from './questions.ts';

/** Words that a tool's hint gets besides those it has. */
export interface HintChange {
	readonly server: string;
	readonly tool: string;
	readonly words: string;
}

/** What could be written into the configuration for the sake of search. */
export interface SearchChanges {
	/** At most one for each tool. */
	readonly hints: readonly HintChange[];
	/** Lines of `tool_discovery.synonyms`. */
	readonly synonyms: readonly string[];
}

/** Nothing is changed. */
export const noChanges: SearchChanges = { hints: [], synonyms: [] };

/** Questions with the answers of one state of the configuration. */
export type Answers = ReadonlyMap<Question, Answer>;

/** The policy as it would be with changes. */
export function policyWith(policy: DiscoveryPolicy, { hints, synonyms }: SearchChanges): DiscoveryPolicy {
	const servers = new Map(policy.servers);
	for (const { server, tool, words } of hints) {
		const its = servers.get(server) ?? defaultServerPolicy;
		const own = its.tools.get(tool);
		const searchHint = withWords(own?.searchHint, words);
		servers.set(server, { ...its, tools: new Map(its.tools).set(tool, { ...own, searchHint }) });
	}
	return { ...policy, servers, ...(synonyms.length > 0 && { synonyms: [...policy.synonyms, ...synonyms] }) };
}

/** A hint with more words. */
export function withWords(hint: string | undefined, words: string): string {
	return hint ? `${hint} ${words}` : words;
}

/** Tries changes of the configuration on a copy, against the answers to all questions. Bounded: it says when it has tried enough. */
export class Trials {
	readonly #catalog: Catalog;
	readonly #surface: ToolSurface;
	readonly #questions: readonly Question[];
	readonly #steps: WorkSteps;
	#left: number;

	/** `surface`: that of the configuration as it is; `most`: indexes that are made at most. */
	constructor(
		catalog: Catalog,
		surface: ToolSurface,
		questions: readonly Question[],
		steps: WorkSteps,
		most: number,
	) {
		this.#catalog = catalog;
		this.#surface = surface;
		this.#questions = questions;
		this.#steps = steps;
		this.#left = most;
	}

	/** Whether nothing more is tried. */
	get isOver(): boolean {
		return this.#left <= 0;
	}

	/**
	 * The answers with some changes, where they help one of the `wanted` questions and make no question worse than `before`; else
	 * nothing. Most trials fail at the wanted ones, which is the cheap part.
	 */
	async attempt(
		changes: SearchChanges,
		before: Answers,
		wanted: readonly Question[],
		helps: (question: Question, answer: Answer) => boolean,
	): Promise<Answers | undefined> {
		this.#left--;
		const surface = await this.#surfaceWith(changes);
		const own = await this.#answers(surface, wanted, () => false);
		if (!own || ![...own].some(([question, answer]) => helps(question, answer))) return undefined;
		return this.#answers(surface, this.#questions, (question, answer) => {
			const old = before.get(question);
			return old !== undefined && isWorse(question, old, answer);
		});
	}

	async #surfaceWith(changes: SearchChanges): Promise<ToolSurface> {
		const { policy, toolset } = this.#surface;
		// The index at hand lends the documents of all tools that stay as they are.
		const newest = await this.#surface.index();
		const { pause } = this.#steps;
		return new ToolSurface(this.#catalog, policyWith(policy, changes), toolset, { pause, newest });
	}

	async #answers(
		surface: ToolSurface,
		questions: readonly Question[],
		isFault: (question: Question, answer: Answer) => boolean,
	): Promise<Answers | undefined> {
		const answers = new Map<Question, Answer>();
		for (const [i, question] of questions.entries()) {
			const answer = await answerOf(surface, question);
			if (isFault(question, answer)) return undefined;
			answers.set(question, answer);
			if (i % questionsAtOnce === questionsAtOnce - 1) await this.#steps.pause();
		}
		return answers;
	}
}

/** Questions that are put in one step: some ten milliseconds among many tools. */
const questionsAtOnce = 20;
