import { answerCost, type DefinitionTokens, type TokenPrice, type TokenUsage } from '../../common/cost.ts';
import { cut, oneLine } from '../../common/text.ts';
import type { Asked, SearchFault, SearchFindings } from '../tools/findTools.ts';
import type { ActivationReason } from './activationSet.ts';
import {
	type CallOutcome,
	type KeptUsage,
	noUsage,
	restoredUsage,
	type SessionUsage,
	withAnswer,
	withCall,
	withRequest,
	withUsage,
} from './usage.ts';

/** What discovery did in one session; absent while it is off. */
export interface DiscoveryStatistics {
	readonly search_calls: number;
	/** Tools that a search loaded, each time it did. */
	readonly tools_discovered: number;
	/** Searches that found no tool, faulty requests not counted; absent where there are none. */
	readonly searches_without_hit?: number;
}

/** Statistics of a session in which nothing has happened. */
export const noDiscovery: DiscoveryStatistics = { search_calls: 0, tools_discovered: 0 };

/** Why tools are loaded that a search has found. */
const searchReasons: ReadonlySet<ActivationReason> = new Set(['search', 'name', 'server']);

/** Definitions of tools in one request. */
export interface RequestCost extends DefinitionTokens {
	/** Tools whose definitions went to the model, synthetic ones among them. */
	readonly tools: number;
}

/** What happened in a chat; tools by `server:tool`, which is for people. */
export type Happening =
	/** The user said something. */
	| { readonly kind: 'turn'; readonly model: string; readonly message: string }
	/** `measured`: its cost is also given where it was reckoned by the model's price. */
	| ({ readonly kind: 'request'; readonly measured?: TokenUsage } & RequestCost)
	/** `fault`: why it could not be done. */
	| { readonly kind: 'search'; readonly words: string; readonly found: NamedTools; readonly fault?: string }
	/** `reason`: an `ActivationReason`, perhaps of another version. */
	| { readonly kind: 'load'; readonly tools: NamedTools; readonly reason: string; readonly words?: string }
	| { readonly kind: 'evict' | 'unload'; readonly tools: NamedTools }
	| { readonly kind: 'call'; readonly tool: string; readonly ms: number; readonly failed: boolean }
	/** An agent has worked on a task. */
	| {
			readonly kind: 'agent';
			readonly agent: string;
			readonly task: string;
			readonly ms: number;
			readonly calls: number;
			readonly failed: boolean;
	  }
	/** The turn ended before its time; a sentence. */
	| { readonly kind: 'failure'; readonly message: string };

/** The first of some tools by `server:tool`, and how many there are. */
export interface NamedTools {
	readonly names: readonly string[];
	readonly count: number;
}

/**
 * Something that happened; `at`: milliseconds since 1970. `turn`: the turn of the chat in which it did, from 1, or 0 before the first
 * message; absent in what earlier versions kept. Plain JSON.
 */
export type TimelineEntry = { readonly at: number; readonly turn?: number } & Happening;

/** Entries that are kept of one chat, names that one entry has, and characters of what people and models wrote. */
export const keptEntries = 1000;
const keptNames = 10;
const keptCharacters = 120;

/** A timeline with one more entry; of more than are kept, the oldest goes. */
export function withEntry(
	timeline: readonly TimelineEntry[],
	entry: TimelineEntry,
): readonly TimelineEntry[] {
	return [...timeline.slice(-(keptEntries - 1)), entry];
}

/** The turn of each entry, in their order; those of which none is known are counted on. */
export function turnNumbers(timeline: readonly TimelineEntry[]): readonly number[] {
	let number = 0;
	return timeline.map(({ kind, turn }) => {
		number = turn ?? (kind === 'turn' ? number + 1 : number);
		return number;
	});
}

/** A timeline in which the last request has been counted by the provider. */
export function withMeasured(
	timeline: readonly TimelineEntry[],
	measured: TokenUsage,
): readonly TimelineEntry[] {
	const last = timeline.findLastIndex(({ kind }) => kind === 'request');
	return timeline.map((entry, i) =>
		i === last && entry.kind === 'request' ? { ...entry, measured } : entry,
	);
}

/** What an entry keeps of a list of tools. */
function namedTools(ids: readonly string[]): NamedTools {
	return { names: ids.slice(0, keptNames).map((id) => oneLine(id, keptCharacters)), count: ids.length };
}

/** What an entry keeps of a text. */
function shortened(text: string): string {
	return oneLine(cut(text, 10 * keptCharacters), keptCharacters);
}

/** A tool as far as a journal names it. */
interface Named {
	readonly server: string;
	readonly name: string;
	readonly id: string;
}

