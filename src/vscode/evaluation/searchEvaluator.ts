import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addSearchWords } from '../../config/edit.ts';
import { type Advice, advise, changesOf, type SearchAdvice } from '../../discovery/evaluation/advise.ts';
import { type Evaluation, type EvaluationFigures, evaluate } from '../../discovery/evaluation/evaluate.ts';
import { everythingDeferred } from '../../discovery/everythingDeferred.ts';
import { toolId } from '../../discovery/tool.ts';
import { ToolSurface } from '../../discovery/toolSurface.ts';
import { signalOf } from '../cancellation.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { DiscoveryHub } from '../discoveryHub.ts';
import { commands } from '../ids.ts';
import { labelText } from '../labelText.ts';
import { pause } from '../pause.ts';
import { evaluationReport } from './evaluationReport.ts';
import { chooseQueries, type QuerySource } from './querySource.ts';
import type { ReportDocuments } from './reportDocuments.ts';

/** What search is evaluated with. */
export interface EvaluatorParts {
	readonly hub: DiscoveryHub;
	readonly configFile: ConfigFile;
	readonly reports: ReportDocuments;
}

interface Finished {
	readonly source: QuerySource;
	readonly evaluation: Evaluation;
	readonly advice: SearchAdvice;
}

/** How the bar of progress is shared: the search is soon asked, and advice takes long. */
const evaluationShare = 20;
const labelLength = 120;

/** Evaluates search on labelled queries, and writes what would help into the configuration where the user wants it. */
export class SearchEvaluator {
	readonly #parts: EvaluatorParts;
	/** What the report shows. */
	#last: Finished | undefined;

	constructor(parts: EvaluatorParts) {
		this.#parts = parts;
	}

	/** Asks for queries, evaluates, and shows the report. */
	async run(): Promise<void> {
		const { hub } = this.#parts;
		if (hub.catalog.tools.length === 0)
			throw new Error(l10n.t('there is nothing to search: no tool is known yet.'));
		const source = await chooseQueries(hub);
		if (source) await this.#evaluate(source, undefined);
	}

	/** Lets the user choose among what would help, writes it into the configuration, and evaluates again. */
	async applyHints(): Promise<void> {
		const { configFile } = this.#parts;
		const last = this.#last;
		if (!last)
			throw new Error(l10n.t('run “Discovery: Evaluate Search…” first: its report says what would help.'));
		if (last.advice.advice.length === 0) throw new Error(l10n.t('the last report has nothing to apply.'));
		const chosen = await chooseAdvice(last.advice.advice);
		if (!chosen || chosen.length === 0) return;
		await showConfiguration(configFile);
		const outcome = await configFile.edit((text) => addSearchWords(text, changesOf(chosen)));
		// What was applied once is not there to be applied again.
		this.#last = undefined;
		if (outcome === 'unsaved') {
			void vscode.window.showInformationMessage(
				l10n.t(
					'Discovery: the hints take effect when you save the configuration file. Evaluate search again then.',
				),
			);
		} else {
			await this.#evaluate(last.source, last.evaluation.figures);
		}
	}

	async #evaluate(source: QuerySource, before: EvaluationFigures | undefined): Promise<void> {
		const { hub, reports } = this.#parts;
		const { catalog } = hub;
		const surface = searchedSurface(hub);
		const finished = await withProgress(async (steps) => {
			const evaluation = await evaluate(surface, source.queries, steps(0, evaluationShare));
			const advice = await advise(catalog, surface, evaluation, steps(evaluationShare, 100));
			return { source, evaluation, advice };
		});
		if (!finished) return;
		this.#last = finished;
		await reports.show(
			evaluationReport({ ...finished, surface, isEnabled: hub.policy.enabled, ...(before && { before }) }),
		);
		void offer(finished.advice.advice);
	}
}

/** What a model can search; while discovery is off, what it could. */
function searchedSurface(hub: DiscoveryHub): ToolSurface {
	const surface = hub.surface();
	if (surface.deferred.length > 0) return surface;
	const names = hub.catalog.servers.map(({ name }) => name);
	return new ToolSurface(hub.catalog, everythingDeferred(hub.policy, names), undefined, { pause });
}

type Steps = (from: number, to: number) => Parameters<typeof evaluate>[2];

/** Runs work with a bar of progress; nothing where the user has stopped it. */
async function withProgress<T>(work: (steps: Steps) => Promise<T>): Promise<T | undefined> {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t('Discovery: evaluating search…'),
		cancellable: true,
	};
	return vscode.window.withProgress(options, async (bar, token) => {
		const stop = signalOf(token);
		let shown = 0;
		const steps: Steps = (from, to) => ({
			pause: async () => {
				stop.signal.throwIfAborted();
				await pause();
			},
			progress: (share) => {
				const reached = from + share * (to - from);
				bar.report({ increment: reached - shown });
				shown = reached;
			},
		});
		try {
			return await work(steps);
		} catch (error) {
			if (stop.signal.aborted) return undefined;
			throw error;
		} finally {
			stop.dispose();
		}
	});
}

async function offer(advice: readonly Advice[]): Promise<void> {
	if (advice.length === 0) return;
	const apply = l10n.t('Apply Hints…');
	const message =
		advice.length === 1
			? l10n.t('Discovery: 1 change of the configuration would help search to find more.')
			: l10n.t('Discovery: {0} changes of the configuration would help search to find more.', advice.length);
	if ((await vscode.window.showInformationMessage(message, apply)) === apply) {
		await vscode.commands.executeCommand(commands.applyHints);
	}
}

async function chooseAdvice(advice: readonly Advice[]): Promise<readonly Advice[] | undefined> {
	const items = advice.map((one) => ({
		label: labelText(one.kind === 'hint' ? one.words : one.line, labelLength),
		description:
			one.kind === 'hint' ? labelText(toolId({ ...one, name: one.tool }), labelLength) : l10n.t('synonyms'),
		detail: one.mends.map(({ labelled }) => `“${labelText(labelled.query, labelLength)}”`).join(', '),
		picked: true,
		advice: one,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: l10n.t('Apply Hints'),
		placeHolder: l10n.t('Tick what is written into the configuration file'),
		canPickMany: true,
		matchOnDescription: true,
	});
	return picked?.map((item) => item.advice);
}

/** In an editor the change can be seen, and undone in one step. */
async function showConfiguration({ state }: ConfigFile): Promise<void> {
	if (state.kind !== 'ok') return;
	await vscode.window.showTextDocument(state.uri, { preview: false });
}
