import { Emitter } from '../../common/event.ts';
import type { ChatMessage, ToolCallResult } from '../catalog/message.ts';
import { resultText, type ToolDefinition, textResult, withText } from '../catalog/tool.ts';
import type { ChatEvent, LogEntry } from './logEntry.ts';
import { emptyLogState, type LogState, stateAfterGoingBack, withEntry } from './logState.ts';
import { type DiscoveryStatistics, statisticsOf, usageOf } from './tally.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';
import type { SessionUsage } from './usage.ts';

/** A turn of the conversation. */
interface LoggedTurn {
	/** As the chat's history shows it. */
	readonly prompt: string;
	/** Index of its first message. */
	readonly start: number;
	/** The state at its start. */
	readonly stateBefore: LogState;
}

/** Characters of agents' transcripts that are kept. */
const agentCharacters = 512 * 1024;

/**
 * Everything that happened in one chat, in order: what was said, sent, loaded, called and told. All other facts about the chat are computed from it.
 * Append-only, except that messages are replaced to trim or complete them ({@link rewrite}).
 */
export class ChatLog {
	readonly #appended = new Emitter<void>();
	readonly onDidAppend = this.#appended.event;
	readonly #now: () => number;
	readonly #entries: LogEntry[] = [];
	readonly #messages: ChatMessage[] = [];
	/** Index of each message in the entries. */
	readonly #places: number[] = [];
	readonly #turns: LoggedTurn[] = [];
	#state = emptyLogState;
	readonly #unique = crypto.randomUUID();
	#usage: SessionUsage | undefined;
	#timeline: readonly TimelineEntry[] | undefined;
	#definitions: ReadonlyMap<string, ToolDefinition> | undefined;

	/** `entries`: what happened before. `now`: milliseconds since 1970; the engine has no clock of its own. */
	constructor(entries: readonly LogEntry[] = [], now: () => number = () => 0) {
		this.#now = now;
		for (const entry of entries) this.#apply(entry);
	}

	get entries(): readonly LogEntry[] {
		return this.#entries;
	}

	/** What the model sees and has learned of changes, and the tools that the chat has activated. */
	get state(): LogState {
		return this.#state;
	}

