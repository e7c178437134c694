import { setImmediate as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSessions } from '../../chat/sessions.ts';
import { addSearchHints } from '../../config/file/edit.ts';
import { everythingDeferred } from '../../discovery/catalog/policy.ts';
import { toolId } from '../../discovery/catalog/tool.ts';
import { ToolSurface } from '../../discovery/catalog/toolSurface.ts';
import {
	type Evaluation,
	type EvaluationFigures,
	evaluate,
	type WorkSteps,
} from '../../discovery/evaluation/evaluate.ts';
import { pastQueries } from '../../discovery/evaluation/pastQueries.ts';
import { type QuerySource, readQueryFile } from '../../discovery/evaluation/queryFile.ts';
import { type SearchFix, searchFixes } from '../../discovery/evaluation/searchFixes.ts';
import type { Services } from '../../services.ts';
import { inNotification } from '../ui/cancellation.ts';
import { changeAll, type PlannedChange } from '../ui/configChange.ts';
import { commands, ids } from '../ui/ids.ts';
import { labelText } from '../ui/labelText.ts';
import { commandTitle, dialogTitle, notify } from '../ui/messages.ts';
import { tabsOfScheme } from '../ui/readingEditor.ts';
import { evaluationReport, missesUntaught, queryCount } from './evaluationReport.ts';
import { exampleQueries } from './exampleQueries.ts';

interface SourceItem extends vscode.QuickPickItem {
	readonly read?: () => Promise<QuerySource | undefined>;
}

const filePattern = '**/*.queries.{json,jsonc,jsonl,ndjson}';
/** Files that are found. */
const mostFiles = 20;
const exampleName = 'search.queries.jsonc';

/** Files of labelled queries in the workspace. */
export function queryFiles(): Thenable<vscode.Uri[]> {
	return vscode.workspace.findFiles(filePattern, '**/node_modules/**', mostFiles);
}

/** Asks the user what to evaluate on; nothing where there is nothing to evaluate yet. */
async function chooseQueries(sessions: ChatSessions): Promise<QuerySource | undefined> {
	const files = await queryFiles();
	const items: SourceItem[] = [
		...files.map((uri) => ({
			label: vscode.workspace.asRelativePath(uri),
			iconPath: new vscode.ThemeIcon('file'),
			read: () => readFile(uri),
		})),
		...(files.length > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []),
		{
			label: l10n.t('Choose File…'),
			iconPath: new vscode.ThemeIcon('folder-opened'),
			detail: l10n.t('JSON or JSON Lines'),
			read: chooseFile,
		},
		{
			label: l10n.t('From My Past Chats…'),
			iconPath: new vscode.ThemeIcon('history'),
			detail: l10n.t('What was searched for and said, with the tools that were called afterwards'),
			read: () => fromPastChats(sessions),
		},
		...(files.some(isExample) ? [] : [exampleItem(sessions)]),
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.evaluateSearch),
		placeHolder: l10n.t('Select queries, each with the tools that search should find'),
	});
	return picked?.read?.();
}

function exampleItem(sessions: ChatSessions): SourceItem {
	return {
		label: l10n.t('Create an Example File'),
		iconPath: new vscode.ThemeIcon('new-file'),
		detail: l10n.t('{0}, with some of your tools', exampleName),
		read: () => createExample(sessions),
	};
}

/** Whether a file stands where the example would be created. */
function isExample(uri: vscode.Uri): boolean {
	return uri.toString() === exampleUri()?.toString();
}

function exampleUri(): vscode.Uri | undefined {
	const folder = vscode.workspace.workspaceFolders?.[0];
	return folder && vscode.Uri.joinPath(folder.uri, exampleName);
}

/** Reads labelled queries from a file, with unsaved changes. */
export async function readFile(uri: vscode.Uri): Promise<QuerySource> {
	const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
	const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	return { title: vscode.workspace.asRelativePath(uri), ...readQueryFile(uri.path, text) };
}

