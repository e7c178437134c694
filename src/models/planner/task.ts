import { isRecord } from '../../discovery/record.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { searchToolsName } from '../../discovery/syntheticTool.ts';
import { errorResult, resultText, type ToolResult } from '../../discovery/toolResult.ts';
import type { ChatMessage } from '../chatModel.ts';
import { kindOf, type Literal, type LiteralKind, parseJson, readLiterals } from './literals.ts';
import { type Coerced, coerce, type Slot } from './parameters.ts';
import { deedOf, deedOfTool, hasRole, isQuestion, splitName, stemsOf } from './words.ts';

type Input = Readonly<Record<string, unknown>>;

/** A call that was made, with what came of it. */
export interface Done {
	readonly wireName: string;
	readonly input: Input;
	readonly result: ToolResult;
}

/** One thing to do: it becomes a search, and a call. */
export interface Step {
	readonly text: string;
	/** The tool that a question was about. */
	readonly wireName?: string;
	/** What the user has answered to questions about it, oldest first. */
	readonly answers: readonly string[];
}

/** What the user wants, and how far that has come. */
export interface Task {
	readonly steps: readonly Step[];
	/** Calls of servers' tools, one for each step that was tried. */
	readonly done: readonly Done[];
	/** How many of them this turn has made. */
	readonly doneNow: number;
	/** What the step under way has searched for. */
	readonly searches: readonly Input[];
	/** The last call of an earlier request that did not fail. */
	readonly earlier?: Done;
}

/** What the user has said last, what was done for it, and the conversation before. */
export interface Turn {
	readonly prompt: string;
	/** In the order in which the calls were made, searches among them. */
	readonly calls: readonly Done[];
	/** Calls of servers' tools since the message, or since the user said to go on. */
	readonly callsNow: number;
	readonly before: readonly ChatMessage[];
	/** The newest message only says to go on; `nothing`: and there is none that it goes on with. */
	readonly continues: boolean | 'nothing';
}

const goOn = /^\s*(?:please\s+)?(?:continue|go on|carry on|keep going|proceed|resume)(?:\s+please)?[.!\s]*$/i;

/** The newest turn. A message that only says to go on is part of the turn that it goes on with. `undefined`: nobody has said anything. */
export function newestTurn(messages: readonly ChatMessage[], continueLabel: string): Turn | undefined {
	const isGoOn = (text: string) =>
		goOn.test(text) || text.trim().toLowerCase() === continueLabel.toLowerCase();
	const users = messages.flatMap((message, at) =>
		message.role === 'user' ? [{ at, text: message.text }] : [],
	);
	const last = users.at(-1);
	if (!last) return undefined;
	const asked = users.findLast(({ text }) => !isGoOn(text));
	const { at, text } = asked ?? last;
	return {
		prompt: text,
		calls: callsIn(messages.slice(at + 1)),
		callsNow: callsIn(messages.slice(last.at + 1)).filter(isServers).length,
		before: messages.slice(0, at),
		continues: asked ? asked !== last : 'nothing',
	};
}

/** Calls with their answers; one that nobody answered has failed. */
function callsIn(messages: readonly ChatMessage[]): readonly Done[] {
	const results = new Map(
		messages.flatMap((entry) =>
			entry.role === 'tool' ? entry.results.map(({ callId, result }) => [callId, result] as const) : [],
		),
	);
	return messages.flatMap((entry) =>
		entry.role === 'assistant'
			? entry.toolCalls.map(({ id, name, input }) => ({
					wireName: name,
					input,
					result: results.get(id) ?? errorResult('The call was not answered.'),
				}))
			: [],
	);
}

function isServers({ wireName }: Done): boolean {
	return wireName !== searchToolsName;
}

