import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { andMore } from '../../chat/counts.ts';
import { exactEnds } from '../../common/exactValue.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import type { CallProgress } from '../../mcp/connection/connectOptions.ts';
import type { ServerPool } from '../../mcp/serverPool.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RunAction } from '../actions/action.ts';
import type { Validate } from '../ui/inputs/askParameter.ts';
import type { FormAnswers } from '../ui/inputs/formAnswers.ts';
import { fileBaseName, labelText } from '../ui/labelText.ts';
import type { Log } from '../ui/log.ts';
import { showError, showErrorWithButtons, warn } from '../ui/messages.ts';
import { harmClaim, ruleRecord } from '../ui/permissionLabels.ts';
import type { ReadingDocuments } from '../ui/readingEditor.ts';
import { PrivateFiles } from '../ui/savedFiles.ts';
import type { CallConfirmation } from '../ui/toolCalls.ts';
import { type CallVerdict, callQuestion, progressText, shownCharacters } from '../ui/toolCalls.ts';
import { answersOf } from './answers.ts';
import { askArguments } from './argumentQuestions.ts';
import { formOf } from './parameters.ts';
import {
	type ChatCall,
	fileName,
	filesOf,
	isViewable,
	resultDocument,
	type ShownRun,
	shownCall,
} from './result.ts';
import { offerFiles } from './resultFiles.ts';

type RunServices = {
	readonly pool: ServerPool;
	readonly sandbox: Sandbox;
	readonly confirmation: CallConfirmation;
	readonly log: Log;
	readonly run: RunAction;
};

/** Arguments that a confirmation shows; it counts the others. */
const shownArguments = 20;
/** Tools whose last arguments are kept. */
const keptTools = 50;

/** Runs tools by hand: asks for the arguments, confirms as the chat does, calls, and shows the result. Chats do not see it. */
export class HandRuns implements vscode.Disposable {
	readonly #services: RunServices;
	readonly #documents: ReadingDocuments<ShownRun>;
	readonly #files = new PrivateFiles();
	/** By wire name, the latest last; for this window only. */
	readonly #last = new Map<string, FormAnswers>();

	constructor(services: RunServices, documents: ReadingDocuments<ShownRun>) {
		this.#services = services;
		this.#documents = documents;
	}

