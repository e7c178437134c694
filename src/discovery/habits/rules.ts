import { compareStrings } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { type DiscoveryPolicy, isEditorTool, placement } from '../catalog/policy.ts';
import { toolId } from '../catalog/tool.ts';
import { sumOfTokens, toolTokens } from '../session/toolTokens.ts';
import { type ChatHabits, callsOf, type Habits, isPinnedAlone } from './habits.ts';

/** A suggestion from past chats that the user can accept with a click. Plain JSON. */
export type Proposal = {
	/** Equal for equal advice, so that dismissed advice does not return. */
	readonly id: string;
	readonly server: string;
	/** Estimated tokens of definitions added to (`pin`) or removed from (`defer`) each request. */
	readonly tokens: number;
} & (
	| {
			readonly kind: 'pin';
			readonly tool: string;
			/** The chats that called it, of so many. */
			readonly why: { readonly used: number; readonly chats: number };
	  }
	| {
			readonly kind: 'defer';
			/** Absent: the whole server. */
			readonly tool?: string;
			/** So many chats did not use it. `tools`: the number of the server's tools. */
			readonly why: { readonly chats: number; readonly tools?: number };
	  }
);

/** A suggestion and its worth: tokens saved per chat, times certainty. */
export interface RankedProposal {
	readonly suggestion: Proposal;
	readonly worth: number;
}

/** Estimated probability of an event seen `times` of `of` times (Laplace's rule of succession): few chats never make it certain. */
export function likelihood(times: number, of: number): number {
	return (times + 1) / (of + 2);
}

/** The newest chats with the tool's server that are considered, and their minimum number. */
const pinWindowChats = 10;
const pinLeastChats = 5;
/** Minimum share of them that called the tool. */
const pinLeastShare = 0.6;
/** Tokens that a chat saves without a search: about one request with the calls and results before it. */
const searchDetourTokens = 1500;

/** Pins deferred tools that most chats call. */
function pinRule(
	{ chats }: Habits,
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): readonly RankedProposal[] {
	const called = new Set(
		chats.flatMap(({ calls }) => calls.map(({ server, tool }) => toolKey(server, tool))),
	);
	return tools
		.filter((tool) => called.has(toolKey(tool.server, tool.name)))
		.filter((tool) => placement(tool, policy) === 'deferred')
		.flatMap((tool) => pinProposals(tool, chats));
}

function pinProposals(tool: CatalogTool, chats: readonly ChatHabits[]): RankedProposal[] {
	const recent = chats.filter((chat) => hadServer(chat, tool.server)).slice(-pinWindowChats);
	const used = recent.filter((chat) => callsOf(chat, tool.server, tool.name) > 0).length;
	if (recent.length < pinLeastChats || used < pinLeastShare * recent.length) return [];
	const suggestion = {
		kind: 'pin',
		id: `pin ${toolId(tool)}`,
		server: tool.server,
		tool: tool.name,
		why: { used, chats: recent.length },
		tokens: toolTokens(tool),
	} as const;
	return [{ suggestion, worth: searchDetourTokens * likelihood(used, recent.length) }];
}

/** A chat without the server says nothing about its tools. */
function hadServer(chat: ChatHabits, server: string): boolean {
	return chat.servers.includes(server) || callsOf(chat, server) > 0;
}

function toolKey(server: string, name: string): string {
	return JSON.stringify([server, name]);
}

/** Consecutive newest chats that had it loaded without calling it. */
const deferLeastChats = 10;
/** Minimum tokens saved per request: less is not worth a search when the tool is needed. */
const deferServerLeastTokens = 1000;
const deferToolLeastTokens = 300;

/** Defers servers that are loaded but never used. Servers outside the configuration cannot be deferred there. */
function deferServerRule(
	{ chats }: Habits,
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): readonly RankedProposal[] {
	const byServer = Map.groupBy(
		tools.filter(({ server }) => policy.servers.has(server)),
		({ server }) => server,
	);
	return [...byServer].flatMap(([server, its]): RankedProposal[] => {
		const idle = idleChats(
			chats,
			(chat) => chat.always.includes(server),
			(chat) => callsOf(chat, server) > 0,
		);
		if (idle < deferLeastChats) return [];
		const tokens = sumOfTokens(its.filter((tool) => placement(tool, policy) !== 'deferred'));
		if (tokens < deferServerLeastTokens) return [];
		const why = { chats: idle, tools: its.length };
		const suggestion = { kind: 'defer', id: `defer ${server}`, server, why, tokens } as const;
		return [{ suggestion, worth: tokens * likelihood(idle, idle) }];
	});
}

