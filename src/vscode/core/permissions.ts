import { changesOf, type Event } from '../../common/event.ts';
import { weakMemo } from '../../common/memo.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import {
	boundedRules,
	hasEnded,
	type PermissionRule,
	returning,
	ruleFor,
	withRule,
} from '../../mcp/accepted/permissions.ts';
import type { Approvals } from './approvals.ts';
import type { TrustFile } from './trustState.ts';

/** Which launches are approved. */
type KnownApprovals = Pick<Approvals, 'launchOf' | 'hasLaunch' | 'isKnown'>;

/** Which calls the user always or never allows. A rule has no effect after its server or tool has changed. */
export class Permissions {
	readonly #trust: TrustFile;
	readonly #approvals: KnownApprovals;
	/** Before a change is on disk, so that calls that wait for an answer notice it at once. */
	readonly onDidChange: Event<void>;

	constructor(trust: TrustFile, approvals: KnownApprovals) {
		this.#trust = trust;
		this.#approvals = approvals;
		this.onDidChange = changesOf(() => JSON.stringify(trust.value.rules), [trust.onDidChange]);
	}

	/** Whether the stored rules could be read. Otherwise there may be a "never" that we do not know. */
	get isKnown(): boolean {
		return this.#trust.isKnown;
	}

	/** All rules, oldest first. `tools`: as servers list them now. */
	rules(tools: readonly CatalogTool[]): readonly PermissionRule[] {
		const listedTools = new Map(tools.map((tool) => [toolId(tool), tool]));
		return this.#inForce(this.#trust.value.rules, ({ server, tool }) =>
			listedTools.get(toolId({ server, name: tool })),
		);
	}

	/** The rule for a call. `chat`: the id of the call's chat. */
	ruleFor(tool: CatalogTool, chat?: string): PermissionRule | undefined {
		const ofServer = byServer(this.#trust.value.rules).get(tool.server);
		if (!ofServer) return undefined;
		const rules = this.#inForce(ofServer, (rule) => (rule.tool === tool.name ? tool : undefined));
		return ruleFor(rules, { tool, launch: this.#approvals.launchOf(tool.server), chat });
	}

	rulesOf(server: string): readonly PermissionRule[] {
		return this.#inForce(byServer(this.#trust.value.rules).get(server) ?? [], () => undefined);
	}

	/** Stores a rule; `false`: the server is not approved, so it can have none. */
	async keep(rule: Omit<PermissionRule, 'launch'>): Promise<boolean> {
		const launch = this.#approvals.launchOf(rule.server);
		if (launch === undefined) return false;
		const seenRules = textsOf([...this.#trust.value.rules, { ...rule, launch }]);
		const isSeen = (candidate: PermissionRule) => seenRules.has(JSON.stringify(candidate));
		await this.#changeRules((rules) => withRule(rules, { ...rule, launch }, isSeen));
		return true;
	}

	/** Revokes rules; resolves to the undo, which overrides no later decision. */
	async remove(rules: readonly PermissionRule[]): Promise<() => Promise<void>> {
		await this.#changeRules(rulesWithout(rules));
		return () => this.#changeRules((all) => boundedRules([...all, ...returning(rules, all)]));
	}

	/** Whether the undo of {@link remove} would restore any of these rules. */
	canRestore(rules: readonly PermissionRule[]): boolean {
		return returning(rules, this.#trust.value.rules).length > 0;
	}

	/** Without rules that have ended. Those that allowed something are deleted, so that they do not return with the old server or tool. */
	#inForce(
		rules: readonly PermissionRule[],
		toolOf: (rule: PermissionRule) => CatalogTool | undefined,
	): readonly PermissionRule[] {
		const approvals = this.#approvals;
		const ended = new Set(
			rules.filter((rule) => hasEnded(rule, approvals.hasLaunch(rule.server, rule.launch), toolOf(rule))),
		);
		if (ended.size === 0) return rules;
		// The approval may be in another file, which another window has just written or which cannot be read now. A "never" must survive that.
		if (approvals.isKnown) this.#forget([...ended].filter(({ decision }) => decision === 'allow'));
		return rules.filter((rule) => !ended.has(rule));
	}

	/** These rules had no effect any more, so nobody needs to know. */
	#forget(rules: readonly PermissionRule[]): void {
		if (rules.length === 0) return;
		const forget = rulesWithout(rules);
		this.#trust.change((state) => ({ ...state, rules: forget(state.rules) }));
		// If it cannot be written, the rules are dropped again in the next window.
		this.#trust.save().catch(() => {});
	}

	#changeRules(change: (rules: readonly PermissionRule[]) => readonly PermissionRule[]): Promise<void> {
		return this.#trust.update((state) => ({ ...state, rules: change(state.rules) }));
	}
}

const byServer = weakMemo((rules: readonly PermissionRule[]) => Map.groupBy(rules, ({ server }) => server));

function textsOf(values: readonly PermissionRule[]): ReadonlySet<string> {
	return new Set(values.map((value) => JSON.stringify(value)));
}

/** By value: another window may have written the same again. */
function rulesWithout(
	removed: readonly PermissionRule[],
): (all: readonly PermissionRule[]) => readonly PermissionRule[] {
	const texts = textsOf(removed);
	return (all) => all.filter((rule) => !texts.has(JSON.stringify(rule)));
}
