import type { ChatMessage, ToolCall, ToolCallResult } from '../discovery/catalog/message.ts';
import type { Loading } from '../discovery/catalog/policy.ts';
import type { ToolDefinition } from '../discovery/catalog/tool.ts';
import { type ImageContent, resultText, textResult } from '../discovery/catalog/tool.ts';
import { plainAnswer } from '../models/answerParts.ts';
import { answeredCalls } from '../models/callIds.ts';
import { charactersOf } from './requestSize.ts';
import { ResultFlow } from './results/resultFlow.ts';

/** A turn as the chat's own history tells it: what was asked, and what was shown as the answer. */
export interface PastTurn {
	readonly prompt: string;
	readonly answer: string;
}

/** What goes with a message of the user. */
export interface TurnAttachments {
	readonly images?: readonly ImageContent[];
	/** Of files and selections; see `attached` of {@link ChatMessage}. */
	readonly text?: string | undefined;
	/** Told to the model with the message; see `news` of {@link ChatMessage}. */
	readonly news?: string | undefined;
}

/** A turn in a transcript. */
export interface KeptTurn {
	readonly prompt: string;
	/** Index of its first message. */
	readonly start: number;
	readonly loading: Loading;
}

/** What was said and done in a chat, kept for another window; plain JSON. */
export interface KeptTranscript {
	readonly turns: readonly KeptTurn[];
	readonly messages: readonly ChatMessage[];
	/** What agents said and did for it; only whoever looks at their calls reads that. */
	readonly ofAgents?: readonly ChatMessage[];
}

/** Characters that are kept of what agents said and did. */
const agentCharacters = 512 * 1024;

/**
 * All that was said and done in one chat, calls and results included. The chat's history keeps only what was shown; a model that is
 * told no more than that forgets what it has found, and a provider's cache ends at the first answer.
 */
export class Transcript {
	readonly #turns: KeptTurn[] = [];
	readonly #messages: ChatMessage[] = [];
	readonly #ofAgents: ChatMessage[] = [];
	#wentBack = false;
	/** Messages that go to the model before what the user says next; they belong to that turn. */
	readonly #pending: ChatMessage[] = [];
	/** What came from which server, whatever has been trimmed from the messages since. */
	readonly flow = new ResultFlow();

