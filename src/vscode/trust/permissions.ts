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

/** What permissions are kept with. */
interface PermissionParts {
	/** The extension's storage of the workspace: no repository brings permissions along. */
	readonly memento: Memento;
	/** Of a server as it is approved now; `undefined`: it is not. */
	readonly launchOf: (server: string) => string | undefined;
	/** Whether a launch is approved as a server of that name, be it in the configuration now or not. */
	readonly isApproved: (server: string, launch: string) => boolean;
}

const rulesKey = 'permissions';
const proposalsKey = 'permissionProposals';

/** Which calls the user lets run without a question, and which never. A rule whose server or tool has become another one falls. */
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

	/** All that hold, the oldest first. `tools`: as servers list them now. */
	rules(tools: readonly CatalogTool[]): readonly PermissionRule[] {
		const listed = new Map(tools.map((tool) => [toolId(tool), tool]));
		const toolOf = ({ server, subject }: PermissionRule) =>
			subject.kind === 'tool' ? listed.get(toolId({ server, name: subject.tool })) : undefined;
		this.#forgetFallen(this.#rules, toolOf);
		return this.#rules;
	}

	/** What other clients' lists say, and the user has not decided. */
	get proposals(): readonly PermissionProposal[] {
		return this.#proposals;
	}

	/** The rule that a call falls under. `chat`: the id of the chat that it belongs to. */
	ruleFor(tool: CatalogTool, chat?: string): PermissionRule | undefined {
		const its = this.#byServer.get(tool.server);
		if (!its) return undefined;
		this.#forgetFallen(its, ({ subject }) =>
			subject.kind === 'tool' && subject.tool === tool.name ? tool : undefined,
		);
		const launch = this.#parts.launchOf(tool.server);
		return ruleFor(this.#byServer.get(tool.server) ?? [], { tool, launch, chat });
	}

	/** All rules for a server and its tools. */
	rulesOf(server: string): readonly PermissionRule[] {
		return this.#byServer.get(server) ?? [];
	}

	/** Keeps a decision about tools of a server; `false`: the server is not approved, so that nothing can be kept of it. */
	async keep(rule: Omit<PermissionRule, 'launch'>): Promise<boolean> {
		const launch = this.#parts.launchOf(rule.server);
		if (launch === undefined) return false;
		await this.#setRules(withRule(this.#rules, { ...rule, launch }));
		return true;
	}

	/** Takes rules back; resolves to what brings them back. */
	async remove(rules: readonly PermissionRule[]): Promise<() => Promise<void>> {
		await this.#setRules(this.#rules.filter((rule) => !rules.includes(rule)));
		return () => this.#setRules(rules.reduce(withRule, this.#rules));
	}

	/** Adds what an import has found, once each. */
	async propose(proposals: readonly PermissionProposal[]): Promise<void> {
		const all = [...this.#proposals, ...proposals].map((one) => [JSON.stringify(one), one] as const);
		await this.#setProposals(restoredProposals([...new Map(all).values()]));
	}

	/** Forgets proposals, as they are decided, or their import is taken back. */
	async settle(proposals: readonly PermissionProposal[]): Promise<void> {
		const settled = new Set(proposals.map((one) => JSON.stringify(one)));
		await this.#setProposals(this.#proposals.filter((one) => !settled.has(JSON.stringify(one))));
	}

	/** A rule that has fallen is forgotten, so that it does not come back with what it was for. */
	#forgetFallen(
		rules: readonly PermissionRule[],
		toolOf: (rule: PermissionRule) => CatalogTool | undefined,
	): void {
		const { isApproved, memento } = this.#parts;
		const fallen = new Set(rules.filter((rule) => hasFallen(rule, isApproved, toolOf(rule))));
		if (fallen.size === 0) return;
		this.#hold(this.#rules.filter((rule) => !fallen.has(rule)));
		void memento.update(rulesKey, this.#rules);
	}

	#hold(rules: readonly PermissionRule[]): void {
		this.#rules = rules;
		this.#byServer = Map.groupBy(rules, ({ server }) => server);
	}

	async #setRules(rules: readonly PermissionRule[]): Promise<void> {
		this.#hold(rules);
		// Before it is on disk, so that calls that wait for an answer hear of it at once.
		this.#changed.fire();
		await this.#parts.memento.update(rulesKey, rules);
	}

	async #setProposals(proposals: readonly PermissionProposal[]): Promise<void> {
		this.#proposals = proposals;
		this.#changed.fire();
		await this.#parts.memento.update(proposalsKey, proposals);
	}
}
