import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRecord } from '../../common/json.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import {
	callHash,
	harmlessOf,
	type PermissionProposal,
	type PermissionRule,
	permissionLimits,
} from '../../mcp/accepted/permissions.ts';
import type { Services } from '../../services.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify, say } from '../ui/messages.ts';
import { ruleSubject, ruleWords } from '../ui/permissionLabels.ts';

type PermissionServices = Pick<Services, 'permissions' | 'sessions'>;

const nameLength = 100;

interface PermissionItem extends vscode.QuickPickItem {
	/** Resolves to how that is taken back, where it can be. */
	readonly run?: () => Promise<Undoable | undefined>;
}

/** Something that was just done in the list. */
interface Undoable {
	readonly what: string;
	readonly undo: () => Promise<void>;
}

/** Shows every rule, and what an import proposes; what is chosen is taken back, or decided. The list stays until the user puts it away. */
export async function managePermissions(services: PermissionServices): Promise<void> {
	let done: Undoable | undefined;
	for (;;) {
		const items = permissionItems(services, done);
		if (items.length === 0) {
			void notify(
				l10n.t(
					'nothing is allowed or forbidden for good. The question before a call offers to remember your answer.',
				),
			);
			return;
		}
		const chosen = await vscode.window.showQuickPick(items, {
			title: dialogTitle(commands.managePermissions),
			placeHolder: l10n.t('Choose permissions to revoke'),
			matchOnDescription: true,
			matchOnDetail: true,
		});
		if (!chosen?.run) return;
		done = await chosen.run();
	}
}

/** Takes back what was decided for these rows: for a tool, or for a server and all of its tools. */
export async function takeBackPermission(
	services: PermissionServices,
	rows: readonly unknown[],
): Promise<void> {
	const rules = [...new Set(rows.flatMap((row) => rulesOfRow(services.permissions, row)))];
	if (rules.length === 0) return managePermissions(services);
	const done = await takeBack(services.permissions, rules);
	const undo = l10n.t('Undo');
	if ((await notify(l10n.t('{0}: its calls ask you again.', done.what), undo)) === undo) await done.undo();
}

/** What a row of the Servers view stands for. */
function rulesOfRow(permissions: Services['permissions'], node: unknown): readonly PermissionRule[] {
	if (!isRecord(node)) return [];
	const { status, tool } = node;
	if (node.kind === 'server' && isRecord(status)) return permissions.rulesOf(String(status.name));
	if (node.kind !== 'tool' || !isRecord(tool)) return [];
	return permissions
		.rulesOf(String(tool.server))
		.filter(({ subject }) => subject.kind === 'tool' && subject.tool === tool.name);
}

function permissionItems(
	{ permissions, sessions }: PermissionServices,
	done: Undoable | undefined,
): readonly PermissionItem[] {
	const { tools, quarantined } = sessions.catalog;
	const rules = permissions.rules([...tools, ...quarantined]);
	const { proposals } = permissions;
	const all = { label: l10n.t('Revoke All'), iconPath: new vscode.ThemeIcon('clear-all') };
	return [
		...(done
			? [
					{
						label: l10n.t('Undo'),
						description: done.what,
						iconPath: new vscode.ThemeIcon('discard'),
						run: async () => {
							await done.undo();
							return undefined;
						},
					},
				]
			: []),
		...rules.map((rule) => ({
			label: ruleSubject(rule),
			description: ruleWords(rule, sessions.current?.id),
			detail: l10n.t('since {0}', new Date(rule.since).toLocaleString()),
			iconPath: new vscode.ThemeIcon(rule.decision === 'allow' ? 'pass' : 'circle-slash'),
			run: () => takeBack(permissions, [rule]),
		})),
		...(rules.length > 1 ? [{ ...all, run: () => takeBack(permissions, rules) }] : []),
		...(proposals.length > 0
			? [{ label: l10n.t('Proposed by an import'), kind: vscode.QuickPickItemKind.Separator }]
			: []),
		...proposals.map((proposal) => ({
			label: proposalSubject(proposal),
			description: proposalWords(proposal),
			iconPath: new vscode.ThemeIcon('question'),
			run: () => decideOn([proposal], { permissions, sessions }),
		})),
		...(proposals.length > 1
			? [
					{
						label: l10n.t('Decide on All Proposals…'),
						iconPath: new vscode.ThemeIcon('checklist'),
						run: () => decideOn(proposals, { permissions, sessions }),
					},
				]
			: []),
	];
}

async function takeBack(
	permissions: Services['permissions'],
	rules: readonly PermissionRule[],
): Promise<Undoable> {
	const [first] = rules;
	const undo = await permissions.remove(rules);
	const what = rules.length === 1 && first ? ruleSubject(first) : l10n.t('{0} permissions', rules.length);
	return { what, undo };
}

function proposalSubject({ server, tool }: PermissionProposal): string {
	return tool === '*'
		? l10n.t('all tools of {0} except destructive ones', labelText(server, nameLength))
		: labelText(toolId({ server, name: tool }), nameLength);
}

function proposalWords({ decision, product }: PermissionProposal): string {
	return decision === 'allow'
		? l10n.t('{0} calls it without a question', labelText(product, nameLength))
		: l10n.t('{0} never calls it', labelText(product, nameLength));
}

/** Nothing of a proposal counts before the user has said so here. */
async function decideOn(
	proposals: readonly PermissionProposal[],
	{ permissions, sessions }: PermissionServices,
): Promise<Undoable | undefined> {
	const [first] = proposals;
	if (!first) return undefined;
	const subject = proposals.length === 1 ? proposalSubject(first) : l10n.t('{0} proposals', proposals.length);
	const take = { label: l10n.t('Decide So for This Workspace'), iconPath: new vscode.ThemeIcon('check') };
	const dismiss = { label: l10n.t('Dismiss'), iconPath: new vscode.ThemeIcon('trash') };
	const chosen = await vscode.window.showQuickPick([take, dismiss], {
		title: dialogTitle(commands.managePermissions),
		placeHolder: proposals.length === 1 ? `${subject}: ${proposalWords(first)}` : subject,
	});
	if (!chosen) return undefined;
	const left = chosen === take ? await keepProposals(proposals, permissions, sessions.catalog.tools) : [];
	await permissions.settle(proposals.filter((one) => !left.includes(one)));
	if (left.length > 0)
		say(l10n.t('{0} proposals stay: their servers do not run, or do not have these tools.', left.length));
	return chosen === dismiss ? { what: subject, undo: () => permissions.propose(proposals) } : undefined;
}

/** Makes rules of proposals; returns those whose tools are not known, so that nothing can be kept of them. */
async function keepProposals(
	proposals: readonly PermissionProposal[],
	permissions: Services['permissions'],
	tools: readonly CatalogTool[],
): Promise<readonly PermissionProposal[]> {
	const left: PermissionProposal[] = [];
	for (const proposal of proposals) {
		const { decision, server, tool: name } = proposal;
		const its = tools.filter((tool) => tool.server === server);
		const tool = its.find((one) => one.name === name);
		const subject =
			name === '*' && decision === 'allow'
				? harmlessOf(its)
				: tool && ({ kind: 'tool', tool: name, definition: callHash(tool) } as const);
		const isKept =
			its.length > 0 &&
			name.length <= permissionLimits.characters &&
			subject !== undefined &&
			(subject.kind === 'tool' || subject.definitions.length > 0) &&
			(await permissions.keep({
				decision,
				server,
				subject,
				scope: { kind: 'workspace' },
				since: Date.now(),
			}));
		if (!isKept) left.push(proposal);
	}
	return left;
}