	/** About what it takes in memory. */
	get characters(): number {
		return charactersIn(this.#messages) + charactersIn(this.#ofAgents) + this.flow.characters;
	}

	/** Whether the user went back: the turn that has begun replaces others, which are gone from the messages. */
	get wentBack(): boolean {
		return this.#wentBack;
	}

	get isEmpty(): boolean {
		return this.#turns.length === 0;
	}

	get kept(): KeptTranscript {
		return { turns: [...this.#turns], messages: [...this.#messages], ofAgents: [...this.#ofAgents] };
	}

	/** Keeps what an agent said and did, in the place of the oldest where that is too much. */
	keepAgent(messages: readonly ChatMessage[]): void {
		this.#ofAgents.push(...messages);
		while (charactersIn(this.#ofAgents) > agentCharacters) this.#ofAgents.shift();
	}

	/**
	 * Takes up what an earlier window has kept; nothing where something was said in this one. `serverOf`: whose tool a call was made of, so
	 * that it is known where the text of its result came from.
	 */
	restore(
		{ turns, messages, ofAgents = [] }: KeptTranscript,
		serverOf: (call: ToolCall) => string | undefined,
	): void {
		if (!this.isEmpty) return;
		this.#turns.push(...turns);
		this.#messages.push(...messages);
		this.#ofAgents.push(...ofAgents);
		for (const index of messages.keys()) {
			for (const { call, result } of answeredCalls(messages, index)) {
				const server = serverOf(call);
				if (server !== undefined && result) this.flow.keep(server, result.result);
			}
		}
	}

	/** Puts messages before what the user says next. */
	put(messages: readonly ChatMessage[]): void {
		this.#pending.push(...messages);
	}

	/**
	 * Begins a turn and returns all messages so far, the user's new one last; the tool loop adds to them. `history`: the turns that the chat
	 * shows. Where these differ, because the user went back and asked otherwise or the window was reloaded, the history counts.
	 */
	begin(
		history: readonly PastTurn[],
		prompt: string,
		loading: Loading,
		attachments: TurnAttachments = {},
	): ChatMessage[] {
		const differs = history.findIndex((turn, i) => turn.prompt !== this.#turns[i]?.prompt);
		const same = differs < 0 ? history.length : differs;
		const end = this.#turns[same]?.start;
		this.#wentBack = end !== undefined;
		this.#turns.length = Math.min(this.#turns.length, same);
		if (end !== undefined) this.#messages.length = end;
		this.#forgetLoaded(loading);
		for (const turn of history.slice(same)) {
			this.#start(turn.prompt, loading);
			if (turn.answer) this.#messages.push(plainAnswer(turn.answer));
		}
		this.#start(prompt, loading, attachments, this.#pending.splice(0));
		return this.#messages;
	}

	#start(
		prompt: string,
		loading: Loading,
		{ images = [], text, news }: TurnAttachments = {},
		before: readonly ChatMessage[] = [],
	): void {
		this.#turns.push({ prompt, start: this.#messages.length, loading });
		this.#messages.push(...before, {
			role: 'user',
			text: prompt,
			...(images.length > 0 && { images }),
			...(text !== undefined && { attached: text }),
			...(news !== undefined && { news }),
		});
	}

	/** Takes definitions out of results where they were put there for another way of loading. */
	#forgetLoaded(loading: Loading): void {
		for (const [i, turn] of this.#turns.entries()) {
			if (turn.loading === loading) continue;
			this.#turns[i] = { ...turn, loading };
			const end = this.#turns[i + 1]?.start ?? this.#messages.length;
			for (let at = turn.start; at < end; at++) {
				const message = this.#messages[at];
				if (message?.role === 'tool') {
					this.#messages[at] = { role: 'tool', results: message.results.map(withoutDefinitions) };
				}
			}
		}
	}
}

function charactersIn(messages: readonly ChatMessage[]): number {
	return messages.reduce((sum, message) => sum + charactersOf.message(message), 0);
}

/** Tools whose definitions stand in results, by wire name. */
export function definitionsIn(messages: readonly ChatMessage[]): Set<string> {
	const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
	return new Set(results.flatMap(({ loaded = [] }) => loaded.map(({ name }) => name)));
}

/** Brings the definitions that stand in results up to date, in place. `now` gives the new definition, or `undefined` where it is to go. */
export function refreshDefinitions(
	messages: ChatMessage[],
	now: (definition: ToolDefinition) => ToolDefinition | undefined,
): void {
	for (const [i, message] of messages.entries()) {
		if (message.role !== 'tool') continue;
		const results = message.results.map((result) => refreshedResult(result, now));
		if (results.some((result, at) => result !== message.results[at])) messages[i] = { role: 'tool', results };
	}
}

/** A result without the definitions that it brought: with another way of loading, the provider would not know what they mean. */
export function withoutDefinitions(result: ToolCallResult): ToolCallResult {
	return refreshedResult(result, () => undefined);
}

function refreshedResult(
	told: ToolCallResult,
	now: (definition: ToolDefinition) => ToolDefinition | undefined,
): ToolCallResult {
	const { callId, result, loaded = [] } = told;
	const definitions = loaded.map(now);
	if (definitions.every((definition, i) => definition === loaded[i])) return told;
	const left = definitions.filter((definition) => definition !== undefined);
	if (left.length > 0) return { callId, result, loaded: left };
	// Without them, a search that only brought definitions would look as if it had found nothing.
	const names = loaded.map(({ name }) => name).join(', ');
	return { callId, result: resultText(result) === '' ? textResult(`Found ${names}.`) : result };
}
