import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import {
	compareTeaching,
	type SearchedTools,
	type TaughtTool,
	type TeachingChange,
	type WithoutHarm,
} from '../../discovery/evaluation/comparison.ts';
import { pastSearches } from '../../discovery/evaluation/pastQueries.ts';
import type { QuerySource } from '../../discovery/evaluation/queryFile.ts';
import type { Services } from '../../services.ts';
import { notify, say, sayFailed, warn } from '../ui/messages.ts';
import {
	areDeferred,
	queryFiles,
	readFile,
	searchedSurface,
	showReport,
	withProgress,
} from './searchEvaluator.ts';
import {
	effectWords,
	leaveOutLabel,
	type ReportedTeaching,
	type TeachingOutcome,
	teachingReport,
} from './teachingReport.ts';

type TeachingServices = Pick<Services, 'sessions' | 'undo'> & {
	readonly ui: { readonly documents: Pick<Services['ui']['documents'], 'reports'> };
};

/**
 * Compares search before and after it has learned, on the workspace's files of queries, or else on what chats searched, of which the user
 * knew when they agreed to teach it; opens a report, and offers to take it back. Resolves when the report is open.
 */
export async function showTeaching(services: TeachingServices, change: TeachingChange): Promise<void> {
	const shown = new ShownTeaching(services, change);
	await shown.compare();
}

/** What the user was shown of a teaching, until they have taken it back. */
class ShownTeaching {
	readonly #services: TeachingServices;
	readonly #change: TeachingChange;
	#isUndone = false;

	constructor(services: TeachingServices, change: TeachingChange) {
		this.#services = services;
		this.#change = change;
		const learned = toolCount(change.tools.length);
		services.undo.push({
			what: l10n.t('what search learned about {0}', learned),
			holds: () => !this.#isUndone,
			undo: () => this.#undo(),
		});
	}

	/** Compares, opens the report, and offers what can be done. */
	async compare(): Promise<void> {
		const { tools } = this.#change;
		const { sessions } = this.#services;
		const { deferred, policy } = searchedSurface(sessions);
		const sources = await querySources(sessions);
		const report = {
			tools,
			sources,
			searched: { tools: deferred.length, isEnabled: areDeferred(sessions), ranking: policy.ranking },
			outcome: await outcomeOf({ catalog: sessions.catalog, policy }, tools, sources),
		};
		await this.#show(report, l10n.t('search learned about {0}.', toolCount(tools.length)));
	}

	/** Opens a report; the buttons below it do their work later. */
	async #show(report: ReportedTeaching, learned: string): Promise<void> {
		await showReport(
			this.#services.ui.documents.reports,
			teachingReport(report),
			l10n.t('What Search Learned'),
		);
		void this.#offer(report, learned).catch(sayFailed);
	}

	async #offer(report: ReportedTeaching, learned: string): Promise<void> {
		const { outcome } = report;
		const comparison = outcome.kind === 'compared' ? outcome.comparison : undefined;
		const withoutHarm = comparison?.withoutHarm;
		const [undo, show] = [l10n.t('Undo'), l10n.t('Show Report')];
		const leave = withoutHarm && leaveOutLabel(withoutHarm);
		const told = comparison?.effect === 'worse' || comparison?.effect === 'slightly-worse' ? warn : notify;
		const text = `${learned} ${outcomeWords(outcome)}`;
		// The first button is the default: it must change nothing.
		const chosen = await told(text, ...[show, leave, undo].filter((button) => button !== undefined));
		if (chosen === show) return this.#show(report, learned);
		if (chosen !== undefined && this.#isUndone) return say(l10n.t('nothing to undo.'));
		if (chosen === undo) {
			await this.#undo();
			say(l10n.t('search no longer uses what it learned about {0}.', toolCount(report.tools.length)));
		} else if (withoutHarm && chosen === leave) await this.#leaveOut(report, withoutHarm);
	}

	async #undo(): Promise<void> {
		await this.#change.undo();
		this.#isUndone = true;
	}

	async #leaveOut(report: ReportedTeaching, { tools: left, comparison }: WithoutHarm): Promise<void> {
		await this.#change.forget(left);
		const ids = new Set(left.map(toolId));
		const tools = report.tools.map(({ after, ...tool }) =>
			after === undefined || ids.has(toolId(tool)) ? tool : { ...tool, after },
		);
		await this.#show(
			{ ...report, tools, outcome: { kind: 'compared', comparison } },
			l10n.t('descriptions of {0} were removed.', toolCount(left.length)),
		);
	}
}

/** Whether it helps, for a notification. */
function outcomeWords(outcome: TeachingOutcome): string {
	switch (outcome.kind) {
		case 'compared':
			return effectWords(outcome.comparison);
		case 'no-queries':
			return l10n.t('There were no queries to compare it on: the report says how to get some.');
		case 'stopped':
			return l10n.t('Whether it helps was not compared.');
	}
}

/** All files of queries in the workspace; where they hold none, what the chats of the window have searched. */
async function querySources(sessions: ChatSessions): Promise<QuerySource[]> {
	const files = await Promise.all((await queryFiles()).map(readOrTell));
	if (files.some(({ queries }) => queries.length > 0)) return files;
	const queries = pastSearches(sessions.chats.map(({ discovery }) => discovery.log.timeline));
	return [...files, { title: l10n.t('what your chats have searched'), queries, faults: [] }];
}

/** A file that cannot be read is told as one that is faulty. */
async function readOrTell(uri: vscode.Uri): Promise<QuerySource> {
	try {
		return await readFile(uri);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { title: vscode.workspace.asRelativePath(uri), queries: [], faults: [{ line: 1, message }] };
	}
}

/** Compares, with a bar of progress; what goes wrong is told, since what was learned can be taken back all the same. */
async function outcomeOf(
	searched: SearchedTools,
	tools: readonly TaughtTool[],
	sources: readonly QuerySource[],
): Promise<TeachingOutcome> {
	const queries = sources.flatMap((source) => source.queries);
	if (queries.length === 0) return { kind: 'no-queries' };
	const title = l10n.t('Discovery: comparing search before and after…');
	try {
		const comparison = await withProgress(title, (steps) => compareTeaching(searched, tools, queries, steps));
		return comparison ? { kind: 'compared', comparison } : { kind: 'stopped' };
	} catch (error) {
		sayFailed(error);
		return { kind: 'stopped' };
	}
}
