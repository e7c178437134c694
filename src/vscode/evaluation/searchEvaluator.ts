import { setImmediate as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toolCount } from '../../chat/counts.ts';
import type { ChatSessions } from '../../chat/sessions.ts';
import { addSearchHints } from '../../config/file/edit.ts';
import { everythingDeferred } from '../../discovery/catalog/policy.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import { compareTeaching, gain, type TeachingChange } from '../../discovery/evaluation/comparison.ts';
import { type Evaluation, evaluate, type WorkSteps } from '../../discovery/evaluation/evaluate.ts';
import type { QuerySource } from '../../discovery/evaluation/queryFile.ts';
import { type SearchFix, searchFixes } from '../../discovery/evaluation/searchFixes.ts';
import type { Services } from '../../services.ts';
import { inNotification } from '../ui/cancellation.ts';
import { changeConfig, type PlannedChange } from '../ui/configChange.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { commandTitle, notify, say, showError, warn } from '../ui/messages.ts';
import { tabsOfScheme } from '../ui/readingEditor.ts';
import { chooseQueries, queriesForTeaching } from './querySources.ts';
import { effectWords, missesUntaught, type SearchReport, searchReport } from './searchReport.ts';

type ReportServices = Pick<Services, 'sessions' | 'undo'> & {
	readonly ui: { readonly documents: Pick<Services['ui']['documents'], 'reports'> };
};

const labelLength = 120;

type EvaluationServices = ReportServices & Pick<Services, 'configFile'>;

/** Evaluates search on labelled queries, and offers hints for what it misses. */
export async function evaluateSearch(services: EvaluationServices): Promise<void> {
	const { sessions } = services;
	if (sessions.catalog.tools.length === 0)
		throw new Error(l10n.t('there are no tools yet. They appear after you approve their servers.'));
	const source = await chooseQueries(sessions);
	if (source) await evaluateOn(services, source, undefined);
}

async function evaluateOn(
	services: EvaluationServices,
	source: QuerySource,
	before: Evaluation | undefined,
): Promise<void> {
	const searched = searchedSurface(services.sessions);
	const report = await inSteps(l10n.t('Discovery: evaluating search…'), async (steps) => {
		const evaluation = await evaluate(searched.surface, source.queries, steps);
		const fixes = await searchFixes(evaluation, searched.surface);
		return { ...searched, sources: [source], evaluation, before, fixes };
	});
	if (!report) return;
	await showReport(services, report);
	const offerHelp = async () => {
		if (await choosesHints(report)) await applyHints(services, source, report);
	};
	// It waits for the user, and must not keep the command from running again.
	void offerHelp().catch(showError);
}

/** Writes the hints that the user selects into the configuration, and evaluates again. */
async function applyHints(
	services: EvaluationServices,
	source: QuerySource,
	{ fixes, evaluation }: SearchReport,
): Promise<void> {
	const { configFile, undo } = services;
	const chosen = await chooseFixes(fixes);
	if (!chosen || chosen.length === 0) return;
	const placed = chosen.map((fix) => ({ fix, place: configFile.placeOf(fix.server) }));
	const changes: PlannedChange[] = [];
	for (const its of Map.groupBy(placed, ({ place }) => place?.uri.toString()).values()) {
		const uri = its[0]?.place?.uri;
		const hints = its.map(({ fix, place }) => ({ ...fix, server: place?.name ?? fix.server }));
		// The user sees the change in an editor.
		if (uri) await vscode.window.showTextDocument(uri, { preview: false });
		changes.push({ uri, plan: (text) => addSearchHints(text, hints) });
	}
	const made = await changeConfig(configFile, changes);
	if (made) {
		const what =
			chosen.length === 1 ? l10n.t('apply 1 search hint') : l10n.t('apply {0} search hints', chosen.length);
		undo.push({ what, undo: made.undo });
	}
	if (made?.outcome !== 'unsaved') await evaluateOn(services, source, evaluation);
}

