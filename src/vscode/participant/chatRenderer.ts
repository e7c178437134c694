import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { imageMarkdown } from '../../chat/chatHistory.ts';
import { toolCount } from '../../chat/counts.ts';
import { innermost, type LoopEnd, type LoopEvent } from '../../chat/loopEvent.ts';
import { code, plain } from '../../common/markdown.ts';
import { oneLine } from '../../common/text.ts';
import type { ResultContent } from '../../discovery/catalog/tool.ts';
import { ModelError } from '../../models/modelError.ts';
import { commands, ids } from '../ui/ids.ts';
import { commandButton, shortTitle } from '../ui/messages.ts';
import { callsLine, type LinkedCall } from './callLinks.ts';
import {
	type AgentEvent,
	agentAnswer,
	agentLines,
	agentProgress,
	eventLine,
	lookingLabel,
	retryLabel,
} from './chatLines.ts';
import { continueCommand } from './interrupted.ts';
import { LongWork } from './longWork.ts';
import type { CallWaits } from './mcpCallTool.ts';
import { ThinkingView } from './thinking.ts';

/** A server may tell its progress a hundred times a second. */
const progressEveryMs = 2000;
/** Characters of a line of progress; what others say there is escaped, for it is shown as Markdown. */
const progressCharacters = 500;
/** Characters of a server's name. */
const nameCharacters = 100;

/** What the button that sets a missing key needs. */
interface KeyRequest {
	/** The configuration's client of the model. */
	readonly client: string;
	/** To send again; absent if it has attachments. */
	readonly message: string | undefined;
}

/** Shows a tool loop in the chat, event by event. */
export class ChatRenderer {
	readonly #stream: vscode.ChatResponseStream;
	/** When a call's progress was last shown, in milliseconds, by the call's id. */
	readonly #shownProgress = new Map<string, number>();
	readonly #toldDropped = new Set<string>();
	readonly #thinking: ThinkingView;

	readonly #key: KeyRequest | undefined;
	/** Calls of the model and its agents, in order. */
	readonly #calls: LinkedCall[] = [];
	/** The chat's session, which the links to calls name. */
	readonly #session: string;
	readonly #longWork: LongWork;

	constructor(stream: vscode.ChatResponseStream, session: string, key: KeyRequest | undefined) {
		this.#stream = stream;
		this.#session = session;
		this.#key = key;
		this.#longWork = new LongWork((text) => stream.progress(plain(text, progressCharacters)));
		this.#thinking = new ThinkingView(stream);
	}

	render(event: LoopEvent): void {
		if (event.type !== 'thinking') this.#thinking.pause();
		const shown = innermost(event);
		// What an agent thinks is never shown.
		if (shown.type === 'thinking' && (event !== shown || !this.#thinking.isShown)) this.#longWork.thinks();
		else this.#watch(shown);
		this.#link(event);
		switch (event.type) {
			case 'thinking':
				this.#thinking.add(event.text);
				break;
			case 'onlyThought':
				this.#paragraph(`\n\n$(info) ${onlyThoughtWords(event.goesOn)}`);
				break;
			case 'text':
				this.#stream.markdown(event.text);
				break;
			case 'looking':
				this.#stream.progress(l10n.t('The model is {0}', lookingLabel(event.call)));
				break;
			case 'searchStarted':
				this.#stream.progress(l10n.t('Searching {0}…', toolCount(event.searched)));
				break;
			case 'toolFinished':
				this.#shownProgress.delete(event.call.id);
				this.#line(event);
				for (const part of event.result.content) this.#image(part);
				break;
			case 'toolProgress':
				this.#progress(event);
				break;
			case 'agentStarted':
			case 'agentEvent':
			case 'agentFinished':
				this.#agent(event);
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
			case 'prefetched':
			case 'searchFinished':
			case 'evicted':
			case 'notice':
				this.#line(event);
				break;
			case 'toolDropped':
				this.#dropped(event);
				break;
			case 'trimmed':
				this.#paragraph(`$(info) ${trimmedWords(event.results)}`);
				break;
			// VS Code itself shows each call, its confirmation and its end.
			case 'toolStarted':
			case 'toolBegun':
			case 'activated':
			case 'usage':
				break;
			case 'end':
				this.#end(event);
				break;
		}
	}

	/** Keeps count of what is waited for. */
	#watch(event: LoopEvent): void {
		if (event.type === 'toolStarted') this.#longWork.callStarted(event.call.id);
		else if (event.type === 'toolBegun') this.#longWork.callBegun(event.call.id, event.tool.id);
		else if (event.type === 'toolFinished') this.#longWork.callEnded(event.call.id);
		else this.#longWork.somethingSaid();
	}

	/** A call that has ended gets a link below the answer. */
	#link(event: LoopEvent, agent?: string): void {
		if (event.type === 'agentEvent') this.#link(event.event, event.agent);
		if (event.type !== 'toolFinished' || !event.tool) return;
		const { call, tool, result } = event;
		this.#calls.push({ id: call.id, tool, failed: result.isError, ...(agent !== undefined && { agent }) });
	}

