import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { definitionHash } from './definition.ts';

/** Where a rule applies: in one chat, or in the whole workspace, which includes tools that the user runs by hand. */
export type PermissionScope =
	| { readonly kind: 'workspace' }
	/** `chat`: its id. */
	| { readonly kind: 'chat'; readonly chat: string };

/** The user's decision about the calls of a tool: allow them without asking, or never make them. */
export interface PermissionRule {
	readonly decision: 'allow' | 'never';
	readonly server: string;
	/** See `approvalHash`. The same server with another program or address has no permission. */
	readonly launch: string;
	readonly tool: string;
	/** Of the tool as it was when the rule was made; see {@link callHash}. */
	readonly definition: string;
	readonly scope: PermissionScope;
	/** In milliseconds since 1970. */
	readonly since: number;
}

export interface PermittedCall {
	readonly tool: CatalogTool;
	/** Hash of the approved launch; `undefined`: the server is not approved. */
	readonly launch: string | undefined;
	/** Absent if the call does not belong to a chat of ours. */
	readonly chat?: string | undefined;
}

/** Limits of what is stored. The oldest "allow" goes first; "never" goes only when nothing else is left. */
export const permissionLimits = {
	rules: 500,
	/** In the name of a tool, a server or a chat. */
	characters: 1_000,
} as const;

/** Identifies a tool in a rule: everything its server says about it, without what the catalog adds. */
export const callHash = weakMemo(({ id: _, wireName: __, ...tool }: CatalogTool): string =>
	definitionHash(tool),
);

/** Whether the server says that the tool may destroy something. */
export function claimsToDestroy(tool: Pick<CatalogTool, 'annotations'>): boolean {
	return tool.annotations?.destructiveHint === true;
}

/** The rule that applies to a call. "Never" wins. */
export function ruleFor(rules: readonly PermissionRule[], call: PermittedCall): PermissionRule | undefined {
	const holding = rules.filter((rule) => isFor(rule, call));
	return holding.find(({ decision }) => decision === 'never') ?? holding[0];
}

function isFor(
	{ decision, server, launch, tool, definition, scope }: PermissionRule,
	call: PermittedCall,
): boolean {
	if (server !== call.tool.server || launch !== call.launch) return false;
	if (scope.kind === 'chat' && scope.chat !== call.chat) return false;
	// A server cannot escape a "never" by changing the tool's description.
	return decision === 'never' ? tool === call.tool.name : definition === callHash(call.tool);
}

/**
 * Whether a rule has ended: its launch is not approved any more, or an allowed tool has changed. `tool`: the tool as it is listed now, if it is; a tool
 * that is missing now may come back unchanged.
 */
export function hasEnded(rule: PermissionRule, isApproved: boolean, tool: CatalogTool | undefined): boolean {
	if (!isApproved) return true;
	if (isNever(rule)) return false;
	return tool !== undefined && callHash(tool) !== rule.definition;
}

/**
 * Adds a rule, in place of earlier ones about the same tool: the last decision counts. `isSeen`: whether the user could know a rule when deciding. A
 * "never" that another window has just added stays.
 */
export function withRule(
	rules: readonly PermissionRule[],
	added: PermissionRule,
	isSeen: (rule: PermissionRule) => boolean = () => true,
): readonly PermissionRule[] {
	const left = rules.filter((rule) => !isReplaced(rule, added) || (isNever(rule) && !isSeen(rule)));
	return boundedRules([...left, added]);
}

/** Of rules that were revoked, those that can return: the user has not decided again about the same calls. */
export function returning(
	revoked: readonly PermissionRule[],
	rules: readonly PermissionRule[],
): readonly PermissionRule[] {
	return revoked.filter((rule) => !rules.some((later) => isReplaced(rule, later)));
}

function isReplaced(rule: PermissionRule, by: PermissionRule): boolean {
	if (rule.server !== by.server || rule.tool !== by.tool) return false;
	// A permanent permission replaces those for single chats; the reverse may coexist.
	return rule.decision !== by.decision || by.scope.kind === 'workspace' || isSameScope(rule.scope, by.scope);
}

function isSameScope(a: PermissionScope, b: PermissionScope): boolean {
	return a.kind === 'chat' ? b.kind === 'chat' && a.chat === b.chat : b.kind === 'workspace';
}

/** Rules within the limits: the oldest "allow" goes first. */
export function boundedRules(rules: readonly PermissionRule[]): readonly PermissionRule[] {
	const spare = rules.length - permissionLimits.rules;
	if (spare <= 0) return rules;
	const allowFirst = rules.toSorted((a, b) => Number(isNever(a)) - Number(isNever(b)));
	const dropped = new Set(allowFirst.slice(0, spare));
	return rules.filter((rule) => !dropped.has(rule));
}

function isNever({ decision }: PermissionRule): boolean {
	return decision === 'never';
}
