import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { serverCount } from '../../chat/counts.ts';
import { exactText } from '../../mcp/approval/exactText.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { confirmsEverything } from '../confirmation.ts';
import { labelText } from '../labelText.ts';
import type { Approvals } from './approvals.ts';
import { inQuestions, launchText, shownAtOnce } from './launchText.ts';
import { type PendingLaunch, pendingServers } from './pendingServers.ts';

/** What a review works with. */
export interface ReviewParts {
	readonly approvals: Approvals;
	readonly configFile: ConfigFile;
}

/** A server with its text as the question shows it. */
interface ShownServer extends PendingLaunch {
	readonly text: string;
}

/**
 * Shows what the servers that wait would run, all of it, and starts those that the user approves. `only`: this server alone.
 */
export async function reviewServers(parts: ReviewParts, only?: string): Promise<void> {
	const pending = pendingServers(parts.configFile.state, parts.approvals);
	const servers = only === undefined ? pending : pending.filter(({ name }) => name === only);
	if (servers.length === 0) {
		void vscode.window.showInformationMessage(l10n.t('Discovery: no server waits for your approval.'));
		return;
	}
	await ask(servers, parts);
}

async function ask(servers: readonly PendingLaunch[], parts: ReviewParts): Promise<void> {
	const folder = workspaceFolder();
	const shown = servers.map((server) => ({ ...server, text: launchText(server, exactText(folder)) }));
	for (const question of inQuestions(shown)) {
		const answer = await askFor(question, servers.length, folder);
		if (answer === undefined) return;
		if (answer === 'choose') return askForSome(servers, parts);
		const launches = new Map(question.map(({ name, launch }) => [name, launch]));
		await parts.approvals.approve(launches, answer.trustsHints);
	}
}

async function askFor(
	question: readonly ShownServer[],
	all: number,
	folder: string,
): Promise<{ readonly trustsHints: boolean } | 'choose' | undefined> {
	const approve = l10n.t('Approve');
	const believe = l10n.t('Approve, Read Without Asking');
	const choose = l10n.t('Choose…');
	const [first, ...others] = question;
	const title =
		first && others.length === 0
			? l10n.t('Start the server {0}?', labelText(first.name, 100))
			: l10n.t('Start {0} of this workspace?', serverCount(question.length));
	const texts = await Promise.all(question.map((server) => fitting(server, folder)));
	const detail = [
		question.length === 1
			? l10n.t(
					'The configuration names it. It runs with your rights in {0}, unless another folder stands below.',
					folder,
				)
			: l10n.t(
					'The configuration names them. They run with your rights in {0}, unless another folder stands below.',
					folder,
				),
		...texts,
		...(confirmsEverything()
			? []
			: [
					l10n.t(
						'Servers mark tools that only read. “{0}” asks you before their calls, too; “{1}” does not.',
						approve,
						believe,
					),
				]),
	].join('\n\n');
	const buttons = [approve, ...(confirmsEverything() ? [] : [believe]), ...(all > 1 ? [choose] : [])];
	const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, ...buttons);
	if (chosen === choose) return 'choose';
	return chosen === undefined ? undefined : { trustsHints: chosen === believe };
}

/** What is too long for a question is in the editor behind it. */
async function fitting(server: ShownServer, folder: string): Promise<string> {
	const { text } = server;
	if (text.length <= shownAtOnce.characters) return text;
	const document = await vscode.workspace.openTextDocument({ content: text });
	await vscode.window.showTextDocument(document, { preview: true });
	const note = l10n.t('This is a part of {0} characters: all of it is in the editor.', text.length);
	return `${launchText(server, exactText(folder), shownAtOnce.ofFact)}\n${note}`;
}

async function askForSome(servers: readonly PendingLaunch[], parts: ReviewParts): Promise<void> {
	const rows = servers.map((server) => {
		const runs = server.facts[0]?.text ?? '';
		return { label: labelText(server.name, 100), detail: labelText(runs, 1_000), server };
	});
	const chosen = await vscode.window.showQuickPick(rows, {
		canPickMany: true,
		title: l10n.t('Review Servers'),
		placeHolder: l10n.t('Choose the servers to approve; what they run is shown in full next'),
		matchOnDetail: true,
	});
	if (chosen?.length)
		await ask(
			chosen.map(({ server }) => server),
			parts,
		);
}

function workspaceFolder(): string {
	return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}