/** The steps and how far they have come, of which `done` was before this turn. What failed is tried again where the user says to go on. */
export function taskOf(steps: readonly Step[], turn: Turn, done: readonly Done[] = []): Task {
	const { calls, callsNow, continues } = turn;
	const servers = calls.filter(isServers);
	const before = servers.slice(0, servers.length - callsNow);
	const kept = continues && before.at(-1)?.result.isError ? before.slice(0, -1) : before;
	const earlier = callsIn(turn.before).findLast((call) => isServers(call) && !call.result.isError);
	return {
		steps,
		done: [...done, ...kept, ...servers.slice(servers.length - callsNow)],
		doneNow: callsNow,
		searches: calls.slice(calls.findLastIndex(isServers) + 1).map(({ input }) => input),
		...(earlier && { earlier }),
	};
}

const thenBreak = /[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards)[,:]?\s+/giu;
const andBreak = /(?:\s*[,;.])?\s+and\s+(?:also\s+)?|\s*[;,]\s+/giu;
const asked = /^(?:(?:please|finally|also)\s+)*(?:git|is|are)\b/i;

/** Splits "do this and then that" into steps, in the order in which they are to be done. Values are not looked into, but "then" ends a text. */
export function splitSteps(prompt: string): readonly Step[] {
	return inOrder(prompt)
		.flatMap((text) => split(text, thenBreak, ['text']))
		.flatMap((text) => split(text, andBreak))
		.map((text) => ({ text: text.replace(/^\s*(?:first|and)[,\s]+/i, '').trim(), answers: [] }))
		.filter(({ text }) => tokenize(text).length > 0);
}

function split(text: string, breaks: RegExp, open: readonly LiteralKind[] = []): readonly string[] {
	const texts: string[] = [];
	let at = 0;
	for (const { 0: found, index } of masked(text, open).matchAll(breaks)) {
		const end = index + found.length;
		if (!beginsRequest(text.slice(end), breaks === thenBreak) || tokenize(text.slice(at, index)).length < 2)
			continue;
		texts.push(text.slice(at, index));
		at = end;
	}
	return [...texts, text.slice(at)];
}

/** A text of the same length in which values stand as `x`. */
function masked(text: string, open: readonly LiteralKind[] = []): string {
	const isOpen = (kind: LiteralKind) => ['word', 'subject', 'result', ...open].includes(kind);
	const values = readLiterals(text, new Date(0)).filter(({ kind }) => !isOpen(kind));
	return values.reduce(
		(hidden, { start, end }) => hidden.slice(0, start) + 'x'.repeat(end - start) + hidden.slice(end),
		text,
	);
}

/** "Then" announces a request; "and" only does before a verb and what it is done to. */
function beginsRequest(text: string, isThen: boolean): boolean {
	const [first = '', second] = tokenize(text.replace(/^(?:please|finally|also)\s+/i, '').slice(0, 200));
	const isVerb = deedOf(first) !== undefined && !isQuestion(first);
	return isThen ? isVerb || isQuestion(first) || asked.test(text) : isVerb && second !== undefined;
}

/** "Before you do this, do that" and "do this after you do that" in the order of time. */
function inOrder(text: string): readonly string[] {
	const hidden = masked(text);
	const leading = /^(before|after)\s+(?:you\s+)?(.+?),\s+(.+)$/dis.exec(hidden);
	const trailing = /^(.+?)\s+(before|after)\s+you\s+(.+)$/dis.exec(hidden);
	const [word, ...places] = leading
		? [leading[1], leading.indices?.[2], leading.indices?.[3]]
		: [trailing?.[2], trailing?.indices?.[1], trailing?.indices?.[3]];
	if (word === undefined) return [text];
	const parts = places.map((place) => text.slice(place?.[0], place?.[1]));
	const isReversed = (word.toLowerCase() === 'before') === (leading !== null);
	return isReversed ? parts.reverse() : parts;
}

/** The path of a file in a folder. */
export function joined(folder: string, name: string): string {
	return `${folder.replace(/[\\/]+$/, '')}/${name}`;
}

/** What a call answered, as text. */
function textOf({ result }: Done): string {
	return resultText(result);
}

