import { isRecord } from '../../common/json.ts';
import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { definitionHash } from './definition.ts';

/** Where a rule holds: in one chat, or in every chat of the workspace and for what the user runs by hand. */
export type PermissionScope =
	| { readonly kind: 'workspace' }
	/** `chat`: its id. */
	| { readonly kind: 'chat'; readonly chat: string };

/** Which tools a rule is for, as they were when it was made; see {@link callHash}. */
export type PermissionSubject =
	| { readonly kind: 'tool'; readonly tool: string; readonly definition: string }
	/** All tools of the server that said of themselves that they destroy nothing. */
	| { readonly kind: 'server'; readonly definitions: readonly string[] };

/** What the user has decided about calls: that they are made without a question, or never. */
export interface PermissionRule {
	readonly decision: 'allow' | 'never';
	readonly server: string;
	/** What runs as that server, see `approvalHash`: as another program, or at another address, it has no permission. */
	readonly launch: string;
	readonly subject: PermissionSubject;
	readonly scope: PermissionScope;
	/** In milliseconds since 1970. */
	readonly since: number;
}

/** A call that somebody wants to make. */
export interface PermittedCall {
	readonly tool: CatalogTool;
	/** Of the server as it is approved now; `undefined`: it is not. */
	readonly launch: string | undefined;
	/** Absent where the call belongs to no chat of ours. */
	readonly chat?: string | undefined;
}

/** What other clients let run without a question, or never, as an import found it: no rule before the user has agreed. */
export interface PermissionProposal {
	readonly decision: 'allow' | 'never';
	readonly server: string;
	/** As the server calls it; `*`: every tool of the server. */
	readonly tool: string;
	/** The program whose list it stood in. */
	readonly product: string;
}

/** Bounds of what is kept. The oldest permission goes first; what is never to run goes only when there is nothing else. */
export const permissionLimits = {
	rules: 500,
	/** Tools that one rule for a server covers. */
	definitions: 500,
	/** Of all rules for servers together. */
	definitionsInAll: 10_000,
	/** Of one name of a tool, a server or a chat. */
	characters: 1_000,
	proposals: 1_000,
} as const;

/** By what a rule knows a tool again: all that its server says of it, whatever else the catalog adds. */
export const callHash = weakMemo(({ id: _, wireName: __, ...tool }: CatalogTool): string =>
	definitionHash(tool),
);

/** Whether a server says of its tool that it may destroy something. */
export function claimsToDestroy(tool: Pick<CatalogTool, 'annotations'>): boolean {
	return tool.annotations?.destructiveHint === true;
}

/** Whether a tool may destroy something, as far as its server says: MCP has it so where nothing is said. */
export function mayDestroy({ annotations }: Pick<CatalogTool, 'annotations'>): boolean {
	return annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false;
}

/** What a rule for a server covers: those of its tools that claim to destroy nothing, `first` among them. */
export function harmlessOf(tools: readonly CatalogTool[], first?: CatalogTool): PermissionSubject {
	const harmless = tools.filter((tool) => !mayDestroy(tool)).map(callHash);
	const definitions = new Set([...(first && !mayDestroy(first) ? [callHash(first)] : []), ...harmless]);
	return { kind: 'server', definitions: [...definitions].slice(0, permissionLimits.definitions) };
}

/** The rule that a call falls under. What is never to run is stronger than any permission. */
export function ruleFor(rules: readonly PermissionRule[], call: PermittedCall): PermissionRule | undefined {
	const holding = rules.filter((rule) => isFor(rule, call));
	return holding.find(({ decision }) => decision === 'never') ?? holding[0];
}

function isFor({ decision, server, launch, subject, scope }: PermissionRule, call: PermittedCall): boolean {
	if (server !== call.tool.server || launch !== call.launch) return false;
	if (scope.kind === 'chat' && scope.chat !== call.chat) return false;
	// A server does not get rid of a no by another description.
	if (decision === 'never' && subject.kind === 'tool') return subject.tool === call.tool.name;
	const hash = callHash(call.tool);
	return subject.kind === 'tool' ? subject.definition === hash : subject.definitions.includes(hash);
}

