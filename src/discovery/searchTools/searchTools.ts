import { type ActivationReason, type ActivationSet, wordsLimit } from '../activationSet.ts';
import { toolDefinition } from '../catalog.ts';
import type { EarlierTools } from '../earlierTools.ts';
import { keepFingerprints } from '../loadedDefinitions.ts';
import type { ChatPrompt } from '../prompt/chatPrompt.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from '../syntheticTool.ts';
import { cut, oneLine } from '../text.ts';
import type { ToolDefinition } from '../tool.ts';
import { errorResult, textResult } from '../toolResult.ts';
import type { ToolSurface } from '../toolSurface.ts';
import { searchToolsDefinition } from './definition.ts';
import { findTools, type SearchFindings, type SearchHit } from './findTools.ts';
import type { OutcomeHit, SearchOutcome } from './outcome.ts';
import { parseRequest, type SearchRequest } from './request.ts';
import { searchResultText } from './resultText.ts';

/** Characters of what was asked for that an outcome carries. */
const askedLimit = 4_000;

/** The synthetic tool that finds deferred tools and loads them, in one step, for the rest of the session. */
export class SearchTools implements SyntheticTool {
	readonly name = searchToolsName;
	readonly #surface: ToolSurface;
	readonly #active: ActivationSet;
	readonly #earlier: Pick<EarlierTools, 'servers'>;
	readonly #prompt: Pick<ChatPrompt, 'loading' | 'has' | 'room'>;

	/** `prompt`: what the model has before it, and how much more the next request can have. `earlier`: what it may have had. */
	constructor(
		surface: ToolSurface,
		active: ActivationSet,
		prompt: Pick<ChatPrompt, 'loading' | 'has' | 'room'>,
		earlier: Pick<EarlierTools, 'servers'>,
	) {
		this.#earlier = earlier;
		this.#surface = surface;
		this.#active = active;
		this.#prompt = prompt;
	}

	get definition(): ToolDefinition {
		return searchToolsDefinition(this.#surface);
	}

	async execute(input: Readonly<Record<string, unknown>>): Promise<SyntheticResult> {
		const outcome = await this.#search(input);
		const seen = this.#asSeen(outcome);
		const text = searchResultText(seen, this.#prompt.loading);
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
			hit.state === 'loaded' && this.#prompt.has(hit.tool.wireName)
				? { ...hit, state: 'already-loaded' }
				: hit;
		return { ...outcome, hits: outcome.hits.map(seen), evicted: this.#surface.nameable(outcome.evicted) };
	}

	/** With `call` the text of a result tells every schema again: the earlier one may have gone from the conversation. */
	#broughtBy(outcome: SearchOutcome): ToolDefinition[] {
		const { loading } = this.#prompt;
		if (loading === 'append' || !outcome.ok) return [];
		const isTold = loading === 'call';
		const isBrought = ({ state, tool }: OutcomeHit) =>
			state === 'loaded' || (isTold && state === 'already-loaded' && this.#active.has(tool.wireName));
		return outcome.hits.filter(isBrought).map((hit) => toolDefinition(hit.tool));
	}

	async #search(input: Readonly<Record<string, unknown>>): Promise<SearchOutcome> {
		const parsed = parseRequest(input);
		if (!parsed.ok) return { ok: false, query: '', message: parsed.message };
		const query = asked(parsed.request);
		const findings = await findTools(this.#surface, parsed.request, this.#earlier.servers);
		return findings.ok ? this.#load(findings, query) : { ok: false, query, message: findings.message };
	}

	#load(findings: SearchFindings, query: string): SearchOutcome {
		const eager = new Set(this.#surface.loaded.map((tool) => tool.wireName));
		const deferred = findings.hits.map((hit) => hit.tool).filter(({ wireName }) => !eager.has(wireName));
		const further = findings.further.map(({ tool }) => tool);
		const { added, refused, crowded, evicted } = this.#active.activate(
			deferred.map(({ wireName }) => wireName),
			reasons[findings.kind],
			findings.kind === 'keyword' ? oneLine(query, wordsLimit) : undefined,
			this.#prompt.room(this.#surface, deferred, this.#prompt.loading !== 'append'),
		);
		const states = new Map<string, OutcomeHit['state']>([
			...added.map((name) => [name, 'loaded'] as const),
			...refused.map((name) => [name, 'refused'] as const),
			...crowded.map((name) => [name, 'crowded'] as const),
		]);
		const state = ({ tool }: SearchHit) => states.get(tool.wireName) ?? 'already-loaded';
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
			...(findings.unread !== undefined && { unread: findings.unread }),
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
	return cut(request.query ?? request.toolNames?.join(', ') ?? request.serverName ?? '', askedLimit);
}
