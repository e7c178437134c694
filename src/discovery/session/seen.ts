import type { Loading } from '../catalog/policy.ts';
import type { ToolDefinition } from '../catalog/tool.ts';
import type { KeptToolset } from '../catalog/toolset.ts';
import { type Activations, nothingActive, withActivity } from './activations.ts';
import type { LogEntry, LoggedTool, NamesByServer, RequestSent, Told, WhyAnew } from './logEntry.ts';
import type { DeferredByServer, PromptPrefix } from './promptPrefix.ts';

/** What the model has in front of it, and what it and the user were told: computed from the log. Immutable. */
export interface Seen {
	/** The last model, and how loaded tools reached it. */
	readonly model?: string;
	readonly loading?: Loading;
	/** The head of the last request; absent if the next one starts anew, for the reason `anew`. */
	readonly head?: PromptPrefix;
	readonly anew: WhyAnew;
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

const nothing: ReadonlySet<string> = new Set();

export const nothingSeen: Seen = {
	anew: 'first',
	lingering: nothing,
	redefined: new Map(),
	brought: [],
	active: nothingActive,
	loaded: new Map(),
	gone: nothing,
	evicted: nothing,
	instructed: nothing,
	used: nothing,
	linked: nothing,
	readsResources: false,
	tools: new Map(),
	toolset: undefined,
	systemPrompts: new Map(),
	answers: 0,
};

/** Adds one entry. */
export function withEntry(before: Seen, entry: LogEntry): Seen {
	const active = withActivity(before.active, entry);
	const seen = active === before.active ? before : { ...before, active };
	switch (entry.kind) {
		case 'turn': {
			const { model, loading } = entry;
			// What results of the last turn brought is in the conversation by now, or was lost with it.
			const begun = { ...seen, brought: nothingSeen.brought };
			if (model === seen.model && loading === seen.loading) return begun;
			const why = model === seen.model ? 'loading' : 'model';
			return { ...begunAnew(begun, seen.findable ? why : 'first'), model, loading };
		}
		case 'request':
			return withRequest(seen, entry);
		case 'told':
			return withTold(seen, entry);
		case 'brought':
			return {
				...seen,
				brought: [...seen.brought, ...entry.definitions],
				gone: without(
					seen.gone,
					entry.definitions.map(({ name }) => name),
				),
				redefined: stillOld(seen, entry.definitions),
			};
		case 'load': {
			if (entry.tools.length === 0) return seen;
			const loaded = entry.tools.map((tool) => [tool.wireName, tool] as const);
			return { ...seen, loaded: new Map([...seen.loaded, ...loaded]) };
		}
		case 'evict': {
			const { wireNames } = entry;
			return {
				...seen,
				evicted: joined(seen.evicted, wireNames),
				lingering: joined(seen.lingering, wireNames),
			};
		}
		case 'unload':
			return begunAnew(seen, 'unload');
		case 'anew':
			return begunAnew(seen, entry.why);
		case 'use':
			return seen.used.has(entry.server) ? seen : { ...seen, used: joined(seen.used, [entry.server]) };
		case 'linked':
			return { ...seen, linked: joined(seen.linked, [entry.server]), readsResources: true };
		case 'joined':
			return { ...seen, tools: withNames(seen.tools, entry.tools) };
		case 'toolset':
			// System prompts may name tools that the other toolset excludes.
			return { ...seen, toolset: entry.toolset, systemPrompts: new Map() };
		case 'system':
			return { ...seen, systemPrompts: new Map([...seen.systemPrompts, [entry.template, entry.text]]) };
		case 'answered':
			return { ...seen, answers: seen.answers + 1 };
		case 'back':
			return { ...seen, ...untold };
		case 'reset':
			return {
				...begunAnew(seen, 'reset'),
				...untold,
				gone: seen.gone,
				evicted: nothing,
				readsResources: false,
			};
		default:
			return seen;
	}
}

/** State after going back to what was seen `then`. What can be found was told in the remaining conversation, or in a head made since. */
export function seenAgain(seen: Seen, then: Seen): Seen {
	const begun = seen.head?.frozen;
	const findable = begun && begun !== then.head?.frozen ? begun.findable : then.findable;
	return { ...seen, ...(seen.head && findable && { findable }) };
}

/** What taken-back turns told is told again when it matters. */
const untold = {
	redefined: nothingSeen.redefined,
	gone: nothing,
	instructed: nothing,
	used: nothing,
	linked: nothing,
	brought: nothingSeen.brought,
} satisfies Partial<Seen>;

function begunAnew({ head: _, ...seen }: Seen, anew: WhyAnew): Seen {
	// With `call`, schemas are in texts, which a new head does not change.
	const redefined = seen.loading === 'call' ? seen.redefined : nothingSeen.redefined;
	return { ...seen, anew, lingering: nothing, redefined };
}

function withRequest(seen: Seen, { anew, head, added = [] }: RequestSent): Seen {
	const sent = { brought: nothingSeen.brought, evicted: nothing };
	if (anew !== undefined) {
		const { head: _, ...begun } = begunAnew(seen, anew);
		const redefined = stillOld(begun, head?.tools ?? []);
		return { ...begun, redefined, ...(head && { head }), findable: head?.frozen.findable ?? [], ...sent };
	}
	const last = seen.head;
	if (!last || added.length === 0) return { ...seen, ...sent };
	return {
		...seen,
		redefined: stillOld(seen, added),
		head: { ...last, tools: [...last.tools, ...added] },
		...sent,
	};
}

/** The redefined tools, except those whose new definition the model is being sent. */
function stillOld({ redefined }: Seen, definitions: readonly ToolDefinition[]): Seen['redefined'] {
	if (redefined.size === 0) return redefined;
	const names = new Set(definitions.map(({ name }) => name));
	return new Map([...redefined].filter(([name]) => !names.has(name)));
}

function withTold(seen: Seen, told: Told): Seen {
	const { findable, redefined = [], gone = [], back = [], instructions = [] } = told;
	return {
		...seen,
		...(findable && { findable }),
		redefined:
			redefined.length === 0
				? seen.redefined
				: new Map([...seen.redefined, ...redefined.map((one) => [one.name, one] as const)]),
		gone: joined(without(seen.gone, back), gone),
		instructed: joined(seen.instructed, instructions),
	};
}

export function withNames(tools: Seen['tools'], more: NamesByServer): Seen['tools'] {
	const changed = more.map(
		([server, names]) => [server, joined(tools.get(server) ?? nothing, names)] as const,
	);
	return new Map([...tools, ...changed]);
}

function joined(names: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
	return more.length === 0 ? names : new Set([...names, ...more]);
}

function without(names: ReadonlySet<string>, fewer: readonly string[]): ReadonlySet<string> {
	return fewer.length === 0 ? names : names.difference(new Set(fewer));
}
