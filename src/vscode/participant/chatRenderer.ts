import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { imageMarkdown } from '../../chat/chatHistory.ts';
import { toolCount, wholeNumber } from '../../chat/counts.ts';
import { type LoopEnd, type LoopEvent, type OwnEvent, unwrapped } from '../../chat/loopEvent.ts';
import { errorMessage } from '../../common/errors.ts';
import { code, plain } from '../../common/markdown.ts';
import { oneLine } from '../../common/text.ts';
import type { ClientRef } from '../../config/models/clientDefinition.ts';
import type { ResultContent } from '../../discovery/catalog/tool.ts';
import type { OutcomeHit } from '../../discovery/tools/findTools.ts';
import { ModelError } from '../../models/modelError.ts';
import type { FileNode } from '../actions/action.ts';
import { commands, ids } from '../ui/ids.ts';
import { commandButton, shortTitle, turnOnTitle } from '../ui/messages.ts';
import { helpAfter, type ModelHelp } from '../ui/modelHelp.ts';
import { callsLine, type LinkedCall } from './callLinks.ts';
import {
	agentAnswer,
	agentLine,
	agentProgress,
	eventLine,
	failedCallReason,
	lookingLabel,
	retryLabel,
} from './chatLines.ts';
import { continueCommand } from './interrupted.ts';
import { LongWork } from './longWork.ts';
import type { CallWaits } from './mcpCallTool.ts';
import { ThinkingView } from './thinking.ts';

/** Shortest time between two reports of a call's progress, in milliseconds: each stays in the stored chat. */
const progressPauseMs = 3000;
/** Characters of a progress line. It is Markdown, so text of others is escaped. */
const progressCharacters = 500;
const nameCharacters = 100;

/** What the buttons below a failure of a configured model need. */
interface AskedClient {
	/** The model's client. */
	readonly client: ClientRef;
	readonly baseUrl: string;
	/** To send again; absent if it has attachments. */
	readonly message: string | undefined;
}

/** Shows the events of a tool loop in the chat. */
export class ChatRenderer {
	readonly #stream: vscode.ChatResponseStream;
	/** When the next progress of a call may be shown, by call id. */
	readonly #nextProgress = new Map<string, number>();
	readonly #reportedDrops = new Set<string>();
	readonly #thinking: ThinkingView;

	readonly #askedClient: AskedClient | undefined;
	/** Calls of the model and its agents, in order. */
	readonly #calls: LinkedCall[] = [];
	/** The chat's session, which the links to calls name. */
	readonly #session: string;
	readonly #longWork: LongWork;
	/** What the searches since the last call found. */
	#found: readonly OutcomeHit[] = [];

	constructor(stream: vscode.ChatResponseStream, session: string, askedClient: AskedClient | undefined) {
		this.#stream = stream;
		this.#session = session;
		this.#askedClient = askedClient;
		this.#longWork = new LongWork((text) => this.#replaceProgress(text));
		this.#thinking = new ThinkingView(stream);
	}