/** Evaluates search before and after it learned, opens the report, and offers to undo it. Resolves when the report is open. */
export async function showTeaching(services: ReportServices, change: TeachingChange): Promise<void> {
	const { sessions, undo, ui } = services;
	let isUndone = false;
	let shown: vscode.Uri | undefined;
	const remove = async () => {
		await change.undo();
		isUndone = true;
		// What the report says is no longer true.
		if (shown) await ui.documents.reports.close(shown);
	};
	const count = toolCount(change.tools.length);
	undo.push({ what: l10n.t('what search learned about {0}', count), holds: () => !isUndone, undo: remove });

	const sources = await queriesForTeaching(sessions);
	const queries = sources.flatMap((source) => source.queries);
	const searched = searchedSurface(sessions);
	const { policy } = searched.surface;
	// The user can undo what search learned even if the comparison fails.
	const comparison =
		queries.length === 0
			? undefined
			: await inSteps(l10n.t('Discovery: comparing search before and after…'), (steps) =>
					compareTeaching({ catalog: sessions.catalog, policy }, change.tools, queries, steps),
				).catch(showError);
	if (isUndone) return;
	const report: SearchReport = {
		...searched,
		sources,
		fixes: [],
		taught: change.tools,
		...(comparison && { evaluation: comparison.after, before: comparison.before }),
	};
	shown = await showReport(services, report);
	const offerUndo = async () => {
		const effect = comparison ? effectWords(comparison) : l10n.t('Not evaluated.');
		const isWorse = comparison !== undefined && gain(comparison) < 0;
		const undoLabel = l10n.t('Undo');
		const text = `${l10n.t('descriptions saved for {0}.', count)} ${effect}`;
		if ((await (isWorse ? warn : notify)(text, undoLabel)) !== undoLabel) return;
		if (isUndone) return say(l10n.t('nothing to undo.'));
		await remove();
		say(l10n.t('search no longer uses what it learned about {0}.', count));
	};
	void offerUndo().catch(showError);
}

/** Shows a report in place of the one before. */
async function showReport({ ui }: ReportServices, report: SearchReport): Promise<vscode.Uri> {
	const earlier = tabsOfScheme(ids.evaluationScheme);
	const title = report.taught ? l10n.t('What Search Learned') : l10n.t('Search Evaluation');
	const document = { text: searchReport(report), source: undefined };
	const shown = await ui.documents.reports.open(`${title}.md`, document, earlier[0]?.group.viewColumn);
	await vscode.window.tabGroups.close(earlier);
	return shown;
}

/**
 * What a model can search, or could if discovery were on. What was learned from chats is left out: queries from these chats would only test
 * what they taught.
 */
function searchedSurface(sessions: ChatSessions): Pick<SearchReport, 'surface' | 'isEnabled'> {
	if (sessions.surface().deferred.length > 0)
		return { surface: sessions.surface().withoutUse(), isEnabled: true };
	const names = sessions.catalog.servers.map(({ name }) => name);
	const policy = everythingDeferred(sessions.policy, names);
	return { surface: new ToolSurface(sessions.catalog, policy, undefined, { pause }), isEnabled: false };
}

/** Shows the progress of work; `undefined`: the user stopped it. */
async function inSteps<T>(title: string, work: (steps: WorkSteps) => Promise<T>): Promise<T | undefined> {
	return inNotification(title, async ({ signal, report }) => {
		const steps: WorkSteps = {
			pause: async () => {
				signal.throwIfAborted();
				await pause();
			},
			progress: report,
		};
		try {
			return await work(steps);
		} catch (error) {
			if (signal.aborted) return undefined;
			throw error;
		}
	});
}

/** Whether the user chooses to apply hints; teaching search is offered, too. */
async function choosesHints(report: SearchReport): Promise<boolean> {
	const { fixes } = report;
	if (fixes.length === 0) return false;
	const [apply, teach] = [l10n.t('Apply Hints…'), commandTitle(commands.teachSearch)];
	const message =
		fixes.length === 1
			? l10n.t('1 hint may improve search.')
			: l10n.t('{0} hints may improve search.', fixes.length);
	const chosen = await notify(message, apply, ...(missesUntaught(report) ? [teach] : []));
	if (chosen === teach) await vscode.commands.executeCommand(commands.teachSearch);
	return chosen === apply;
}

/** Nothing is selected at first: no hint has been tried. */
async function chooseFixes(fixes: readonly SearchFix[]): Promise<readonly SearchFix[] | undefined> {
	const items = fixes.map((fix) => ({
		label: labelText(fix.words, labelLength),
		description: labelText(toolId({ server: fix.server, name: fix.tool }), labelLength),
		detail: fix.queries.map((query) => `“${labelText(query, labelLength)}”`).join(', '),
		fix,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: l10n.t('Apply Hints'),
		placeHolder: l10n.t('Select the hints to add to the configuration'),
		canPickMany: true,
		matchOnDescription: true,
	});
	return picked?.map(({ fix }) => fix);
}
