import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exactEnds } from '../../common/exactValue.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { CallProgress } from '../../mcp/connection/connectOptions.ts';
import type { Services } from '../../services.ts';
import { commands } from '../ui/ids.ts';
import type { Validate } from '../ui/inputs/askParameter.ts';
import { fileBaseName, labelText } from '../ui/labelText.ts';
import { offerAfterFailure, say } from '../ui/messages.ts';
import { harmClaim, ruleRecord } from '../ui/permissionLabels.ts';
import type { ReadingDocuments } from '../ui/readingEditor.ts';
import { PrivateFiles } from '../ui/textFiles.ts';
import { type CallVerdict, callQuestion, progressText, shownCharacters } from '../ui/toolCalls.ts';
import { type Answers, answersOf } from './answers.ts';
import { askArguments } from './argumentQuestions.ts';
import { formOf } from './parameters.ts';
import {
	type ChatCall,
	fileName,
	filesOf,
	isViewable,
	type RunResult,
	resultDocument,
	runResult,
	type ShownRun,
	shownCall,
} from './result.ts';
import { saveResult } from './resultFiles.ts';

/** What running tools takes. */
type RunServices = Pick<Services, 'pool' | 'sandbox' | 'trust' | 'log'>;

/** Arguments that a confirmation shows; the others are counted. */
const shownArguments = 20;
/** Tools whose last arguments are kept for the next run. */
const keptTools = 50;

/** Runs tools for a person: asks for the arguments, confirms as the chat does, calls, shows the result. Chats know nothing of it. */
export class HandRuns implements vscode.Disposable {
	readonly #services: RunServices;
	readonly #documents: ReadingDocuments<ShownRun>;
	readonly #files = new PrivateFiles();
	/** By wire name, the latest last; for this window only. */
	readonly #last = new Map<string, Answers>();

	/** `documents`: where results are shown. */
	constructor(services: RunServices, documents: ReadingDocuments<ShownRun>) {
		this.#services = services;
		this.#documents = documents;
	}

	/** `args`: to begin with, instead of those of the last run. Rejects where the server does not answer; what a tool reports as its error is a result. Nothing happens where the user gives up. */
	async run(tool: CatalogTool, args?: Readonly<Record<string, unknown>>): Promise<void> {
		const {
			pool,
			sandbox,
			trust: { confirmation },
		} = this.#services;
		mustBeAllowed(confirmation.verdict({ tool }), tool);
		const validate: Validate = (schema, value) => sandbox.validate(schema, value, tool.server);
		const before = args ? answersOf(formOf(tool.inputSchema), args) : this.#last.get(tool.wireName);
		const filled = await askArguments(tool, validate, this.#files, before);
		if (!filled) return;
		this.#remember(tool, filled.answers);
		const shown = Object.fromEntries(
			Object.entries(filled.args).map(([name, value]) => [
				name,
				filled.secret.has(name) ? l10n.t('(hidden)') : value,
			]),
		);
		// What the user has decided meanwhile counts.
		const verdict = confirmation.verdict({ tool });
		mustBeAllowed(verdict, tool);
		// Who has just given the arguments of a tool that only reads has said yes to that; what may change something asks with all of them in view.
		const isConsented = verdict.kind === 'runs' || confirmation.isDoubted(tool);
		if (!isConsented && !(await isConfirmed(tool, shown))) return;
		if (verdict.kind === 'runs' && verdict.by !== 'reading')
			this.#services.log.info(`run of ${tool.id} let through by the rule: ${ruleRecord(verdict.by)}`);
		const answer = await callByHand(tool, filled.args, pool);
		if (!answer) return;
		const result = runResult(answer.raw);
		const document = resultDocument({ tool: tool.id, args: shown, ms: answer.ms, result });
		await this.#open({ tool, result, document });
		await this.#showImages(tool, result);
	}

	/** Shows a call that a chat has made, as if it had been run by hand. */
	async show(call: ChatCall): Promise<void> {
		await this.#open(shownCall(call));
	}

	/** Runs the tool of a result again, with its arguments as a beginning. `uri`: the result's editor, else the active one. */
	async runAgain(uri: vscode.Uri | undefined): Promise<void> {
		const { tool, args } = this.#shown(uri);
		await this.run(tool, args);
	}

	/** Puts the text of a result on the clipboard. */
	async copy(uri: vscode.Uri | undefined): Promise<void> {
		await vscode.env.clipboard.writeText(this.#shown(uri).document.text);
		say(l10n.t('copied the result.'));
	}

	/** Saves a result, or one of its files. */
	async save(uri: vscode.Uri | undefined): Promise<void> {
		const { tool, document, result } = this.#shown(uri);
		await saveResult(tool.name, document, result);
	}

	dispose(): void {
		this.#files.dispose();
	}

	#shown(uri: vscode.Uri | undefined): ShownRun {
		const shown = this.#documents.get(uri);
		if (!shown) throw new Error(l10n.t('this result is no longer available. Run the tool again.'));
		return shown.source;
	}

	async #open(run: ShownRun): Promise<void> {
		const { language, text } = run.document;
		const name = `${fileBaseName(run.tool.name)}.${language === 'json' ? 'json' : 'md'}`;
		await this.#documents.open(name, { text, source: run });
	}

