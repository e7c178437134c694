import type { Memento } from 'vscode';
import { Emitter } from '../../common/event.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { wireName } from '../../discovery/catalog/wireNames.ts';
import {
	hasFallen,
	type PermissionProposal,
	type PermissionRule,
	restoredProposals,
	restoredRules,
	ruleFor,
	withRule,
} from '../../mcp/accepted/permissions.ts';
import { StoredValue } from './storedValue.ts';

interface PermissionParts {
	/** The extension's storage for the workspace, shared by its windows: no repository can bring permissions along. */
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
	readonly #rules: StoredValue<{
		readonly all: readonly PermissionRule[];
		readonly byServer: ReadonlyMap<string, readonly PermissionRule[]>;
	}>;
	readonly #proposals: StoredValue<readonly PermissionProposal[]>;
	readonly #changed = new Emitter<void>();
	readonly onDidChange = this.#changed.event;

	constructor(parts: PermissionParts) {
		this.#parts = parts;
		this.#rules = new StoredValue(parts.memento, rulesKey, (stored) => {
			const all = restoredRules(stored);
			return { all, byServer: Map.groupBy(all, ({ server }) => server) };
		});
		this.#proposals = new StoredValue(parts.memento, proposalsKey, restoredProposals);
	}

	/** Notices what other windows have stored. */
	refresh(): void {
		if (this.#rules.isChanged() || this.#proposals.isChanged()) this.#changed.fire();
	}

	/** All rules, oldest first. `tools`: as servers list them now. */
	rules(tools: readonly CatalogTool[]): readonly PermissionRule[] {
		const listed = new Map(tools.map((tool) => [tool.wireName, tool]));
		const toolOf = ({ server, subject }: PermissionRule) =>
			subject.kind === 'tool' ? listed.get(wireName({ server, name: subject.tool })) : undefined;
		this.#dropInvalid(this.#rules.value.all, toolOf);
		return this.#rules.value.all;
	}

	/** Permissions of other programs that the user has not decided on. */
	get proposals(): readonly PermissionProposal[] {
		return this.#proposals.value;
	}

	/** The rule for a call. `chat`: the id of the call's chat. */
	ruleFor(tool: CatalogTool, chat?: string): PermissionRule | undefined {
		const its = this.#rules.value.byServer.get(tool.server);
		if (!its) return undefined;
		this.#dropInvalid(its, ({ subject }) =>
			subject.kind === 'tool' && subject.tool === tool.name ? tool : undefined,
		);
		const launch = this.#parts.launchOf(tool.server);
		return ruleFor(this.rulesOf(tool.server), { tool, launch, chat });
	}

	rulesOf(server: string): readonly PermissionRule[] {
		return this.#rules.value.byServer.get(server) ?? [];
	}

	/** Stores a rule; `false`: the server is not approved, so it can have none. */
	async keep(rule: Omit<PermissionRule, 'launch'>): Promise<boolean> {
		const launch = this.#parts.launchOf(rule.server);
		if (launch === undefined) return false;
		await this.#setRules(withRule(this.#rules.value.all, { ...rule, launch }));
		return true;
	}

	/** Revokes rules; resolves to the undo. */
	async remove(rules: readonly PermissionRule[]): Promise<() => Promise<void>> {
		// By value: another window may have written the same rules again.
		const removed = new Set(rules.map((rule) => JSON.stringify(rule)));
		await this.#setRules(this.#rules.value.all.filter((rule) => !removed.has(JSON.stringify(rule))));
		return () => this.#setRules(rules.reduce(withRule, this.#rules.value.all));
	}

	/** Adds proposals of an import, without duplicates. */
	async propose(proposals: readonly PermissionProposal[]): Promise<void> {
		const all = [...this.proposals, ...proposals].map((one) => [JSON.stringify(one), one] as const);
		await this.#setProposals(restoredProposals([...new Map(all).values()]));
	}

	/** Removes proposals: the user has decided, or the import was undone. */
	async settle(proposals: readonly PermissionProposal[]): Promise<void> {
		const settled = new Set(proposals.map((one) => JSON.stringify(one)));
		await this.#setProposals(this.proposals.filter((one) => !settled.has(JSON.stringify(one))));
	}

	/** Drops rules for good, so that they do not return with the old server or tool. */
	#dropInvalid(
		rules: readonly PermissionRule[],
		toolOf: (rule: PermissionRule) => CatalogTool | undefined,
	): void {
		const { isApproved } = this.#parts;
		const invalid = new Set(rules.filter((rule) => hasFallen(rule, isApproved, toolOf(rule))));
		if (invalid.size === 0) return;
		const left = this.#rules.value.all.filter((rule) => !invalid.has(rule));
		// If it cannot be written, the rules are dropped again in the next window.
		this.#rules.set(left).then(undefined, () => {});
	}

	async #setRules(rules: readonly PermissionRule[]): Promise<void> {
		await this.#changeBy(this.#rules.set(rules));
	}

	async #setProposals(proposals: readonly PermissionProposal[]): Promise<void> {
		await this.#changeBy(this.#proposals.set(proposals));
	}

	async #changeBy(writing: Thenable<void>): Promise<void> {
		// Before it is on disk, so that calls that wait for an answer notice it at once.
		this.#changed.fire();
		await writing;
	}
}
