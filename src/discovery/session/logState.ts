import type { Loading } from '../catalog/policy.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { KeptToolset } from '../catalog/toolset.ts';
import { type Activations, nothingActive, withActivity } from './activations.ts';
import type {
	LogEntry,
	LoggedTool,
	NamesByServer,
	NewHeadReason,
	RequestSent,
	ToldFacts,
} from './logEntry.ts';
import type { DeferredByServer, PromptPrefix } from './promptPrefix.ts';

/** What the model has in front of it, and what it and the user were told: computed from the log. Immutable. */
export interface LogState {
	/** The last model, and how loaded tools reached it. */
	readonly model?: string;
	readonly loading?: Loading;
	/** The head of the last request; absent if the next one starts anew, for the reason `anew`. */
	readonly head?: PromptPrefix;
	readonly anew: NewHeadReason;
	/** The deferred tools that the model knows can be found; absent before the first request. */
	readonly findable?: DeferredByServer;
	/** Wire names evicted since the head was made. They are still sent, because removing one would change the head. */
	readonly lingering: ReadonlySet<string>;
	/** Definitions told in notes because the head, or a text, still has the old ones. */
	readonly redefined: ReadonlyMap<string, ToolDefinition>;
	/** Definitions from results that are not part of the conversation yet. */
	readonly brought: readonly ToolDefinition[];
	/** The tools that the chat has activated. */
	readonly active: Activations;
	/** Every tool that was ever loaded. */
	readonly loaded: ReadonlyMap<string, LoggedTool>;
	/** Wire names that the model believes are gone, whether they are or not. */
	readonly gone: ReadonlySet<string>;
	/** Wire names evicted since the last request. */
	readonly evicted: ReadonlySet<string>;
	/** Servers whose instructions were told; servers a tool of which was called; servers whose links the model can read. */
	readonly instructed: ReadonlySet<string>;
	readonly used: ReadonlySet<string>;
	readonly linked: ReadonlySet<string>;
	/** A result linked to a resource, so the model has the tool that reads resources. */
	readonly readsResources: boolean;
	/** Names of every tool so far, by server, the newest server last. */
	readonly tools: ReadonlyMap<string, ReadonlySet<string>>;
	readonly toolset: KeptToolset | undefined;
	/** System prompts by the path of their template. Rendered once, so that the head stays the same. */
	readonly systemPrompts: ReadonlyMap<string, string>;
	/** Answers in the chat's history. */
	readonly answers: number;
}

const noNames: ReadonlySet<string> = new Set();

export const emptyLogState: LogState = {
	anew: 'first',
	lingering: noNames,
	redefined: new Map(),
	brought: [],
	active: nothingActive,
	loaded: new Map(),
	gone: noNames,
	evicted: noNames,
	instructed: noNames,
	used: noNames,
	linked: noNames,
	readsResources: false,
	tools: new Map(),
	toolset: undefined,
	systemPrompts: new Map(),
	answers: 0,
};

/** Adds one entry. */
export function withEntry(previous: LogState, entry: LogEntry): LogState {
	const active = withActivity(previous.active, entry);
	const state = active === previous.active ? previous : { ...previous, active };
	switch (entry.kind) {
		case 'turn': {
			const { model, loading } = entry;
			// What results of the last turn brought is in the conversation by now, or was lost with it.
			const begun = { ...state, brought: emptyLogState.brought };
			if (model === state.model && loading === state.loading) return begun;
			const why = model === state.model ? 'loading' : 'model';
			return { ...withNewHead(begun, state.findable ? why : 'first'), model, loading };
		}
		case 'request':
			return withRequest(state, entry);
		case 'told':
			return withTold(state, entry);
		case 'brought':
			return {
				...state,
				brought: [...state.brought, ...entry.definitions],
				gone: without(
					state.gone,
					entry.definitions.map(({ name }) => name),
				),
				redefined: withoutUpdated(state, entry.definitions),
			};
		case 'load': {
			if (entry.tools.length === 0) return state;
			const loaded = entry.tools.map((tool) => [tool.wireName, tool] as const);
			return { ...state, loaded: new Map([...state.loaded, ...loaded]) };
		}
		case 'evict': {
			const { wireNames } = entry;
			return {
				...state,
				evicted: union(state.evicted, wireNames),
				lingering: union(state.lingering, wireNames),
			};
		}
		case 'unload':
			return withNewHead(state, 'unload');
		case 'anew':
			return withNewHead(state, entry.why);
		case 'use':
			return state.used.has(entry.server) ? state : { ...state, used: union(state.used, [entry.server]) };
		case 'linked':
			return { ...state, linked: union(state.linked, [entry.server]), readsResources: true };
		case 'joined':
			return { ...state, tools: withNames(state.tools, entry.tools) };
		case 'toolset':
			// System prompts may name tools that the other toolset excludes.
			return { ...state, toolset: entry.toolset, systemPrompts: new Map() };
		case 'system':
			return { ...state, systemPrompts: new Map([...state.systemPrompts, [entry.template, entry.text]]) };
		case 'answered':
			return { ...state, answers: state.answers + 1 };
		case 'back':
			return { ...state, ...nothingTold };
		case 'reset':
			return {
				...withNewHead(state, 'reset'),
				...nothingTold,
				gone: state.gone,
				evicted: noNames,
				readsResources: false,
			};
		default:
			return state;
	}
}