	/** Every request of a turn drops the same tools: each is told once. */
	#dropped({ name, reason }: LoopEvent & { type: 'toolDropped' }): void {
		if (this.#toldDropped.has(name)) return;
		this.#toldDropped.add(name);
		this.#paragraph(
			`$(warning) ${l10n.t('{0} cannot be sent to this model: {1}', code(name), plain(reason, 300))}`,
		);
	}

	#agent(event: AgentEvent): void {
		const lines = agentLines(event);
		// What the model has said before may have ended in the middle of a line.
		if (lines.length > 0) this.#paragraph(`\n\n${lines.join('\n')}`);
		const answer = agentAnswer(event);
		// Markdown of a model, as the answer of the chat's own model is; without our icons, and nothing of it can run a command.
		if (answer !== undefined) this.#stream.markdown(new vscode.MarkdownString(`${answer}\n\n`));
		const progress = agentProgress(event);
		if (progress !== undefined) this.#stream.progress(plain(progress, progressCharacters));
	}

	#image(part: ResultContent): void {
		const picture = imageMarkdown(part);
		if (picture) this.#stream.markdown(new vscode.MarkdownString(`${picture}\n\n`));
	}

	/** Each is a line of its own in the chat: now and then is enough. */
	#progress({ call, tool, progress }: LoopEvent & { type: 'toolProgress' }): void {
		const now = Date.now();
		if (now - (this.#shownProgress.get(call.id) ?? 0) < progressEveryMs) return;
		this.#shownProgress.set(call.id, now);
		this.#stream.progress(`${plain(tool.id, 100)}: ${plain(progress, 100)}`);
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
					l10n.t('Stopped after {0} rounds of tool calls. Say “continue” to go on.', end.rounds),
				);
				this.#stream.button(continueCommand());
				break;
			case 'repeating':
				this.#paragraph(
					l10n.t('Stopped: {0} was called again and again with the same input.', code(end.call.name)),
				);
				this.#stream.button(continueCommand());
				break;
			case 'tooManyTools':
				this.#tooManyTools(end);
				break;
			case 'failed':
				// What the model has said so far may have ended in the middle of a line.
				this.#paragraph(`\n\n$(error) ${modelFailure(end.error)}`);
				if (this.#key && asksForKey(end.error)) {
					this.#stream.button({
						command: commands.manageSecrets,
						title: shortTitle(commands.manageSecrets),
						arguments: [this.#key.client, this.#key.message],
					});
				}
				break;
		}
	}

	#linkCalls(): void {
		const line = callsLine(this.#session, this.#calls);
		if (line === undefined) return;
		const links = new vscode.MarkdownString(`\n\n${line}\n\n`, true);
		links.isTrusted = { enabledCommands: [ids.showCall] };
		this.#stream.markdown(links);
	}

	/** A server asks the user something during a call, or was answered: what is waited for is the user, not the server. */
	question(server: string, what: Parameters<CallWaits['onQuestion']>[1]): void {
		if (what === 'asked') this.#longWork.questionAsked(server);
		else {
			this.#longWork.questionEnded(server);
			this.#paragraph(`\n\n$(question) ${answeredLine(plain(server, nameCharacters), what)}`);
		}
	}

	/** To be called when nothing more is to be shown. */
	dispose(): void {
		this.#longWork.dispose();
	}

	#tooManyTools({ tools, limit, discovers }: LoopEnd & { reason: 'tooManyTools' }): void {
		const what = l10n.t(
			'{0} tools are loaded, and the model takes at most {1}, so nothing was sent.',
			tools,
			limit,
		);
		if (discovers) {
			this.#paragraph(`${what} ${l10n.t('Defer some servers or tools in the Servers view.')}`);
			this.#stream.button({ command: `${ids.serversView}.focus`, title: l10n.t('Show Servers') });
		} else {
			this.#paragraph(`${what} ${l10n.t('With discovery on, tools are loaded when they are needed.')}`);
			this.#stream.button(commandButton(commands.enableDiscovery));
		}
	}

	#line(event: LoopEvent): void {
		const line = eventLine(event);
		// What the model has said before a notice may have ended in the middle of a line.
		if (line !== undefined) this.#paragraph(event.type === 'notice' ? `\n\n${line}` : line);
	}

	/** A paragraph of our own words; icons are allowed in it, and names of others stand in it as code or escaped. */
	#paragraph(text: string): void {
		this.#stream.markdown(new vscode.MarkdownString(`${text}\n\n`, true));
	}
}

