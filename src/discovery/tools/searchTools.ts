import { cut, oneLine } from '../../common/text.ts';
import { estimateTokens } from '../../common/tokens.ts';
import { toolDefinition } from '../catalog/catalog.ts';
import { type SyntheticResult, type SyntheticTool, searchToolsName } from '../catalog/syntheticTool.ts';
import { errorResult, type ToolDefinition, textResult } from '../catalog/tool.ts';
import type { ToolSurface } from '../catalog/toolSurface.ts';
import { parseRequest, type SearchRequest } from '../search/searchRequest.ts';
import { type ActivationReason, type ActivationSet, wordsLimit } from '../session/activationSet.ts';
import type { ChatPrompt } from '../session/chatPrompt.ts';
import type { EarlierTools } from '../session/earlierTools.ts';
import { keepHashes } from '../session/loadedDefinitions.ts';
import {
	findTools,
	type OutcomeHit,
	type SearchFindings,
	type SearchHit,
	type SearchOutcome,
} from './findTools.ts';
import { searchResultText } from './resultText.ts';

const purpose =
	"Search for and load tool definitions from available MCP servers. Use this before calling a tool that isn't currently loaded.";

const inputSchema = {
	type: 'object',
	properties: {
		query: {
			type: 'string',
			description:
				"Natural language capability search across all deferred tools (e.g. 'create a calendar event'). Uses keyword matching.",
		},
		server_name: { type: 'string', description: 'Filter results to a specific server by name.' },
		tool_names: {
			type: 'array',
			items: { type: 'string' },
			description:
				'Load specific tools by exact name. Most token-efficient when you know the tool name from the manifest.',
		},
	},
};

/** Tokens of all but the manifest: an object for the tool, as providers take it, with the tags around an empty manifest. */
const frameTokens = estimateTokens(
	JSON.stringify({
		type: 'function',
		function: {
			name: searchToolsName,
			description: `${purpose}\n\n<manifest>\n\n</manifest>`,
			parameters: inputSchema,
		},
	}),
);

/** `search_tools` as a provider is told of it, with the manifest of what can be found, within the policy's budget of tokens. */
export function searchToolsDefinition(surface: ToolSurface): ToolDefinition {
	const inDescription = surface.policy.manifestPlacement === 'tool';
	const description = inDescription ? `${purpose}\n\n${framedManifest(surface)}` : purpose;
	return { name: searchToolsName, description, inputSchema };
}

/** The manifest between the tags that mark it as data. */
export function framedManifest(surface: ToolSurface): string {
	return `<manifest>\n${surface.manifest(surface.policy.maxManifestTokens - frameTokens)}\n</manifest>`;
}

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
		keepHashes(this.#active, this.#surface, told);
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