/** The place that a call was about: where something came to, else where it was. */
function placeOf({ input }: Done): string | undefined {
	const values = Object.entries(input).filter(([, value]) => typeof value === 'string');
	const places = ['destin', 'filepath', 'file', 'path', 'directori', 'folder'].map((word) =>
		values.find(([name]) => stemsOf(name).includes(word)),
	);
	const value = places.find((place) => place !== undefined)?.[1];
	return typeof value === 'string' ? value : undefined;
}

/** The folder that a call has created, if it did. */
export function madeFolder(done: Done): string | undefined {
	const { name } = splitName(done.wireName);
	const makes = deedOfTool({ name, description: '' }) === 'make';
	return makes && /director|folder/i.test(name) ? placeOf(done) : undefined;
}

/** What a step's values are taken from. */
export interface Sources {
	readonly text: string;
	readonly literals: readonly Literal[];
	/** The call before; what "it" and "the result" mean. */
	readonly before?: Done;
	/** Whether that call was made for the same request, so that what it created is where this one goes on. */
	readonly isNext: boolean;
	readonly workspaceFolder?: string;
}

/** A value as the parameter takes it. One that stands alone is one item of a list, whatever commas it holds; `names=a,b` is a list. */
export function valueFor(literal: Literal, slot: Slot, sources: Sources): Coerced | undefined {
	const { parameter, isList } = slot;
	const texts = textsOf(literal, slot, sources);
	if (!isList || literal.key !== undefined || literal.kind === 'json')
		return texts[0] === undefined ? undefined : coerce(texts[0], parameter);
	const items = texts.flatMap((text) => coerce(text, parameter.items ?? { types: ['string'] }) ?? []);
	return items.length > 0 ? { value: items.map(({ value }) => value) } : undefined;
}

/** The text of a value; of one that refers to something else, what is meant there. */
function textsOf(
	{ kind, text }: Literal,
	slot: Slot,
	{ before, workspaceFolder }: Sources,
): readonly string[] {
	if (kind === 'here') return workspaceFolder === undefined ? [] : [workspaceFolder];
	if (kind === 'result') return before ? [textOf(before)] : [];
	if (kind !== 'subject') return [text];
	// Several things are for what takes several.
	const isTooMany = /^them$/i.test(text) && slot.is('place') && !slot.isList;
	return before && !isTooMany ? referred(before, slot) : [];
}

/** What "it" and "them" mean for a parameter: what the call before was about, or what came of it. */
function referred(before: Done, slot: Slot): readonly string[] {
	const { input } = before;
	if (slot.is('place')) {
		const place = placeOf(before);
		const files = slot.isList && place !== undefined ? pathsIn(textOf(before), place) : [];
		return files.length > 0 || place === undefined ? files : [place];
	}
	const texts = Object.entries(input).flatMap(([name, value]) =>
		typeof value === 'string' ? [{ name, value }] : [],
	);
	if (slot.is('text')) return [texts.find(({ name }) => hasRole(name, 'text'))?.value ?? textOf(before)];
	const answer = parseJson(textOf(before));
	const { id, [slot.name]: same } = isRecord(answer) ? answer : {};
	const own = [input[slot.name], same, id].find((one) => typeof one === 'string' || typeof one === 'number');
	if (own !== undefined) return [String(own)];
	// A branch, a customer, a channel: what the call before was given, the folder that it was made in aside.
	const given = texts.filter(({ name }) => !/^(?:path|mode|action|operation)$/i.test(name));
	const named = given.find(({ name }) => stemsOf(name).some((word) => slot.stems.includes(word))) ?? given[0];
	return named ? [named.value] : [];
}

/** The files that a result names, one a line at most; in the folder that was looked at. */
function pathsIn(text: string, folder: string): readonly string[] {
	return text.split('\n').flatMap((line) => {
		const name = line.split(/\s+/).findLast((word) => kindOf(word) === 'path');
		if (name === undefined || !/\.\w+$/.test(name)) return [];
		return [/[\\/]/.test(name) ? name : joined(folder, name)];
	});
}
