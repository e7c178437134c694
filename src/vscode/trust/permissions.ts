import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import {
	hasFallen,
	type PermissionProposal,
	type PermissionRule,
	restoredProposals,
	restoredRules,
	ruleFor,
	withRule,
} from '../../mcp/accepted/permissions.ts';

interface PermissionParts {
	/** The extension's storage for the workspace: no repository can bring permissions along. */
	readonly memento: Memento;
	/** The hash of the launch that a server is approved with; `undefined`: it is not approved. */
	readonly launchOf: (server: string) => string | undefined;
	/** Whether a launch is approved under this server name, also if the configuration does not have it now. */
	readonly isApproved: (server: string, launch: string) => boolean;
}

const rulesKey = 'permissions';
const proposalsKey = 'permissionProposals';

/** Which calls the user always or never allows. A rule is dropped when its server or tool changes. */
export class Permissions {
	readonly #parts: PermissionParts;
	#rules: readonly PermissionRule[] = [];
	#byServer: ReadonlyMap<string, readonly PermissionRule[]> = new Map();
	#proposals: readonly PermissionProposal[];
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	constructor(parts: PermissionParts) {
		this.#parts = parts;
		this.#hold(restoredRules(parts.memento.get(rulesKey)));
		this.#proposals = restoredProposals(parts.memento.get(proposalsKey));
	}

	/** All rules, oldest first. `tools`: as servers list them now. */
	rules(tools: readonly CatalogTool[]): readonly PermissionRule[] {
		const listed = new Map(tools.map((tool) => [toolId(tool), tool]));
		const toolOf = ({ server, subject }: PermissionRule) =>
			subject.kind === 'tool' ? listed.get(toolId({ server, name: subject.tool })) : undefined;
		this.#dropInvalid(this.#rules, toolOf);
		return this.#rules;
	}

	/** Permissions of other programs that the user has not decided on. */
	get proposals(): readonly PermissionProposal[] {
		return this.#proposals;
	}

	/** The rule for a call. `chat`: the id of the call's chat. */
	ruleFor(tool: CatalogTool, chat?: string): PermissionRule | undefined {
		const its = this.#byServer.get(tool.server);
		if (!its) return undefined;
		this.#dropInvalid(its, ({ subject }) =>
			subject.kind === 'tool' && subject.tool === tool.name ? tool : undefined,
		);
		const launch = this.#parts.launchOf(tool.server);
		return ruleFor(this.#byServer.get(tool.server) ?? [], { tool, launch, chat });
	}

	rulesOf(server: string): readonly PermissionRule[] {
		return this.#byServer.get(server) ?? [];
	}

	/** Stores a rule; `false`: the server is not approved, so it can have none. */
	async keep(rule: Omit<PermissionRule, 'launch'>): Promise<boolean> {
		const launch = this.#parts.launchOf(rule.server);
		if (launch === undefined) return false;
		await this.#setRules(withRule(this.#rules, { ...rule, launch }));
		return true;
	}

	/** Revokes rules; resolves to the undo. */
	async remove(rules: readonly PermissionRule[]): Promise<() => Promise<void>> {
		await this.#setRules(this.#rules.filter((rule) => !rules.includes(rule)));
		return () => this.#setRules(rules.reduce(withRule, this.#rules));
	}

	/** Adds proposals of an import, without duplicates. */
	async propose(proposals: readonly PermissionProposal[]): Promise<void> {
		const all = [...this.#proposals, ...proposals].map((one) => [JSON.stringify(one), one] as const);
		await this.#setProposals(restoredProposals([...new Map(all).values()]));
	}

	/** Removes proposals: the user has decided, or the import was undone. */
	async settle(proposals: readonly PermissionProposal[]): Promise<void> {
		const settled = new Set(proposals.map((one) => JSON.stringify(one)));
		await this.#setProposals(this.#proposals.filter((one) => !settled.has(JSON.stringify(one))));
	}

	/** Drops rules for good, so that they do not return with the old server or tool. */
	#dropInvalid(
		rules: readonly PermissionRule[],
		toolOf: (rule: PermissionRule) => CatalogTool | undefined,
	): void {
		const { isApproved, memento } = this.#parts;
		const invalid = new Set(rules.filter((rule) => hasFallen(rule, isApproved, toolOf(rule))));
		if (invalid.size === 0) return;
		this.#hold(this.#rules.filter((rule) => !invalid.has(rule)));
		void memento.update(rulesKey, this.#rules);
	}

	#hold(rules: readonly PermissionRule[]): void {
		this.#rules = rules;
		this.#byServer = Map.groupBy(rules, ({ server }) => server);
	}

	async #setRules(rules: readonly PermissionRule[]): Promise<void> {
		this.#hold(rules);
		// Before it is on disk, so that calls that wait for an answer notice it at once.
		this.#changed.fire();
		await this.#parts.memento.update(rulesKey, rules);
	}

	async #setProposals(proposals: readonly PermissionProposal[]): Promise<void> {
		this.#proposals = proposals;
		this.#changed.fire();
		await this.#parts.memento.update(proposalsKey, proposals);
	}
}