async function chooseFile(): Promise<QuerySource | undefined> {
	const filters = { [l10n.t('Queries')]: ['json', 'jsonc', 'jsonl', 'ndjson'] };
	const title = l10n.t('Choose a File of Labelled Queries');
	const chosen = await vscode.window.showOpenDialog({ title, filters });
	return chosen?.[0] && readFile(chosen[0]);
}

/** What people have said is used only after they have agreed, each time. */
async function fromPastChats(sessions: ChatSessions): Promise<QuerySource | undefined> {
	const queries = pastQueries(sessions.chats.map(({ discovery }) => discovery.log.timeline));
	if (queries.length === 0) throw new Error(l10n.t('no chat in this window has called a tool yet.'));
	const detail = [
		l10n.t(
			'Your messages and the words of searches in the chats of this window, cut to 120 characters, become {0}; the tools that were called afterwards count as right.',
			queryCount(queries.length),
		),
		l10n.t(
			'The report shows them. They stay in this window: nothing is written to a file, and nothing is sent anywhere.',
		),
	].join('\n\n');
	const evaluate = l10n.t('Evaluate');
	const agreed = await vscode.window.showInformationMessage(
		l10n.t('Evaluate search on what was asked in your chats?'),
		{ modal: true, detail },
		evaluate,
	);
	return agreed === evaluate ? { title: l10n.t('your past chats'), queries, faults: [] } : undefined;
}

async function createExample(sessions: ChatSessions): Promise<undefined> {
	const uri = exampleUri();
	if (!uri) throw new Error(l10n.t('open a folder first.'));
	const creation = new vscode.WorkspaceEdit();
	const { deferred } = sessions.surface();
	const searched = deferred.length > 0 ? deferred : sessions.catalog.tools;
	const contents = new TextEncoder().encode(exampleQueries(searched));
	creation.createFile(uri, { ignoreIfExists: true, contents });
	await vscode.workspace.applyEdit(creation);
	await vscode.window.showTextDocument(uri);
}

type EvaluatorServices = Pick<Services, 'sessions' | 'configFile' | 'learning' | 'undo'> & {
	readonly ui: Pick<Services['ui'], 'documents'>;
};

interface Finished {
	readonly source: QuerySource;
	readonly evaluation: Evaluation;
	readonly fixes: readonly SearchFix[];
}

const labelLength = 120;

/** Evaluates search on labelled queries, and writes hints that may help into the configuration where the user wants it. */
export class SearchEvaluator {
	readonly #services: EvaluatorServices;
	/** What the report shows. */
	#last: Finished | undefined;

	constructor(services: EvaluatorServices) {
		this.#services = services;
	}

	/** Asks for queries, evaluates, and shows the report. */
	async run(): Promise<void> {
		const { sessions } = this.#services;
		if (sessions.catalog.tools.length === 0)
			throw new Error(l10n.t('there is nothing to search yet: no tool is known.'));
		const source = await chooseQueries(sessions);
		if (source) await this.#evaluate(source, undefined);
	}

	/** Lets the user choose among hints that may help, writes them into the configuration, and evaluates again. */
	async applyHints(): Promise<void> {
		const { configFile, undo } = this.#services;
		const last = this.#last;
		if (!last)
			throw new Error(l10n.t('run “Discovery: Evaluate Search…” first: its report says what may help.'));
		if (last.fixes.length === 0) throw new Error(l10n.t('the last report has no hints to apply.'));
		const chosen = await chooseFixes(last.fixes);
		if (!chosen || chosen.length === 0) return;
		const placed = chosen.map((fix) => ({ fix, place: configFile.placeOf(fix.server) }));
		const changes: PlannedChange[] = [];
		for (const its of Map.groupBy(placed, ({ place }) => place?.uri.toString()).values()) {
			const uri = its[0]?.place?.uri;
			const hints = its.map(({ fix, place }) => ({ ...fix, server: place?.name ?? fix.server }));
			// The user sees the change in an editor.
			if (uri) await vscode.window.showTextDocument(uri, { preview: false });
			changes.push({ ...(uri && { uri }), plan: (text) => addSearchHints(text, hints) });
		}
		const made = await changeAll(configFile, changes);
		// Nothing is applied twice.
		this.#last = undefined;
		if (made) {
			const what =
				chosen.length === 1 ? l10n.t('apply 1 search hint') : l10n.t('apply {0} search hints', chosen.length);
			undo.push({ what, holds: () => true, undo: made.undo });
		}
		if (made?.outcome !== 'unsaved') await this.#evaluate(last.source, last.evaluation.figures);
	}

