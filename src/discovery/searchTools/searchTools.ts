import { type ActivationReason, type ActivationSet, wordsLimit } from '../activationSet.ts';
import { toolDefinition } from '../catalog.ts';
import { keepFingerprints } from '../loadedDefinitions.ts';
import type { Loading } from '../policy.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from '../syntheticTool.ts';
import { oneLine } from '../text.ts';
import type { ToolDefinition } from '../tool.ts';
import { errorResult, textResult } from '../toolResult.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { searchToolsDefinition } from './definition.ts';
import { findTools, type SearchFindings, type SearchHit } from './findTools.ts';
import type { OutcomeHit, SearchOutcome } from './outcome.ts';
import { parseRequest, type SearchRequest } from './request.ts';
import { searchResultText } from './resultText.ts';

/** The synthetic tool that finds deferred tools and loads them, in one step, for the rest of the session. */
export class SearchTools implements SyntheticTool {
	readonly name = searchToolsName;
	readonly #surface: ToolSurface;
	readonly #active: ActivationSet;
	readonly #loading: Loading;
	readonly #isSent: (wireName: string) => boolean;

	/** `isSent`: whether the model has a tool's definition before it, loaded or not. */
	constructor(
		surface: ToolSurface,
		active: ActivationSet,
		loading: Loading,
		isSent: (wireName: string) => boolean,
	) {
		this.#surface = surface;
		this.#active = active;
		this.#loading = loading;
		this.#isSent = isSent;
	}

	get definition(): ToolDefinition {
		return searchToolsDefinition(this.#surface);
	}

	async execute(input: Readonly<Record<string, unknown>>): Promise<SyntheticResult> {
		const outcome = await this.#search(input);
		const seen = this.#asSeen(outcome);
		const text = searchResultText(seen, this.#loading);
		// Names that lead nowhere are the caller's mistake; words that find nothing are an answer.
		const failed = !outcome.ok || (outcome.kind === 'select' && outcome.hits.length === 0);
		const loaded = outcome.ok ? outcome.hits.filter((hit) => hit.state === 'loaded') : [];
		const brings = this.#broughtBy(seen);
		const told = [...loaded.map(({ tool }) => tool.wireName), ...brings.map(({ name }) => name)];
		keepFingerprints(this.#active, this.#surface, told);
		return {
			result: failed ? errorResult(text) : textResult(text),
			newlyLoaded: loaded.map((hit) => hit.tool.wireName),
			...(brings.length > 0 && { brings }),
			evicted: outcome.ok ? outcome.evicted : [],
			search: outcome,
		};
	}

	/** What was evicted and is found again is new to the set, but not to a model that has it before it. */
	#asSeen(outcome: SearchOutcome): SearchOutcome {
		if (!outcome.ok) return outcome;
		const seen = (hit: OutcomeHit): OutcomeHit =>
			hit.state === 'loaded' && this.#isSent(hit.tool.wireName) ? { ...hit, state: 'already-loaded' } : hit;
		return { ...outcome, hits: outcome.hits.map(seen), evicted: this.#surface.nameable(outcome.evicted) };
	}

	/** With `call` the text of a result tells every schema again: the earlier one may have gone from the conversation. */
	#broughtBy(outcome: SearchOutcome): ToolDefinition[] {
		if (this.#loading === 'append' || !outcome.ok) return [];
		const isTold = this.#loading === 'call';
		const isBrought = ({ state, tool }: OutcomeHit) =>
			state === 'loaded' || (isTold && state === 'already-loaded' && this.#active.has(tool.wireName));
		return outcome.hits.filter(isBrought).map((hit) => toolDefinition(hit.tool));
	}

	async #search(input: Readonly<Record<string, unknown>>): Promise<SearchOutcome> {
		const parsed = parseRequest(input);
		if (!parsed.ok) return { ok: false, query: '', message: parsed.message };
		const query = asked(parsed.request);
		const findings = await findTools(this.#surface, parsed.request);
		return findings.ok ? this.#load(findings, query) : { ok: false, query, message: findings.message };
	}

	#load(findings: SearchFindings, query: string): SearchOutcome {
		const eager = new Set(this.#surface.loaded.map((tool) => tool.wireName));
		const wireNames = findings.hits.map((hit) => hit.tool.wireName).filter((name) => !eager.has(name));
		const further = findings.further.map(({ tool }) => tool);
		const { added, refused, evicted } = this.#active.activate(
			wireNames,
			reasons[findings.kind],
			findings.kind === 'keyword' ? oneLine(query, wordsLimit) : undefined,
		);
		const state = (hit: SearchHit): OutcomeHit['state'] => {
			if (added.includes(hit.tool.wireName)) return 'loaded';
			return refused.includes(hit.tool.wireName) ? 'refused' : 'already-loaded';
		};
		return {
			ok: true,
			kind: findings.kind,
			query,
			searched: this.#surface.deferred.length,
			hits: findings.hits.map((hit) => ({ ...hit, state: state(hit) })),
			further: further.filter(({ wireName }) => !this.#active.has(wireName)),
			more: findings.more,
			...(findings.nearest && { nearest: findings.nearest }),
			missing: findings.missing,
			evicted,
		};
	}
}

const reasons: Record<SearchFindings['kind'], ActivationReason> = {
	keyword: 'search',
	select: 'name',
	server: 'server',
};

function asked(request: SearchRequest): string {
	return request.query ?? request.toolNames?.join(', ') ?? request.serverName ?? '';
}