	render(happened: LoopEvent): void {
		const { event, agents } = unwrapped(happened);
		const isAgents = agents.length > 0;
		// An agent's thinking is never shown.
		if (!isAgents && event.type === 'retrying') this.#thinking.breakOff();
		else if (isAgents || event.type !== 'thinking') this.#thinking.pause();
		if (event.type === 'thinking') this.#longWork.thinks();
		else this.#watch(event);
		this.#link(event, agents.at(-1));
		if (isAgents) {
			this.#agent(event, agents);
			return;
		}
		switch (event.type) {
			case 'thinking':
				this.#thinking.add(event.text);
				break;
			case 'nothingToSee':
				this.#paragraph(`\n\n$(info) ${nothingToSeeWords(event)}`);
				break;
			case 'text':
				this.#stream.markdown(event.text);
				break;
			case 'looking':
				this.#stream.progress(lookingLabel(event.call));
				break;
			case 'searchStarted':
				this.#stream.progress(l10n.t('Searching {0}…', toolCount(event.searched)));
				break;
			case 'searchFinished':
				this.#line(event);
				if (event.outcome.ok) this.#found = [...this.#found, ...event.outcome.hits];
				break;
			case 'toolFinished':
				this.#found = [];
				this.#nextProgress.delete(event.call.id);
				for (const part of event.result.content) this.#image(part);
				break;
			case 'toolProgress':
				this.#progress(event);
				break;
			case 'agentStarted':
			case 'agentFinished':
				this.#agent(event, agents);
				break;
			case 'retrying':
				this.#stream.progress(plain(retryLabel(event), progressCharacters));
				break;
			case 'offer':
				this.#stream.button({
					command: commands.runTool,
					title: l10n.t('Run {0}…', oneLine(event.tool.id, nameCharacters)),
					arguments: [{ server: event.tool.server, tool: event.tool.name }, event.input],
				});
				break;
			case 'toolDropped':
				this.#dropped(event);
				break;
			case 'trimmed':
				this.#paragraph(`$(info) ${trimmedWords(event.results)}`);
				break;
			case 'end':
				this.#end(event);
				break;
			// VS Code itself shows calls, confirmations and results.
			default:
				this.#line(event);
		}
	}

	/** Keeps track of what the answer waits for. */
	#watch(event: LoopEvent): void {
		if (event.type === 'toolStarted') this.#longWork.callStarted(event.call.id);
		else if (event.type === 'toolBegun') this.#longWork.callBegun(event.call.id, event.tool.id);
		else if (event.type === 'toolFinished') this.#longWork.callEnded(event.call.id);
		else this.#longWork.somethingSaid();
	}

	/** Adds a finished call to the links below the answer. */
	#link(event: LoopEvent, agent: string | undefined): void {
		if (event.type !== 'toolFinished' || !event.tool) return;
		const { call, tool, result } = event;
		const outcome = result.declined ? 'skipped' : result.isError ? 'failed' : 'done';
		// The line of an agent's failed call has said why.
		const details =
			agent === undefined ? outcome === 'failed' && { why: failedCallReason(result) } : { agent };
		this.#calls.push({ id: call.id, tool, outcome, ...details });
	}

	/** Every request of a turn drops the same tools: says each once. */
	#dropped({ name, reason }: LoopEvent & { type: 'toolDropped' }): void {
		if (this.#reportedDrops.has(name)) return;
		this.#reportedDrops.add(name);
		this.#paragraph(
			`$(warning) ${l10n.t('This model does not support {0}: {1}', code(name), plain(reason, 300))}`,
		);
	}

	#agent(event: OwnEvent, agents: readonly string[]): void {
		const line = agentLine(event, agents);
		// The model's text may have ended in the middle of a line.
		if (line !== undefined) this.#paragraph(`\n\n${line}`);
		const answer = event.type === 'agentFinished' ? agentAnswer(event.report, agents) : undefined;
		// An agent's Markdown, like the model's: without icons or commands.
		if (answer !== undefined) this.#stream.markdown(new vscode.MarkdownString(`${answer}\n\n`));
		const progress = agentProgress(event, agents);
		if (progress !== undefined) this.#stream.progress(plain(progress, progressCharacters));
	}

	#image(part: ResultContent): void {
		const picture = imageMarkdown(part);
		if (picture) this.#stream.markdown(new vscode.MarkdownString(`${picture}\n\n`));
	}

	#progress({ call, tool, progress }: LoopEvent & { type: 'toolProgress' }): void {
		const now = Date.now();
		if (now < (this.#nextProgress.get(call.id) ?? now)) return;
		this.#nextProgress.set(call.id, now + progressPauseMs);
		this.#replaceProgress(`${oneLine(tool.id, nameCharacters)}: ${oneLine(progress, nameCharacters)}`);
	}

	/** Shows what a long call does, instead of what the last line says of it: VS Code hides progress that anything else follows, even nothing. */
	#replaceProgress(text: string): void {
		this.#stream.markdown('');
		this.#stream.progress(plain(text, progressCharacters));
	}

	#end(end: LoopEnd): void {
		this.#linkCalls();
		this.#thinking.end();
		switch (end.reason) {
			case 'answered':
			case 'cancelled':
				break;
			case 'roundLimit':
				this.#paragraph(
					l10n.t('Stopped after {0} rounds of tool calls. Say “continue” to proceed.', end.rounds),
				);
				this.#stream.button(continueCommand());
				break;
			case 'repeating':
				this.#paragraph(
					l10n.t('Stopped because {0} was called repeatedly with the same input.', code(end.name)),
				);
				this.#stream.button(continueCommand());
				break;
			case 'tooManyTools':
				this.#tooManyTools(end);
				break;
			case 'failed':
				// The model's text may have ended in the middle of a line.
				this.#paragraph(`\n\n$(error) ${modelFailure(end.error)}`);
				this.#help(end.error);
				break;
		}
	}

	/** A button for what helps after a model's failure. */
	#help(error: unknown): void {
		if (!(error instanceof ModelError)) return;
		const help = helpAfter(error.reason, this.#askedClient?.baseUrl);
		const button = help && this.#helpButton(help);
		if (button) this.#stream.button(button);
	}

	#helpButton(help: ModelHelp): vscode.Command | undefined {
		const { client, message } = this.#askedClient ?? {};
		switch (help.to) {
			case 'page':
				return { command: 'vscode.open', title: help.title, arguments: [vscode.Uri.parse(help.url)] };
			case 'continuation':
				return continueCommand();
			case 'modelPicker':
				return { command: 'workbench.action.chat.openModelPicker', title: l10n.t('Pick Another Model') };
			case 'key': {
				const command = commands.manageSecrets;
				return client && { command, title: shortTitle(command), arguments: [client, message] };
			}
			case 'configuration': {
				if (!client) return undefined;
				const place: FileNode = { kind: 'origin', uri: vscode.Uri.parse(client.file), client: client.name };
				return commandButton(commands.openConfig, place);
			}
		}
	}

	#linkCalls(): void {
		const line = callsLine(this.#session, this.#calls);
		if (line === undefined) return;
		const links = new vscode.MarkdownString(`\n\n${line}\n\n`, true);
		links.isTrusted = { enabledCommands: [ids.showCall] };
		this.#stream.markdown(links);
	}

	/** A server asks the user something during a call, or got its answer. Meanwhile the answer waits for the user. */
	question(server: string, event: Parameters<CallWaits['onQuestion']>[1]): void {
		if (event === 'asked') this.#longWork.questionAsked(server);
		else {
			this.#longWork.questionEnded(server);
			this.#paragraph(`\n\n$(question) ${answeredLine(plain(server, nameCharacters), event)}`);
		}
	}

	/** Call this when nothing more will be shown. */
	dispose(): void {
		this.#longWork.dispose();
	}

	#tooManyTools({ tools, limit, discovers }: LoopEnd & { reason: 'tooManyTools' }): void {
		const label = l10n.t(
			'{0} tools are loaded, but the model accepts at most {1}. Nothing was sent.',
			wholeNumber(tools),
			wholeNumber(limit),
		);
		if (discovers) {
			this.#paragraph(`${label} ${l10n.t('Defer servers or tools in the Servers view.')}`);
			this.#stream.button({ command: `${ids.serversView}.focus`, title: l10n.t('Show Servers') });
		} else {
			this.#paragraph(`${label} ${l10n.t('With discovery on, tools load when they are needed.')}`);
			this.#stream.button({ command: commands.enableDiscovery, title: turnOnTitle() });
		}
	}

	#line(event: LoopEvent): void {
		const line = eventLine(event, false, this.#found);
		// The model's text may have ended in the middle of a line.
		if (line !== undefined) this.#paragraph(event.type === 'notice' ? `\n\n${line}` : line);
	}

	/** A paragraph of our own. It may contain icons; names of others must be code or escaped. */
	#paragraph(text: string): void {
		this.#stream.markdown(new vscode.MarkdownString(`${text}\n\n`, true));
	}
}

