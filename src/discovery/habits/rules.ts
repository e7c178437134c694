import { compareStrings } from '../../common/text.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { type DiscoveryPolicy, isEditorTool, placement } from '../catalog/policy.ts';
import { toolId } from '../catalog/tool.ts';
import { sumOfTokens, toolTokens } from '../session/toolTokens.ts';
import { type ChatHabits, callsOf, type Habits, isPinnedAlone } from './habits.ts';

/** Something that past chats speak for, which the user can take with a click. Plain JSON. */
export type Proposal = {
	/** The same for the same advice, so that it is not given again once it was dismissed. */
	readonly id: string;
	readonly server: string;
	/** Why, in a sentence for people, such as `Used in 8 of 10 chats.` */
	readonly why: string;
	/** Estimated tokens of definitions: what a request has more once it is taken (`pin`), or less (`defer`). */
	readonly tokens: number;
} & (
	| { readonly kind: 'pin'; readonly tool: string }
	/** Without `tool`: the whole server. */
	| { readonly kind: 'defer'; readonly tool?: string }
);

/** Whoever knows what past chats speak for. */
export interface ProposalSource {
	readonly onDidChange: (listener: () => void) => { dispose(): void };
	/** The best first. */
	readonly suggestions: () => readonly Proposal[];
	readonly take: (suggestion: Proposal) => Promise<void>;
	/** Never again. */
	readonly dismiss: (suggestion: Proposal) => Promise<void>;
}

/** A suggestion, and what taking it is worth: tokens a chat saves, times how certain that is. */
export interface RankedProposal {
	readonly suggestion: Proposal;
	readonly worth: number;
}

/** How likely something is that happened `times` of `of` times (Laplace's rule of succession): few chats never make it certain. */
export function likelihood(times: number, of: number): number {
	return (times + 1) / (of + 2);
}

/** Chats that are looked at, the newest that had the tool's server, and how many there must be at least. */
const pinWindowChats = 10;
const pinLeastChats = 5;
/** Part of them in which the tool was called. */
const pinLeastShare = 0.6;
/** What a chat saves that need not search: about a request more, with the calls and results before it, in tokens. */
const searchDetourTokens = 1500;

/** Deferred tools that most chats call. */
export function pinRule(
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
		why: `Used in ${used} of ${recent.length} chats.`,
		tokens: toolTokens(tool),
	} as const;
	return [{ suggestion, worth: searchDetourTokens * likelihood(used, recent.length) }];
}

/** A chat that did not have the server says nothing about its tools. */
function hadServer(chat: ChatHabits, server: string): boolean {
	return chat.servers.includes(server) || callsOf(chat, server) > 0;
}

function toolKey(server: string, name: string): string {
	return JSON.stringify([server, name]);
}

/** Chats, the newest one after another, that had it loaded and did not call it. */
const deferLeastChats = 10;
/** What deferring must save with each request: less is not worth a search on the day that it is needed. */
const deferServerLeastTokens = 1000;
const deferToolLeastTokens = 300;

/** Servers that are loaded for nothing. One that the configuration does not name cannot be deferred there. */
export function deferServerRule(
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
		const subject = its.length === 1 ? 'Its only tool was not' : `None of its ${its.length} tools was`;
		const why = `${subject} used in ${idle} chats.`;
		const suggestion = { kind: 'defer', id: `defer ${server}`, server, why, tokens } as const;
		return [{ suggestion, worth: tokens * likelihood(idle, idle) }];
	});
}

/** Tools that are pinned one by one for nothing. */
export function deferToolRule(
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
			const why = `Not used in ${idle} chats.`;
			const suggestion = { kind: 'defer', id, server, tool: name, why, tokens } as const;
			return [{ suggestion, worth: tokens * likelihood(idle, idle) }];
		});
}

/** How many chats had something loaded since one last called it. A chat that had it deferred does not count. */
function idleChats(
	chats: readonly ChatHabits[],
	hadLoaded: (chat: ChatHabits) => boolean,
	hasCalled: (chat: ChatHabits) => boolean,
): number {
	return chats.slice(chats.findLastIndex(hasCalled) + 1).filter(hadLoaded).length;
}

/** Suggestions at a time: more is a list that nobody reads. */
const mostProposals = 5;
/** Tools that are pinned one by one, and their tokens, beyond which pinning would do what discovery is there to undo. */
const mostPins = 24;
const mostPinTokens = 2000;

/** What past chats speak for as things stand now: see the rules. */
export interface ProposalGrounds {
	readonly habits: Habits;
	/** All there are. */
	readonly tools: readonly CatalogTool[];
	readonly policy: DiscoveryPolicy;
	/** Ids of suggestions that are not to be made again. */
	readonly dismissed?: ReadonlySet<string>;
}

/** The best first; nothing that the configuration says already, and nothing that another of them speaks against. */
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

/** Tokens of each tool that is pinned by its name. Tools of a server that is pinned as a whole do not count: that was meant so. */
function pinsOf(tools: readonly CatalogTool[], policy: DiscoveryPolicy): readonly number[] {
	return tools.filter((tool) => isPinnedAlone(tool, policy)).map(toolTokens);
}

function byWorth(a: RankedProposal, b: RankedProposal): number {
	const [one, other] = [a.suggestion, b.suggestion];
	return b.worth - a.worth || one.tokens - other.tokens || compareStrings(one.id, other.id);
}