/**
 * Whether a rule holds no more: what it was given for is not approved as its server any more (`isApproved`), or a tool that was allowed says
 * something else of itself (`tool`: as its server lists it now, where that is known; one that is not listed now may be so again).
 */
export function hasFallen(
	rule: PermissionRule,
	isApproved: (server: string, launch: string) => boolean,
	tool: CatalogTool | undefined,
): boolean {
	if (!isApproved(rule.server, rule.launch)) return true;
	if (rule.decision === 'never') return false;
	return rule.subject.kind === 'tool' && tool !== undefined && callHash(tool) !== rule.subject.definition;
}

/** Rules with another one, in place of those that say something of the same tools: what the user has said last counts. */
export function withRule(rules: readonly PermissionRule[], added: PermissionRule): readonly PermissionRule[] {
	return bounded([...rules.filter((rule) => !isReplaced(rule, added)), added]);
}

function isReplaced(rule: PermissionRule, by: PermissionRule): boolean {
	const isSameSubject =
		rule.server === by.server &&
		rule.subject.kind === by.subject.kind &&
		(rule.subject.kind === 'server' || (by.subject.kind === 'tool' && rule.subject.tool === by.subject.tool));
	if (!isSameSubject) return false;
	// A permission for good makes those of single chats superfluous; the other way round both may stand.
	return rule.decision !== by.decision || by.scope.kind === 'workspace' || isSameScope(rule.scope, by.scope);
}

function isSameScope(a: PermissionScope, b: PermissionScope): boolean {
	return a.kind === 'chat' ? b.kind === 'chat' && a.chat === b.chat : b.kind === 'workspace';
}

function bounded(rules: readonly PermissionRule[]): readonly PermissionRule[] {
	const kept = [...rules];
	const isTooMuch = () =>
		kept.length > permissionLimits.rules || definitionsIn(kept) > permissionLimits.definitionsInAll;
	while (kept.length > 0 && isTooMuch()) {
		const oldest = kept.findIndex(({ decision }) => decision === 'allow');
		kept.splice(Math.max(oldest, 0), 1);
	}
	return kept;
}

function definitionsIn(rules: readonly PermissionRule[]): number {
	return rules.reduce(
		(sum, { subject }) => sum + (subject.kind === 'server' ? subject.definitions.length : 0),
		0,
	);
}

/** The rules that were kept, without what cannot be read as one. */
export function restoredRules(value: unknown): readonly PermissionRule[] {
	return bounded(Array.isArray(value) ? value.slice(-permissionLimits.rules).filter(isRule) : []);
}

/** The proposals that were kept, or that a file has, without what cannot be read as one. */
export function restoredProposals(value: unknown): readonly PermissionProposal[] {
	return Array.isArray(value) ? value.filter(isProposal).slice(-permissionLimits.proposals) : [];
}

function isRule(value: unknown): value is PermissionRule {
	return (
		isRecord(value) &&
		(value.decision === 'allow' || value.decision === 'never') &&
		isName(value.server) &&
		isName(value.launch) &&
		isSubject(value.subject) &&
		isScope(value.scope) &&
		Number.isFinite(value.since)
	);
}

function isSubject(value: unknown): value is PermissionSubject {
	if (!isRecord(value)) return false;
	if (value.kind === 'tool') return isName(value.tool) && isName(value.definition);
	const { kind, definitions } = value;
	return (
		kind === 'server' &&
		Array.isArray(definitions) &&
		definitions.length <= permissionLimits.definitions &&
		definitions.every(isName)
	);
}

function isScope(value: unknown): value is PermissionScope {
	return isRecord(value) && (value.kind === 'workspace' || (value.kind === 'chat' && isName(value.chat)));
}

function isProposal(value: unknown): value is PermissionProposal {
	return (
		isRecord(value) &&
		(value.decision === 'allow' || value.decision === 'never') &&
		isName(value.server) &&
		isName(value.tool) &&
		isName(value.product)
	);
}

/** A rule that names nothing is none. */
function isName(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= permissionLimits.characters;
}