function answeredLine(server: string, action: 'accept' | 'decline' | 'cancel'): string {
	switch (action) {
		case 'accept':
			return l10n.t('{0} asked you a question, and you answered.', server);
		case 'decline':
			return l10n.t('{0} asked you a question, and you declined.', server);
		case 'cancel':
			return l10n.t('{0} asked you a question, which was dismissed.', server);
	}
}

function trimmedWords(results: number): string {
	return results === 1
		? l10n.t('The conversation is long: 1 older result or picture made room for the rest.')
		: l10n.t('The conversation is long: {0} older results or pictures made room for the rest.', results);
}

function onlyThoughtWords(goesOn: boolean): string {
	return goesOn
		? l10n.t('The model has only thought, and said nothing. It is asked to go on.')
		: l10n.t('The model has only thought, and said nothing. Say “continue”, or pick another model.');
}

/** Whether a model refused for lack of a valid key. */
function asksForKey(error: unknown): boolean {
	return error instanceof ModelError && (error.reason === 'unauthorized' || error.reason === 'forbidden');
}

/** A model's failure in a sentence: what happened and what to do. */
function modelFailure(error: unknown): string {
	if (error instanceof ModelError) return plain(error.message, 600);
	if (error instanceof vscode.LanguageModelError) {
		switch (error.code) {
			case vscode.LanguageModelError.NoPermissions.name:
				return l10n.t(
					'The chosen model may not be used by this extension. Allow it when VS Code asks, or pick another model.',
				);
			case vscode.LanguageModelError.NotFound.name:
				return l10n.t('The chosen model is not there any more. Pick another one below the chat input.');
			case vscode.LanguageModelError.Blocked.name:
				return l10n.t(
					'The chosen model refused the request: {0}. Try other words, or another model.',
					plain(error.message, 300),
				);
		}
	}
	const message = error instanceof Error ? error.message : String(error);
	return [
		l10n.t('The model failed: {0}', plain(message, 300)),
		l10n.t('Try again, or pick another model below the chat input.'),
	].join('\n\n');
}
