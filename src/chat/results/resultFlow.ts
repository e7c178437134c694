import { weakMemo } from '../../common/memo.ts';
import { visible } from '../../common/text.ts';
import { resultText, type ToolResult, textResult } from '../../discovery/catalog/tool.ts';
import type { DiscoverySession } from '../../discovery/session/discoverySession.ts';
import type { LogEntry } from '../../discovery/session/logEntry.ts';
import { wordsOf } from '../../models/answerParts.ts';

/** A piece of a call's arguments that a result of another server contains word for word. */
export interface FlowedText {
	readonly server: string;
	/** The beginning of the piece on one line; a server's text. */
	readonly excerpt: string;
	/** Its place in the arguments: `files[2].content`. */
	readonly path: string;
}

/** Characters that one chat keeps of all results, and of one result. */
const keptCharacters = 4_000_000;
const keptOfResult = 1_000_000;

/** White space, line ends in JSON, quotation marks, brackets, emphasis, and punctuation between words. */
export const gaps = /(?:\\[nrt"\\]|[\s"'`“”‘’«»()[\]{}<>*|,;!?]|[.:](?=[\s"'”’)\]}<*]|$))+/g;

/** Normalises a text for comparison: each gap becomes one blank. One letter becomes two in lower case, which would shift everything after it. */
export function foldText(seen: string): string {
	return seen.replace(gaps, ' ').replaceAll('\u0130', 'I').toLowerCase();
}

const escapes =
	/\\u([0-9a-f]{4})|&#x([0-9a-f]{1,4});|%([2-7][0-9a-f])|&#(\d{1,5});|\\([/\\])|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Undoes the escapes of JSON, HTML and addresses: models do so, too, when they pass text on. */
export function unescaped(text: string): string {
	return text.replace(escapes, (_, json, hex, percent, decimal, slash, entity) => {
		const code = json ?? hex ?? percent;
		if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
		if (decimal !== undefined) return String.fromCharCode(Number(decimal));
		return slash ?? entities[entity.toLowerCase()];
	});
}

/** A server's text, folded in advance and not before each call. */
export interface ServerText {
	readonly server: string;
	readonly text: string;
}

/** Remembers which text of one chat came from which server; `flowsInto` finds it in a call. */
export class ResultFlow {
	/** Oldest first. */
	#kept: ServerText[] = [];
	#characters = 0;

	get kept(): readonly ServerText[] {
		return this.#kept;
	}

	/** Adds a server's result; drops the oldest ones beyond the limit. */
	keep(server: string, result: ToolResult): void {
		// Placeholders for pictures are our own words.
		const content = result.content.filter(({ type }) => type === 'text');
		const said = resultText({ ...result, content }).slice(0, keptOfResult);
		const text = foldText(visible(unescaped(said)));
		if (text.trim() === '') return;
		this.#kept.push({ server, text });
		this.#characters += text.length;
		let gone = 0;
		while (this.#characters > keptCharacters) this.#characters -= this.#kept[gone++]?.text.length ?? 0;
		if (gone > 0) this.#kept = this.#kept.slice(gone);
	}
}

/** The flow check of a chat. It starts from the log, and later trimming of the log does not affect it. */
export const flowOf = weakMemo(({ log }: DiscoverySession): ResultFlow => {
	const flow = new ResultFlow();
	for (const { servers, result } of sourcedTexts(log.entries))
		for (const server of servers) flow.keep(server, result);
	return flow;
});

/** All texts of servers in a log, also those for agents: results of calls and pages of them, resources, prompts and agents' reports. */
export function* sourcedTexts(
	log: readonly LogEntry[],
): Generator<{ readonly servers: readonly string[]; readonly result: ToolResult }> {
	for (const entry of log) {
		const messages =
			entry.kind === 'message' ? [entry.message] : entry.kind === 'agent' ? entry.messages : [];
		for (const message of messages) {
			const { from } = entry.kind === 'message' ? entry : {};
			if (message.role !== 'tool') {
				if (from !== undefined) yield { servers: [from], result: textResult(wordsOf(message)) };
				continue;
			}
			for (const { result, from: servers } of message.results) if (servers) yield { servers, result };
		}
	}
}
