import { answerCost, type TokenPrice, type TokenUsage } from '../cost.ts';
import type { SearchOutcome } from '../searchTools/outcome.ts';
import { type DiscoveryStatistics, noDiscovery, withSearch } from './statistics.ts';
import {
	type Happening,
	kept,
	named,
	type RequestCost,
	type TimelineEntry,
	withEntry,
	withMeasured,
} from './timeline.ts';
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
		this.#add({ kind: 'turn', model: kept(model), message: kept(message) });
	}

	/** A request is about to be sent. */
	request(cost: RequestCost): void {
		this.#usage = withRequest(this.#usage, cost);
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

	/** `discovered`: how many tools it loaded. */
	search(outcome: SearchOutcome | undefined, discovered: number): void {
		const hits = outcome?.ok ? outcome.hits : undefined;
		this.#statistics = withSearch(this.#statistics, { discovered, hits: hits?.length });
		this.#add({
			kind: 'search',
			words: kept(outcome?.query ?? ''),
			found: named((hits ?? []).map(({ tool }) => tool.id)),
			...(outcome?.ok === false && { fault: kept(outcome.message) }),
		});
	}

	load(tools: readonly Named[], reason: string, words: string | undefined): void {
		const why = { reason, ...(words !== undefined && { words: kept(words) }) };
		if (tools.length > 0) this.#add({ kind: 'load', tools: named(tools.map(({ id }) => id)), ...why });
	}

	/** `names`: `server:tool`, or the wire name of a tool that is gone. */
	remove(kind: 'evict' | 'unload', names: readonly string[]): void {
		if (names.length > 0) this.#add({ kind, tools: named(names) });
	}

	/** A call came to its end. */
	call(tool: Named, outcome: CallOutcome): void {
		this.#usage = withCall(this.#usage, tool, outcome);
		const { ms, failed } = outcome;
		this.#add({ kind: 'call', tool: kept(tool.id), ms: Math.round(ms), failed });
	}

	/** An agent came to its end; `usage`: what it has used. */
	agent(run: Omit<Happening & { kind: 'agent' }, 'kind'>, usage: SessionUsage): void {
		this.#usage = withUsage(this.#usage, usage);
		this.#add({
			...run,
			kind: 'agent',
			agent: kept(run.agent),
			task: kept(run.task),
			ms: Math.round(run.ms),
		});
	}

	/** A turn ended before its time. */
	failure(message: string): void {
		this.#add({ kind: 'failure', message: kept(message) });
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