	/** `args`: to start from, instead of those of the last run. Rejects if the server does not answer; an error that the tool reports is a result. */
	async run(tool: CatalogTool, args?: Readonly<Record<string, unknown>>): Promise<void> {
		const { sandbox, confirmation } = this.#services;
		mustBeAllowed(confirmation.verdict({ tool }), tool);
		const validate: Validate = (schema, value) => sandbox.validate(schema, value, tool.server);
		const lastAnswers = args ? answersOf(formOf(tool.inputSchema), args) : this.#last.get(tool.wireName);
		const filled = await askArguments(tool, validate, this.#files, lastAnswers);
		if (!filled) return;
		this.#remember(tool, filled.answers);
		const visibleArguments = Object.fromEntries(
			Object.entries(filled.args).map(([name, value]) => [
				name,
				filled.secret.has(name) ? l10n.t('(hidden)') : value,
			]),
		);
		// The user may have changed a rule meanwhile.
		const verdict = confirmation.verdict({ tool });
		mustBeAllowed(verdict, tool);
		// Entering arguments for a read-only tool is consent. Other tools ask, with all arguments in view.
		const isConsented = verdict.kind === 'runs' || confirmation.isDoubted(tool);
		if (!isConsented && !(await this.#isConfirmed(tool, visibleArguments))) return;
		if (verdict.kind === 'runs' && verdict.by !== 'reading')
			this.#services.log.info(`run of ${tool.id} let through by the rule: ${ruleRecord(verdict.by)}`);
		const started = performance.now();
		const result = await callByHand(tool, filled.args, this.#services);
		if (!result) return;
		const ms = Math.round(performance.now() - started);
		const document = resultDocument({ tool: tool.id, args: visibleArguments, ms, result });
		// A preview tab would be replaced by the next click in a tree, and a result that took a call with it.
		await this.#open({ tool, result, document }, { preview: false });
		await this.#showImages(tool, result);
	}

	/** Shows a call of a chat like a run. */
	async show(call: ChatCall): Promise<void> {
		await this.#open(shownCall(call));
	}

	/** Runs a result's tool again, starting from its arguments. */
	async runAgain(uri: vscode.Uri): Promise<void> {
		const { tool, args } = this.#runShownIn(uri);
		await this.run(tool, args);
	}

	dispose(): void {
		this.#files.dispose();
	}

	async #isConfirmed(tool: CatalogTool, args: Readonly<Record<string, unknown>>): Promise<boolean> {
		const { lines, isAll } = argumentLines(args);
		const detail = [harmClaim(tool), lines.join('\n')].filter(Boolean).join('\n\n');
		const [run, showAll] = [l10n.t('Run'), l10n.t('Show All Arguments')];
		const buttons = isAll ? [run] : [run, showAll];
		const question = callQuestion(tool);
		const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
		if (chosen !== showAll) return chosen === run;
		await this.show({ tool, args });
		// Not modal, so that the user can read them first.
		return (await warn(labelText(question), run)) === run;
	}

	#runShownIn(uri: vscode.Uri): ShownRun {
		const document = this.#documents.get(uri);
		if (!document) throw new Error(l10n.t('this result is no longer available. Run the tool again.'));
		return document.source;
	}

	async #open(run: ShownRun, options?: vscode.TextDocumentShowOptions): Promise<void> {
		const { language, text } = run.document;
		const name = `${fileBaseName(run.tool.name)}.${language === 'json' ? 'json' : 'md'}`;
		await this.#documents.open(name, { text, source: run }, options);
		// It waits for the user.
		void offerFiles(run.tool.name, run.result, this.#files).catch(showError);
	}

	#remember(tool: CatalogTool, answers: FormAnswers): void {
		this.#last.delete(tool.wireName);
		this.#last.set(tool.wireName, answers);
		const [oldest] = this.#last.keys();
		if (this.#last.size > keptTools && oldest !== undefined) this.#last.delete(oldest);
	}

	/** Shows the first image beside the text. */
	async #showImages(tool: CatalogTool, result: ToolResult): Promise<void> {
		const image = filesOf(result).find(isViewable);
		if (!image) return;
		const uri = await this.#files.write(fileName(tool.name, 1, image), Buffer.from(image.data, 'base64'));
		const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
		await vscode.commands.executeCommand('vscode.open', uri, options);
	}
}

/** A rule that blocks a tool also blocks running it by hand. */
function mustBeAllowed({ kind }: CallVerdict, tool: CatalogTool): void {
	if (kind !== 'never') return;
	throw new Error(
		l10n.t(
			'{0} is blocked by your permission settings. Change them with “Discovery: Manage Permissions…”.',
			labelText(tool.id, shownCharacters),
		),
	);
}

/** What a dialog shows of the arguments, and whether that is all. Modal dialogs are plain text, so arguments cannot become links or icons. */
function argumentLines(args: Readonly<Record<string, unknown>>): { lines: string[]; isAll: boolean } {
	const texts = Object.entries(args).map(
		([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
	);
	const more = texts.length - shownArguments;
	const lines = texts
		.slice(0, shownArguments)
		.map(([name, text]) => `${exactEnds(name, shownCharacters)}: ${exactEnds(text, shownCharacters)}`);
	return {
		lines: [...lines, ...andMore(more), ...(texts.length === 0 ? [l10n.t('No arguments.')] : [])],
		isAll: more <= 0 && texts.every((pair) => pair.every((text) => text.length <= shownCharacters)),
	};
}

/** Shorter calls show no progress, which would only flicker. In milliseconds. */
const progressAfterMs = 500;

/** `undefined`: the user stopped the call, or it failed and the user has seen the error. */
async function callByHand(
	tool: CatalogTool,
	args: Readonly<Record<string, unknown>>,
	{ pool, run }: RunServices,
): Promise<ToolResult | undefined> {
	const stop = new AbortController();
	const reported = new vscode.EventEmitter<CallProgress>();
	const call = pool.callTool(tool.server, tool.name, args, {
		signal: stop.signal,
		onProgress: (progress) => reported.fire(progress),
		// The user has just requested the call, so a question is no surprise. Declining ends the call.
		onSignIn: (why) => {
			if (why.cause) throw why;
			void run('signIn', { server: tool.server });
		},
	});
	const timer = setTimeout(() => showProgress(tool, call, reported.event, stop), progressAfterMs);
	try {
		return await call;
	} catch (error) {
		if (!stop.signal.aborted) void offerHelp(tool, error, pool, run);
		return undefined;
	} finally {
		clearTimeout(timer);
		reported.dispose();
	}
}

/** Shows the server's progress until the call ends, with a button that stops it. */
function showProgress(
	tool: CatalogTool,
	call: Promise<unknown>,
	onProgress: vscode.Event<CallProgress>,
	stop: AbortController,
): void {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: l10n.t('Running {0}', labelText(tool.id, shownCharacters)),
		cancellable: true,
	};
	void vscode.window.withProgress(options, async (progress, token) => {
		token.onCancellationRequested(() => stop.abort());
		onProgress((at) => progress.report({ message: labelText(progressText(at), shownCharacters) }));
		await call.catch(() => {});
	});
}

/** Says what failed, and offers to start the server. The call is not repeated. */
async function offerHelp(tool: CatalogTool, error: unknown, pool: ServerPool, run: RunAction): Promise<void> {
	const status = pool.server(tool.server);
	const isDown = status?.state.kind === 'failed' || status?.state.kind === 'stopped';
	const [start, log] = [l10n.t('Start Server'), l10n.t('Show Log')];
	const buttons = status ? [...(isDown ? [start] : []), log] : [];
	const chosen = await showErrorWithButtons(error, ...buttons);
	if (!chosen) return;
	await run(chosen === start ? 'startServer' : 'showServerLog', { server: tool.server });
}