	#remember(tool: CatalogTool, answers: Answers): void {
		this.#last.delete(tool.wireName);
		this.#last.set(tool.wireName, answers);
		const [oldest] = this.#last.keys();
		if (this.#last.size > keptTools && oldest !== undefined) this.#last.delete(oldest);
	}

	/** The first picture beside the text; the others can be saved. */
	async #showImages(tool: CatalogTool, result: RunResult): Promise<void> {
		const image = filesOf(result).find(isViewable);
		if (!image) return;
		const uri = await this.#files.write(fileName(tool.name, 1, image), Buffer.from(image.data, 'base64'));
		const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
		await vscode.commands.executeCommand('vscode.open', uri, options);
	}
}

/** A rule means the same whoever calls: what is never to be called is not run by hand either. */
function mustBeAllowed({ kind }: CallVerdict, tool: CatalogTool): void {
	if (kind !== 'never') return;
	throw new Error(
		l10n.t(
			'{0} is blocked by your permission settings. Change them with “Discovery: Manage Permissions…”.',
			labelText(tool.id, shownCharacters),
		),
	);
}

/** Asks before the call. Modal dialogs are plain text, so nothing in arguments becomes a link or icon. */
async function isConfirmed(tool: CatalogTool, args: Readonly<Record<string, unknown>>): Promise<boolean> {
	const lines = Object.entries(args).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${exactEnds(name, shownCharacters)}: ${exactEnds(text, shownCharacters)}`;
	});
	const more = lines.length - shownArguments;
	const list = [
		...lines.slice(0, shownArguments),
		...(more > 0 ? [l10n.t('… and {0} more', more)] : []),
		...(lines.length === 0 ? [l10n.t('No arguments.')] : []),
	];
	const detail = [harmClaim(tool), list.join('\n')].filter(Boolean).join('\n\n');
	const run = l10n.t('Run');
	return (await vscode.window.showWarningMessage(callQuestion(tool), { modal: true, detail }, run)) === run;
}

/** A server's answer to a call. */
export interface Answer {
	/** The result as the server sent it. */
	readonly raw: unknown;
	/** How long the call took. */
	readonly ms: number;
}

/** Calls that end sooner show no progress, in milliseconds: it would only flicker. */
const progressAfterMs = 500;

/** Calls a tool. `undefined`: the user has stopped it, or there was no answer, which the user is told. */
async function callByHand(
	tool: CatalogTool,
	args: Readonly<Record<string, unknown>>,
	pool: Services['pool'],
): Promise<Answer | undefined> {
	const stop = new AbortController();
	const reported = new vscode.EventEmitter<CallProgress>();
	const started = performance.now();
	const call = pool.callForRawResult(tool.server, tool.name, args, {
		signal: stop.signal,
		onProgress: (progress) => reported.fire(progress),
		// The user has just asked for the call, so that a question comes as no surprise; a no ends the call.
		onSignIn: (why) => {
			if (why.cause) throw why;
			void vscode.commands.executeCommand(commands.signIn, { server: tool.server });
		},
	});
	const timer = setTimeout(() => showProgress(tool, call, reported.event, stop), progressAfterMs);
	try {
		return { raw: await call, ms: Math.round(performance.now() - started) };
	} catch (error) {
		if (!stop.signal.aborted) void offerHelp(tool, error, pool);
		return undefined;
	} finally {
		clearTimeout(timer);
		reported.dispose();
	}
}

/** What the server says of its progress, and a button that stops the call, until that has ended. */
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

/** What happened, and what helps: a server that does not run can be started. The call is not made again by itself. */
async function offerHelp(tool: CatalogTool, error: unknown, pool: Services['pool']): Promise<void> {
	const status = pool.servers().find(({ name }) => name === tool.server);
	const isDown = status?.state.kind === 'failed' || status?.state.kind === 'stopped';
	const [start, log] = [l10n.t('Start Server'), l10n.t('Show Log')];
	const buttons = status ? [...(isDown ? [start] : []), log] : [];
	const chosen = await offerAfterFailure(error, ...buttons);
	if (!chosen) return;
	const command = chosen === start ? commands.startServer : commands.showServerLog;
	await vscode.commands.executeCommand(command, { server: tool.server });
}