/** Whose journal it is. */
export interface JournalOwner {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** The turn of the chat. */
	readonly turn: () => number;
	/** Something was written. */
	readonly written: () => void;
}

/** What has been written down before. */
export interface KeptJournal {
	readonly statistics?: DiscoveryStatistics;
	readonly usage?: KeptUsage;
	readonly timeline?: readonly TimelineEntry[];
}

/** What happened in one chat: one after the other, and added up. */
export class Journal {
	readonly #owner: JournalOwner;
	#statistics: DiscoveryStatistics;
	#usage: SessionUsage;
	#timeline: readonly TimelineEntry[];
	#lastRequest: RequestCost | undefined;

	constructor(owner: JournalOwner, before?: KeptJournal) {
		this.#owner = owner;
		this.#statistics = before?.statistics ?? noDiscovery;
		this.#usage = before?.usage ? restoredUsage(before.usage) : noUsage;
		this.#timeline = before?.timeline ?? [];
	}

	get statistics(): DiscoveryStatistics {
		return this.#statistics;
	}

	get usage(): SessionUsage {
		return this.#usage;
	}

	/** The oldest first. */
	get timeline(): readonly TimelineEntry[] {
		return this.#timeline;
	}

	turn(model: string, message: string): void {
		this.#add({ kind: 'turn', model: shortened(model), message: shortened(message) });
	}

	/** A request is about to be sent. `takesTokens`: to a language model, so that its tokens count as used and saved. */
	request(cost: RequestCost, takesTokens = true): void {
		this.#usage = withRequest(this.#usage, takesTokens ? cost : { tokens: 0, everyToolTokens: 0 });
		this.#lastRequest = cost;
		this.#add({ kind: 'request', ...cost });
	}

	/** The provider has counted the tokens of the last request and its answer. `price`: the model's, where it is known. */
	answer(tokens: TokenUsage, price?: TokenPrice): void {
		const cost = answerCost(tokens, price, this.#lastRequest);
		this.#usage = withAnswer(this.#usage, tokens, cost);
		this.#timeline = withMeasured(this.#timeline, { ...tokens, ...(cost && { usd: cost.usd }) });
		this.#owner.written();
	}

	/** A search came to its end; what it loads is written after it. */
	search(found: Asked & (SearchFindings | SearchFault)): void {
		const { search_calls: searches, searches_without_hit: missed = 0 } = this.#statistics;
		this.#statistics = {
			...this.#statistics,
			search_calls: searches + 1,
			...(found.ok && found.hits.length === 0 && { searches_without_hit: missed + 1 }),
		};
		this.#add({
			kind: 'search',
			words: shortened(found.query),
			found: namedTools(found.ok ? found.hits.map(({ tool }) => tool.id) : []),
			...(!found.ok && { fault: shortened(found.message) }),
		});
	}

	load(tools: readonly Named[], reason: ActivationReason, words: string | undefined): void {
		if (tools.length === 0) return;
		if (searchReasons.has(reason)) {
			const discovered = this.#statistics.tools_discovered + tools.length;
			this.#statistics = { ...this.#statistics, tools_discovered: discovered };
		}
		const why = { reason, ...(words !== undefined && { words: shortened(words) }) };
		this.#add({ kind: 'load', tools: namedTools(tools.map(({ id }) => id)), ...why });
	}

	/** `names`: `server:tool`, or the wire name of a tool that is gone. */
	remove(kind: 'evict' | 'unload', names: readonly string[]): void {
		if (names.length > 0) this.#add({ kind, tools: namedTools(names) });
	}

	/** A call came to its end. */
	call(tool: Named, outcome: CallOutcome): void {
		this.#usage = withCall(this.#usage, tool, outcome);
		const { ms, failed } = outcome;
		this.#add({ kind: 'call', tool: shortened(tool.id), ms: Math.round(ms), failed });
	}

	/** An agent came to its end; `usage`: what it has used. */
	agent(run: Omit<Happening & { kind: 'agent' }, 'kind'>, usage: SessionUsage): void {
		this.#usage = withUsage(this.#usage, usage);
		this.#add({
			...run,
			kind: 'agent',
			agent: shortened(run.agent),
			task: shortened(run.task),
			ms: Math.round(run.ms),
		});
	}

	/** A turn ended before its time. */
	failure(message: string): void {
		this.#add({ kind: 'failure', message: shortened(message) });
	}

	clear(): void {
		this.#statistics = noDiscovery;
		this.#usage = noUsage;
		this.#timeline = [];
	}

	#add(happening: Happening): void {
		this.#timeline = withEntry(this.#timeline, {
			at: this.#owner.now(),
			turn: this.#owner.turn(),
			...happening,
		});
		this.#owner.written();
	}
}
