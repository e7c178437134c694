import * as vscode from 'vscode';
import type { LoopEnd, LoopEvent } from '../../chat/loopEvent.ts';
import { imageMarkdown } from '../../chat/shownImage.ts';
import { counted } from '../../chat/slashCommands/toolLine.ts';
import { code, plain } from '../../discovery/markdown.ts';
import { oneLine } from '../../discovery/text.ts';
import type { ResultContent } from '../../discovery/toolResult.ts';
import { ModelError } from '../../models/modelError.ts';
import { commands, ids } from '../ids.ts';
import { type AgentEvent, agentLines, agentProgress } from './agentLines.ts';
import { lookingWords } from './lookingWords.ts';
import { prefetchLine } from './prefetchLine.ts';
import { searchLine } from './searchLine.ts';

/** A server may tell its progress a hundred times a second. */
const progressEveryMs = 2000;

/** Shows a tool loop in the chat, event by event. */
export class ChatRenderer {
	readonly #stream: vscode.ChatResponseStream;
	/** When a call's progress was last shown, in milliseconds, by the call's id. */
	readonly #shownProgress = new Map<string, number>();
	readonly #toldDropped = new Set<string>();

	/** Client of the configuration whose key the model is asked with, where it is one of the configuration's. */
	readonly #client: string | undefined;

	constructor(stream: vscode.ChatResponseStream, client: string | undefined) {
		this.#stream = stream;
		this.#client = client;
	}

	render(event: LoopEvent): void {
		switch (event.type) {
			case 'text':
				this.#stream.markdown(event.text);
				break;
			case 'prefetched':
				this.#paragraph(prefetchLine(event));
				break;
			case 'looking':
				this.#stream.progress(`The model is ${lookingWords(event.call)}`);
				break;
			case 'searchStarted':
				this.#stream.progress(`Searching ${event.searched.toLocaleString()} tools…`);
				break;
			case 'searchFinished':
				this.#paragraph(searchLine(event.outcome));
				break;
			case 'evicted':
				this.#paragraph(`Unloaded to make room: ${event.names.map(code).join(', ')}`);
				break;
			case 'toolFinished':
				this.#shownProgress.delete(event.call.id);
				if (event.result.isError && !event.result.declined) this.#paragraph(failureLine(event));
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
				this.#stream.progress(`${event.reason} Asking again in ${Math.ceil(event.afterMs / 1000)} s…`);
				break;
			case 'notice':
				this.#paragraph(`\n\n$(info) ${plain(event.text, 500)}`);
				break;
			case 'toolDropped':
				this.#dropped(event);
				break;
			case 'trimmed':
				this.#paragraph(
					`$(info) The conversation is long: ${counted(event.results, 'older result or picture', 'older results or pictures')} made room for the rest.`,
				);
				break;
			// VS Code itself shows each call, its confirmation and its end.
			case 'toolStarted':
			case 'activated':
			case 'usage':
				break;
			case 'end':
				this.#end(event);
				break;
		}
	}

	/** Every request of a turn drops the same tools: each is told once. */
	#dropped({ name, reason }: LoopEvent & { type: 'toolDropped' }): void {
		if (this.#toldDropped.has(name)) return;
		this.#toldDropped.add(name);
		this.#paragraph(`$(warning) ${code(name)} cannot be sent to this model: ${plain(reason, 300)}`);
	}

	#agent(event: AgentEvent): void {
		const lines = agentLines(event);
		// What the model has said before may have ended in the middle of a line.
		if (lines.length > 0) this.#paragraph(`\n\n${lines.join('\n')}`);
		const progress = agentProgress(event);
		if (progress !== undefined) this.#stream.progress(progress);
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
		this.#stream.progress(`${tool.id}: ${oneLine(progress, 100)}`);
	}

	#end(end: LoopEnd): void {
		switch (end.reason) {
			case 'answered':
			case 'cancelled':
				break;
			case 'roundLimit':
				this.#paragraph(`Stopped after ${end.rounds} rounds of tool calls. Say "continue" to go on.`);
				break;
			case 'repeating':
				this.#paragraph(`Stopped: ${code(end.call.name)} was called again and again with the same input.`);
				break;
			case 'tooManyTools':
				this.#tooManyTools(end);
				break;
			case 'failed':
				// What the model has said so far may have ended in the middle of a line.
				this.#paragraph(`\n\n$(error) ${failureText(end.error)}`);
				if (this.#client !== undefined && asksForKey(end.error)) {
					const args = [this.#client];
					this.#stream.button({ command: commands.setApiKey, title: 'Set API Key…', arguments: args });
				}
				break;
		}
	}

	#tooManyTools({ tools, limit, discovers }: LoopEnd & { reason: 'tooManyTools' }): void {
		const what = `${tools} tools are loaded, and the model takes at most ${limit}, so nothing was sent.`;
		if (discovers) {
			this.#paragraph(`${what} Defer some servers or tools in the Servers view.`);
			this.#stream.button({ command: `${ids.serversView}.focus`, title: 'Show Servers' });
		} else {
			this.#paragraph(`${what} With discovery on, tools are loaded when they are needed.`);
			this.#stream.button({ command: commands.enableDiscovery, title: 'Turn On Discovery' });
		}
	}

	/** A paragraph of our own words; icons are allowed in it, and names of others stand in it as code or escaped. */
	#paragraph(text: string): void {
		this.#stream.markdown(new vscode.MarkdownString(`${text}\n\n`, true));
	}
}

/** The bare fact: the reason stands in the model's answer. */
function failureLine({ call, tool }: LoopEvent & { type: 'toolFinished' }): string {
	return `$(error) ${code(tool?.id ?? call.name)} failed`;
}

function asksForKey(error: unknown): boolean {
	return error instanceof ModelError && (error.reason === 'unauthorized' || error.reason === 'forbidden');
}

/** A model's failure in a sentence: what happened and what to do. */
function failureText(error: unknown): string {
	if (error instanceof ModelError) return plain(error.message, 600);
	if (error instanceof vscode.LanguageModelError) {
		switch (error.code) {
			case vscode.LanguageModelError.NoPermissions.name:
				return 'The chosen model may not be used by this extension. Allow it when VS Code asks, or pick another model.';
			case vscode.LanguageModelError.NotFound.name:
				return 'The chosen model is not there any more. Pick another one below the chat input.';
			case vscode.LanguageModelError.Blocked.name:
				return `The chosen model refused the request: ${plain(error.message, 300)}. Try other words, or another model.`;
		}
	}
	const message = error instanceof Error ? error.message : String(error);
	return `The model failed: ${plain(message, 300)}\n\nTry again, or pick another model below the chat input.`;
}