/** Defers tools that are pinned by name but never used. */
function deferToolRule(
	{ chats }: Habits,
	tools: readonly CatalogTool[],
	policy: DiscoveryPolicy,
): readonly RankedProposal[] {
	return tools
		.filter((tool) => isPinnedAlone(tool, policy))
		.flatMap((tool): RankedProposal[] => {
			const { server, name } = tool;
			const idle = idleChats(
				chats,
				(chat) => chat.pinned.includes(toolId(tool)),
				(chat) => callsOf(chat, server, name) > 0,
			);
			const tokens = toolTokens(tool);
			if (idle < deferLeastChats || tokens < deferToolLeastTokens) return [];
			const id = `defer ${toolId(tool)}`;
			const why = { chats: idle };
			const suggestion = { kind: 'defer', id, server, tool: name, why, tokens } as const;
			return [{ suggestion, worth: tokens * likelihood(idle, idle) }];
		});
}

/** Chats that had it loaded since it was last called. Chats that had it deferred do not count. */
function idleChats(
	chats: readonly ChatHabits[],
	hadLoaded: (chat: ChatHabits) => boolean,
	hasCalled: (chat: ChatHabits) => boolean,
): number {
	return chats.slice(chats.findLastIndex(hasCalled) + 1).filter(hadLoaded).length;
}

/** Most suggestions at a time; nobody reads more. */
const mostProposals = 5;
/** Tools pinned by name, and their tokens, above which pinning would defeat discovery. */
const mostPins = 24;
const mostPinTokens = 2000;

/** The input of all rules. */
export interface ProposalGrounds {
	readonly habits: Habits;
	readonly tools: readonly CatalogTool[];
	readonly policy: DiscoveryPolicy;
	/** Ids of dismissed suggestions. */
	readonly dismissed?: ReadonlySet<string>;
}

/** Best first, without suggestions that are already configured or contradict a better one. */
export function proposalsFor(grounds: ProposalGrounds): readonly Proposal[] {
	const { habits, policy, dismissed = new Set() } = grounds;
	if (!policy.enabled || habits.chats.length === 0) return [];
	const tools = grounds.tools.filter((tool) => !isEditorTool(tool, policy));
	const isNew = ({ suggestion }: RankedProposal) => !dismissed.has(suggestion.id);
	const servers = deferServerRule(habits, tools, policy).filter(isNew);
	const whole = new Set(servers.map(({ suggestion }) => suggestion.server));
	const others = [...pinRule(habits, tools, policy), ...deferToolRule(habits, tools, policy)]
		.filter(isNew)
		.filter(({ suggestion }) => !whole.has(suggestion.server));
	const ranked = [...servers, ...others].sort(byWorth).map(({ suggestion }) => suggestion);
	const pins = pinsOf(tools, policy);
	return ranked.reduce((made, next) => withProposal(made, next, pins), [] as readonly Proposal[]);
}

function withProposal(
	made: readonly Proposal[],
	next: Proposal,
	pins: readonly number[],
): readonly Proposal[] {
	if (made.length === mostProposals) return made;
	if (made.some(({ server, kind }) => server === next.server && kind !== next.kind)) return made;
	return next.kind === 'defer' || hasRoom([...pins, ...pinsAmong(made), next.tokens])
		? [...made, next]
		: made;
}

function hasRoom(pins: readonly number[]): boolean {
	return pins.length <= mostPins && pins.reduce((sum, tokens) => sum + tokens, 0) <= mostPinTokens;
}

function pinsAmong(made: readonly Proposal[]): readonly number[] {
	return made.filter(({ kind }) => kind === 'pin').map(({ tokens }) => tokens);
}

/** Tokens of each tool pinned by name. Tools of a server pinned as a whole do not count: the user wanted all of it. */
function pinsOf(tools: readonly CatalogTool[], policy: DiscoveryPolicy): readonly number[] {
	return tools.filter((tool) => isPinnedAlone(tool, policy)).map(toolTokens);
}

function byWorth(a: RankedProposal, b: RankedProposal): number {
	const [one, other] = [a.suggestion, b.suggestion];
	return b.worth - a.worth || one.tokens - other.tokens || compareStrings(one.id, other.id);
}