/** State after going back to what was seen `then`. What can be found was told in the remaining conversation, or in a head made since. */
export function stateAfterGoingBack(state: LogState, then: LogState): LogState {
	const begun = state.head?.frozen;
	const findable = begun && begun !== then.head?.frozen ? begun.findable : then.findable;
	return { ...state, ...(state.head && findable && { findable }) };
}

/** What taken-back turns told is told again when it matters. */
const nothingTold = {
	redefined: emptyLogState.redefined,
	gone: noNames,
	instructed: noNames,
	used: noNames,
	linked: noNames,
	brought: emptyLogState.brought,
} satisfies Partial<LogState>;

function withNewHead({ head: _, ...state }: LogState, anew: NewHeadReason): LogState {
	// With `call`, schemas are in texts, which a new head does not change.
	const redefined = state.loading === 'call' ? state.redefined : emptyLogState.redefined;
	return { ...state, anew, lingering: noNames, redefined };
}

function withRequest(state: LogState, { anew, head, added = [] }: RequestSent): LogState {
	const sent = { brought: emptyLogState.brought, evicted: noNames };
	if (anew !== undefined) {
		const { head: _, ...begun } = withNewHead(state, anew);
		const redefined = withoutUpdated(begun, head?.tools ?? []);
		return { ...begun, redefined, ...(head && { head }), findable: head?.frozen.findable ?? [], ...sent };
	}
	const last = state.head;
	if (!last || added.length === 0) return { ...state, ...sent };
	return {
		...state,
		redefined: withoutUpdated(state, added),
		head: { ...last, tools: [...last.tools, ...added] },
		...sent,
	};
}

/** The redefined tools, except those whose new definition the model is being sent. */
function withoutUpdated(
	{ redefined }: LogState,
	definitions: readonly ToolDefinition[],
): LogState['redefined'] {
	if (redefined.size === 0) return redefined;
	const names = new Set(definitions.map(({ name }) => name));
	return new Map([...redefined].filter(([name]) => !names.has(name)));
}

function withTold(state: LogState, told: ToldFacts): LogState {
	const { findable, redefined = [], gone = [], back = [], instructions = [] } = told;
	return {
		...state,
		...(findable && { findable }),
		redefined:
			redefined.length === 0
				? state.redefined
				: new Map([...state.redefined, ...redefined.map((one) => [one.name, one] as const)]),
		gone: union(without(state.gone, back), gone),
		instructed: union(state.instructed, instructions),
	};
}

export function withNames(tools: LogState['tools'], more: NamesByServer): LogState['tools'] {
	const changed = more.map(
		([server, names]) => [server, union(tools.get(server) ?? noNames, names)] as const,
	);
	return new Map([...tools, ...changed]);
}

function union(names: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
	return more.length === 0 ? names : new Set([...names, ...more]);
}

function without(names: ReadonlySet<string>, fewer: readonly string[]): ReadonlySet<string> {
	return fewer.length === 0 ? names : names.difference(new Set(fewer));
}