	get statistics(): DiscoveryStatistics {
		return statisticsOf(this.#entries);
	}

	get usage(): SessionUsage {
		this.#usage ??= usageOf(this.#entries);
		return this.#usage;
	}

	/** What happened, for people, oldest first. */
	get timeline(): readonly TimelineEntry[] {
		this.#timeline ??= timelineOf(this.#entries);
		return this.#timeline;
	}

	/** The conversation as the model reads it. Grows with the log. */
	get messages(): readonly ChatMessage[] {
		return this.#messages;
	}

	/** Tells this conversation from others that begin with the same words. The same after a reload, if the log has a clock. */
	get conversation(): string {
		return String(this.#entries[0]?.at || this.#unique);
	}

	/** The user's prompt of each turn. */
	get prompts(): readonly string[] {
		return this.#turns.map(({ prompt }) => prompt);
	}

	/** The user's first prompt, by which people recognise the chat. */
	get firstPrompt(): string | undefined {
		return this.#turns[0]?.prompt;
	}

	/** Definitions inside results of the conversation, by wire name. */
	get definitions(): ReadonlyMap<string, ToolDefinition> {
		this.#definitions ??= new Map(
			[...this.#messages.flatMap(definitionsIn), ...this.#state.brought].map((one) => [one.name, one]),
		);
		return this.#definitions;
	}

	append(happening: ChatEvent): void {
		this.#apply({ at: this.#now(), ...happening });
		if (happening.kind === 'agent') this.#boundAgents();
		this.#appended.fire();
	}

	/** Replaces a message with a shorter one, or one that the model has not read yet. */
	rewrite(index: number, message: ChatMessage): void {
		const place = this.#places[index];
		const entry = place === undefined ? undefined : this.#entries[place];
		if (place === undefined || entry?.kind !== 'message') return;
		this.#entries[place] = { ...entry, message };
		this.#messages[index] = message;
		if ([entry.message, message].some((one) => definitionsIn(one).length > 0)) this.#definitions = undefined;
	}

	/** Adds a note to what the model reads next: the user's message, our own request to continue, or the last result. */
	note(text: string): void {
		const last = this.#messages.at(-1);
		if (!last || last.role === 'assistant') return;
		this.rewrite(this.#messages.length - 1, withNote(last, text));
	}

	/**
	 * Updates the definitions inside results. `now` returns the new definition, or `undefined` to remove it: with another way of loading, the provider
	 * would not understand it.
	 */
	redefine(now: (definition: ToolDefinition) => ToolDefinition | undefined): void {
		for (const [i, message] of this.#messages.entries()) {
			if (message.role !== 'tool') continue;
			const results = message.results.map((result) => redefined(result, now));
			if (results.some((result, at) => result !== message.results[at]))
				this.rewrite(i, { ...message, results });
		}
	}

	/** The user went back to before this turn: drops the conversation from there on. */
	goBack(turns: number): void {
		const end = this.#turns[turns]?.start;
		if (end === undefined) return;
		// The turns did happen and stay in the log; only their messages go.
		const removedPlaces = new Set(this.#places.slice(end));
		const remaining = this.#entries.filter((_, place) => !removedPlaces.has(place));
		this.#entries.splice(0, this.#entries.length, ...remaining);
		this.#places.length = 0;
		for (const [place, { kind }] of remaining.entries()) if (kind === 'message') this.#places.push(place);
		this.append({ kind: 'back', turns });
	}

	#apply(entry: LogEntry): void {
		this.#timeline = undefined;
		this.#usage = undefined;
		this.#entries.push(entry);
		if (entry.kind === 'turn' || entry.kind === 'past')
			this.#turns.push({ prompt: entry.prompt, start: this.#messages.length, stateBefore: this.#state });
		const last = this.#state;
		if (entry.kind === 'back') {
			const [first] = this.#turns.splice(entry.turns);
			if (first) this.#state = stateAfterGoingBack(last, first.stateBefore);
			this.#messages.length = first?.start ?? this.#messages.length;
			this.#places.length = this.#messages.length;
		}
		if (entry.kind === 'message') {
			this.#places.push(this.#entries.length - 1);
			this.#messages.push(entry.message);
		}
		this.#state = withEntry(this.#state, entry);
		const changesDefinitions =
			entry.kind === 'back' || (entry.kind === 'message' && definitionsIn(entry.message).length > 0);
		if (changesDefinitions || last.brought !== this.#state.brought) this.#definitions = undefined;
	}

	/** Drops the transcripts of the oldest agents beyond the limit. */
	#boundAgents(): void {
		let remainingCharacters = agentCharacters;
		for (const [place, entry] of [...this.#entries.entries()].reverse()) {
			if (entry.kind !== 'agent' || entry.messages.length === 0) continue;
			remainingCharacters -= JSON.stringify(entry.messages).length;
			if (remainingCharacters < 0) this.#entries[place] = { ...entry, messages: [] };
		}
	}
}

function definitionsIn(message: ChatMessage): readonly ToolDefinition[] {
	return message.role === 'tool' ? message.results.flatMap(({ loaded = [] }) => loaded) : [];
}

function withNote(message: Exclude<ChatMessage, { role: 'assistant' }>, note: string): ChatMessage {
	if (message.role === 'user') return { ...message, news: [message.news, note].filter(Boolean).join('\n\n') };
	const last = message.results.length - 1;
	const results = message.results.map((one, i) =>
		i === last ? { ...one, result: withText(one.result, note) } : one,
	);
	return { ...message, results };
}

function redefined(
	callResult: ToolCallResult,
	now: (definition: ToolDefinition) => ToolDefinition | undefined,
): ToolCallResult {
	const { loaded = [], ...others } = callResult;
	const definitions = loaded.map(now);
	if (definitions.every((definition, i) => definition === loaded[i])) return callResult;
	const keptDefinitions = definitions.filter((definition) => definition !== undefined);
	if (keptDefinitions.length > 0) return { ...others, loaded: keptDefinitions };
	// Without the names, a search whose answer was only definitions would look as if it had found nothing.
	const names = loaded.map(({ name }) => name).join(', ');
	return resultText(callResult.result) === '' ? { ...others, result: textResult(`Found ${names}.`) } : others;
}