	async #evaluate(source: QuerySource, before: EvaluationFigures | undefined): Promise<void> {
		const {
			sessions,
			ui: {
				documents: { reports },
			},
		} = this.#services;
		const surface = searchedSurface(sessions);
		const title = l10n.t('Discovery: evaluating search…');
		const finished = await withProgress(title, async (steps): Promise<Finished> => {
			const evaluation = await evaluate(surface, source.queries, steps);
			return { source, evaluation, fixes: await searchFixes(evaluation, surface) };
		});
		if (!finished) return;
		this.#last = finished;
		const isEnabled = areDeferred(sessions);
		await showReport(
			reports,
			evaluationReport({ ...finished, surface, isEnabled, ...(before && { before }) }),
		);
		void offer(finished.fixes, missesUntaught({ ...finished, surface }));
	}
}

/** Shows a report in Markdown as it is to be read, in the place of earlier ones. */
export async function showReport(
	reports: Services['ui']['documents']['reports'],
	text: string,
	title = l10n.t('Search Evaluation'),
): Promise<void> {
	const earlier = tabsOfScheme(ids.evaluationScheme);
	await reports.open(`${title}.md`, { text, source: undefined }, earlier[0]?.group.viewColumn);
	await vscode.window.tabGroups.close(earlier);
}

/** Whether there is something that a model searches. */
export function areDeferred(sessions: ChatSessions): boolean {
	return sessions.surface().deferred.length > 0;
}

/**
 * What a model can search; while discovery is off, what it could. What was learned from chats is left out: on queries of these chats it would
 * only be asked for what it was told.
 */
export function searchedSurface(sessions: ChatSessions): ToolSurface {
	if (areDeferred(sessions)) return sessions.surface().withoutUse();
	const names = sessions.catalog.servers.map(({ name }) => name);
	return new ToolSurface(sessions.catalog, everythingDeferred(sessions.policy, names), undefined, { pause });
}

/** Runs work with a bar of progress; nothing where the user has stopped it. */
export async function withProgress<T>(
	title: string,
	work: (steps: WorkSteps) => Promise<T>,
): Promise<T | undefined> {
	return inNotification(title, async ({ signal, tell }) => {
		const steps: WorkSteps = {
			pause: async () => {
				signal.throwIfAborted();
				await pause();
			},
			progress: tell,
		};
		try {
			return await work(steps);
		} catch (error) {
			if (signal.aborted) return undefined;
			throw error;
		}
	});
}

/** Offers what may help against misses. `canLearn`: search can be taught of tools that it has missed. */
async function offer(fixes: readonly SearchFix[], canLearn: boolean): Promise<void> {
	if (fixes.length === 0) return;
	const helpful = [commands.applyHints, ...(canLearn ? [commands.teachSearch] : [])];
	const message =
		fixes.length === 1
			? l10n.t('1 hint may help search to find more.')
			: l10n.t('{0} hints may help search to find more.', fixes.length);
	const chosen = await notify(message, ...helpful.map(commandTitle));
	const command = helpful.find((one) => commandTitle(one) === chosen);
	if (command) await vscode.commands.executeCommand(command);
}

/** Nothing is ticked at first: none of the hints has been tried. */
async function chooseFixes(fixes: readonly SearchFix[]): Promise<readonly SearchFix[] | undefined> {
	const items = fixes.map((fix) => ({
		label: labelText(fix.words, labelLength),
		description: labelText(toolId({ server: fix.server, name: fix.tool }), labelLength),
		detail: fix.queries.map((query) => `“${labelText(query, labelLength)}”`).join(', '),
		fix,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: dialogTitle(commands.applyHints),
		placeHolder: l10n.t('Tick what is written into the configuration file'),
		canPickMany: true,
		matchOnDescription: true,
	});
	return picked?.map(({ fix }) => fix);
}