function answeredLine(server: string, action: 'accept' | 'decline' | 'cancel'): string {
	switch (action) {
		case 'accept':
			return l10n.t('You answered a question from {0}.', server);
		case 'decline':
			return l10n.t('You declined a question from {0}.', server);
		case 'cancel':
			return l10n.t('A question from {0} was dismissed.', server);
	}
}

function trimmedWords(results: number): string {
	return results === 1
		? l10n.t('The conversation is long, so 1 older result or image was removed.')
		: l10n.t('The conversation is long, so {0} older results or images were removed.', results);
}

function nothingToSeeWords({ why, goesOn }: LoopEvent & { type: 'nothingToSee' }): string {
	switch (why) {
		case 'onlyThoughts':
			return goesOn
				? l10n.t('The model returned only its thinking. Asking it to continue…')
				: l10n.t('The model returned only its thinking. Say “continue”, or pick another model.');
		case 'empty':
			return goesOn
				? l10n.t('The model returned an empty answer. Asking it again…')
				: l10n.t('The model returned an empty answer. Say “continue”, or pick another model.');
		case 'paused':
			return l10n.t('The provider paused the answer. Asking the model to go on…');
		case 'malformedCall':
			return l10n.t('The model made a tool call that could not be read. Asking it to make the call again…');
	}
}

/** A model's failure: what happened and what to do. */
function modelFailure(error: unknown): string {
	if (error instanceof ModelError) return plain(error.message, 600);
	const message = errorMessage(error);
	return l10n.t('Something went wrong: {0} Try again.', plain(message, 300));
}
