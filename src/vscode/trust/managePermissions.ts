import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { wholeNumber } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import type { PermissionRule } from '../../mcp/accepted/permissions.ts';
import type { ActionNode } from '../actions/action.ts';
import type { Approvals } from '../core/approvals.ts';
import type { Configuration } from '../core/configuration.ts';
import type { Permissions } from '../core/permissions.ts';
import type { UndoableChange, UndoHistory } from '../core/undo.ts';
import { commands } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { dialogTitle, notify } from '../ui/messages.ts';
import { ruleSubject, ruleWords } from '../ui/permissionLabels.ts';

type PermissionServices = {
	readonly approvals: Approvals;
	readonly permissions: Permissions;
	readonly sessions: ChatSessions;
	readonly configFile: Configuration;
	readonly undo: UndoHistory;
};

interface PermissionItem extends vscode.QuickPickItem {
	readonly run?: () => Promise<UndoableChange | undefined>;
}

/**
 * Lists permissions and approvals; selecting one revokes or changes it. `node`: only those of this server or
 * tool. The list stays until the user closes it.
 */
export async function managePermissions(
	services: PermissionServices,
	node: ActionNode | undefined,
): Promise<void> {
	const { undo } = services;
	let last: UndoableChange | undefined;
	for (;;) {
		const items = [...undoItems(last, undo), ...itemsFor(services, node)];
		if (items.length === 0) {
			void notify(
				l10n.t(
					'there are no permissions yet. When Discovery asks about a tool call, you can choose an answer that it remembers.',
				),
			);
			return;
		}
		const title = dialogTitle(commands.managePermissions);
		const chosen = await vscode.window.showQuickPick(items, {
			title: node ? `${title}: ${labelText(nodeName(node))}` : title,
			placeHolder: l10n.t('Select a permission to revoke or change'),
			matchOnDescription: true,
			matchOnDetail: true,
		});
		if (!chosen?.run) return;
		last = await chosen.run();
		if (last) undo.push(last);
	}
}

function undoItems(last: UndoableChange | undefined, undo: UndoHistory): readonly PermissionItem[] {
	if (!last) return [];
	const run = async () => {
		await undo.undo();
		return undefined;
	};
	return [{ label: l10n.t('Undo'), description: last.label, iconPath: new vscode.ThemeIcon('discard'), run }];
}

function nodeName(node: ActionNode): string {
	if (node.kind === 'faulty') return node.name;
	if (node.kind === 'server') return node.status.name;
	return node.kind === 'tool' ? node.tool.id : '';
}

function itemsFor(services: PermissionServices, node: ActionNode | undefined): readonly PermissionItem[] {
	const { permissions, sessions } = services;
	switch (node?.kind) {
		case 'server':
			return serverItems(node.status.name, services);
		case 'tool': {
			const { server, name } = node.tool;
			const rules = permissions.rulesOf(server).filter(({ tool }) => tool === name);
			return ruleItems(rules, services);
		}
		default: {
			const { tools, quarantined } = sessions.catalog;
			return [
				...ruleItems(permissions.rules([...tools, ...quarantined]), services),
				...approvedItems(services),
			];
		}
	}
}

function approvedItems(services: PermissionServices): readonly PermissionItem[] {
	const { approvals, configFile } = services;
	const launches = [...(configFile.inForce?.config.launches ?? [])];
	const approved = launches.filter(([server, launch]) => approvals.isApproved(server, launch));
	return [
		...(approved.length > 0
			? [{ label: l10n.t('Approved servers'), kind: vscode.QuickPickItemKind.Separator }]
			: []),
		...approved.map(([server]) => ({
			label: labelText(server),
			description: approvals.trustsHints(server)
				? l10n.t('read-only tools run without asking')
				: l10n.t('asks before read-only tools'),
			iconPath: new vscode.ThemeIcon('server'),
			run: async () => {
				const items = serverItems(server, services);
				const title = `${dialogTitle(commands.managePermissions)}: ${labelText(server)}`;
				return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.run?.();
			},
		})),
	];
}

function serverItems(server: string, services: PermissionServices): readonly PermissionItem[] {
	const { approvals, permissions } = services;
	const isTrusted = approvals.trustsHints(server);
	return [
		{
			label: isTrusted
				? l10n.t('Ask Before Read-Only Tools')
				: l10n.t('Allow Read-Only Tools Without Asking'),
			detail: l10n.t("Whether a tool is read-only is the server's own claim."),
			iconPath: new vscode.ThemeIcon(isTrusted ? 'question' : 'eye'),
			run: () => setTrustsHints(server, !isTrusted, approvals),
		},
		{
			label: l10n.t('Revoke Approval'),
			detail: l10n.t('The server stops until you approve it again.'),
			iconPath: new vscode.ThemeIcon('shield'),
			run: () => revokeApproval(server, services),
		},
		...ruleItems(permissions.rulesOf(server), services),
	];
}

async function setTrustsHints(
	server: string,
	isTrusted: boolean,
	approvals: Approvals,
): Promise<UndoableChange> {
	await approvals.setTrustsHints(server, isTrusted);
	const name = labelText(server);
	return {
		label: isTrusted
			? l10n.t('allow read-only tools of {0} without asking', name)
			: l10n.t('ask before read-only tools of {0}', name),
		canUndo: () => approvals.trustsHints(server) === isTrusted,
		undo: () => approvals.setTrustsHints(server, !isTrusted),
	};
}

async function revokeApproval(
	server: string,
	{ approvals, configFile }: PermissionServices,
): Promise<UndoableChange | undefined> {
	const launch = configFile.server(server)?.launch;
	if (!launch) return undefined;
	const isTrusted = approvals.trustsHints(server);
	await approvals.revoke(server);
	return {
		label: l10n.t('revoke approval of {0}', labelText(server)),
		// Who has approved the server again may have said something else about read-only tools.
		canUndo: () => !approvals.isApproved(server, launch),
		// Approves this launch only: if the entry has changed since, it needs a new approval.
		undo: () => approvals.approve(new Map([[server, launch]]), isTrusted),
	};
}

function ruleItems(
	rules: readonly PermissionRule[],
	{ permissions, sessions }: PermissionServices,
): readonly PermissionItem[] {
	return [
		...rules.map((rule) => ({
			label: ruleSubject(rule),
			description: ruleWords(rule, sessions.current?.id),
			detail: l10n.t('since {0}', new Date(rule.since).toLocaleString()),
			iconPath: new vscode.ThemeIcon(rule.decision === 'allow' ? 'pass' : 'circle-slash'),
			run: () => revokeRules(permissions, [rule]),
		})),
		...(rules.length > 1
			? [
					{
						label: l10n.t('Revoke All'),
						description: l10n.t('{0} permissions', wholeNumber(rules.length)),
						iconPath: new vscode.ThemeIcon('clear-all'),
						run: () => revokeRules(permissions, rules),
					},
				]
			: []),
	];
}

async function revokeRules(
	permissions: Permissions,
	rules: readonly PermissionRule[],
): Promise<UndoableChange> {
	const [first] = rules;
	const undo = await permissions.remove(rules);
	const subject =
		rules.length === 1 && first
			? l10n.t('revoke permission for {0}', ruleSubject(first))
			: l10n.t('revoke {0} permissions', rules.length);
	return { label: subject, canUndo: () => permissions.canRestore(rules), undo };
}
