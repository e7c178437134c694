import { isRecord } from '../../discovery/record.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { searchToolsName } from '../../discovery/syntheticTool.ts';
import { errorResult, resultText, type ToolResult } from '../../discovery/toolResult.ts';
import type { ChatMessage } from '../chatModel.ts';
import { kindOf, readLiterals } from './literals.ts';
import { type Parameter, Slot } from './parameters.ts';
import { deedOf, deedOfTool, isQuestion, splitName, stemsOf } from './words.ts';

type Input = Readonly<Record<string, unknown>>;

/** A call that was made, with what came of it. */
export interface Done {
	readonly wireName: string;
	readonly input: Input;
	readonly result: ToolResult;
}

/** One thing to do: it becomes a search, and a call. */
export interface Step {
	/** The user's words, with the answers to questions about it behind them. */
	readonly text: string;
	/** The tool that a question was about. */
	readonly wireName?: string;
	/** The answers alone, oldest first. */
	readonly answers: readonly string[];
}

/** What the user wants, and how far that has come. */
export interface Task {
	readonly steps: readonly Step[];
	/** Calls of servers' tools, one for each step that was tried. */
	readonly done: readonly Done[];
	/** Calls of them that this turn has made. */
	readonly doneNow: number;
	/** What the step under way has searched for. */
	readonly searches: readonly Readonly<Record<string, unknown>>[];
	/** The call before the first step, of an earlier request. */
	readonly earlier?: Done;
	/** The message only says to go on. */
	readonly continues: boolean;
}

/** What the user has said last, what was done for it, and the conversation before. */
export interface Turn {
	readonly prompt: string;
	/** In the order in which the calls were made; a search has no `result` of interest. */
	readonly calls: readonly Done[];
	/** Calls since the message, or since the user said to go on. */
	readonly callsNow: number;
	readonly before: readonly ChatMessage[];
	readonly continues: boolean;
	/** It goes on with nothing. */
	readonly isEmpty: boolean;
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
	const asked = users.findLast(({ text }) => !isGoOn(text)) ?? last;
	const calls = callsIn(messages.slice(asked.at + 1));
	return {
		prompt: asked.text,
		calls,
		callsNow: callsIn(messages.slice(last.at + 1)).filter(isServers).length,
		before: messages.slice(0, asked.at),
		continues: isGoOn(last.text),
		isEmpty: isGoOn(asked.text),
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

/** The steps and how far they have come. What failed or was declined is tried again where the user says to go on. */
export function taskOf(steps: readonly Step[], turn: Turn): Task {
	const { calls, callsNow, continues } = turn;
	const servers = calls.filter(isServers);
	const before = servers.slice(0, servers.length - callsNow);
	const kept = continues && before.at(-1)?.result.isError ? before.slice(0, -1) : before;
	const lastCall = calls.findLastIndex(isServers);
	const searches = calls.slice(lastCall + 1).map(({ input }) => input);
	const earlier = callsIn(turn.before).findLast((call) => isServers(call) && !call.result.isError);
	return {
		steps,
		done: [...kept, ...servers.slice(servers.length - callsNow)],
		doneNow: callsNow,
		searches,
		...(earlier && { earlier }),
		continues,
	};
}

const stepBreak =
	/[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards)[,:]?\s+|(?:\s*[,;.])?\s+and\s+(?:also\s+)?|\s*[;,]\s+/giu;
const question = /^(?:(?:please|finally|also)\s+)*(?:git|is|are)\b/i;

/** Splits "do this and then that" into steps, in the order in which they are to be done. Values are not looked into. */
export function splitSteps(prompt: string): readonly Step[] {
	return inOrder(prompt)
		.flatMap(split)
		.map((text) => ({ text, answers: [] }));
}

function split(prompt: string): readonly string[] {
	const values = readLiterals(prompt, new Date(0)).filter(
		({ kind }) => kind !== 'word' && kind !== 'subject' && kind !== 'result',
	);
	const texts: string[] = [];
	let at = 0;
	for (const match of prompt.matchAll(stepBreak)) {
		const isThen = /then|after/i.test(match[0]);
		const rest = prompt.slice(match.index + match[0].length);
		const isInside = values.some(
			({ kind, start, end }) => match.index >= start && match.index < end && !(isThen && kind === 'text'),
		);
		const part = prompt.slice(at, match.index);
		if (isInside || !beginsRequest(rest, isThen) || tokenize(part).length < 2) continue;
		texts.push(part);
		at = match.index + match[0].length;
	}
	texts.push(prompt.slice(at));
	return texts
		.map((text) => text.replace(/^\s*(?:first|and)[,\s]+/i, '').trim())
		.filter((text) => tokenize(text).length > 0);
}

/** "Then" announces a request; "and" only does before a verb and what it is done to. */
function beginsRequest(text: string, isThen: boolean): boolean {
	const [first = '', second] = tokenize(text.replace(/^(?:please|finally|also)\s+/i, '').slice(0, 200));
	const isVerb = deedOf(first) !== undefined && !isQuestion(first);
	return isThen ? isVerb || isQuestion(first) || question.test(text) : isVerb && second !== undefined;
}

/** "Before you do this, do that" and "do this after that" are done in the order of time. */
function inOrder(text: string): readonly string[] {
	const values = readLiterals(text, new Date(0)).filter(
		({ kind }) => kind === 'quoted' || kind === 'text' || kind === 'json',
	);
	const isValue = (word: RegExp) => values.some(({ start, end }) => word.test(text.slice(start, end)));
	if (isValue(/\b(?:before|after)\b/i)) return [text];
	const leading = /^(before|after)\s+(?:you\s+)?(.+?),\s+(.+)$/is.exec(text);
	const trailing = /^(.+?)\s+(before|after)\s+you\s+(.+)$/is.exec(text);
	const [word, first, second] = leading
		? [leading[1], leading[2], leading[3]]
		: [trailing?.[2] === 'after' ? 'before' : 'after', trailing?.[1], trailing?.[3]];
	if (first === undefined || second === undefined) return [text];
	return word?.toLowerCase() === 'before' ? [second, first] : [first, second];
}

/** The path of a file in a folder. */
export function joined(folder: string, name: string): string {
	return `${folder.replace(/[\\/]+$/, '')}/${name}`;
}

/** What a call answered, as text. */
export function textOf({ result }: Done): string {
	return resultText(result);
}

/** The place that a call was about: where something came to, else where it was. */
export function placeOf({ input }: Done): string | undefined {
	const slots = Object.keys(input).map((name) => ({ name, stems: stemsOf(name) }));
	const rank = (stems: readonly string[]) =>
		['destin', 'filepath', 'file', 'path', 'directori', 'folder'].findIndex((word) => stems.includes(word));
	const places = slots.filter(({ stems }) => rank(stems) >= 0).sort((a, b) => rank(a.stems) - rank(b.stems));
	const value = places.map(({ name }) => input[name]).find((one) => typeof one === 'string');
	return typeof value === 'string' ? value : undefined;
}

/** The folder that a call has created, if it did. */
export function madeFolder(done: Done): string | undefined {
	const name = splitName(done.wireName).name;
	return /director|folder/i.test(name) && deedOfTool({ name, description: '' }) === 'make'
		? placeOf(done)
		: undefined;
}

/** What "it" and "them" mean for a parameter: what the call before was about, or what came of it. */
export function referred(
	before: Done,
	parameter: Parameter,
	isPlace: boolean,
	isText: boolean,
	isList: boolean,
): readonly string[] {
	const place = placeOf(before);
	if (isPlace) {
		const listed = isList && place !== undefined ? pathsIn(textOf(before), place) : [];
		return listed.length > 0 ? listed : place === undefined ? [] : [place];
	}
	const { input } = before;
	if (isText) {
		const written = Object.entries(input).find(([name]) => new Slot({ name } as Parameter).is('text'))?.[1];
		return [typeof written === 'string' ? written : textOf(before)];
	}
	const parsed = parsedResult(before);
	const own = [input[parameter.name], parsed?.[parameter.name], parsed?.id].find((one) =>
		['string', 'number'].includes(typeof one),
	);
	if (own !== undefined) return [String(own)];
	// A branch, a customer, a channel: what the call before was given, the folder that it was made in aside.
	const nouns = stemsOf(parameter.name);
	const values = Object.entries(input).filter(
		([name, value]) => typeof value === 'string' && !/^(?:path|mode|action|operation)$/i.test(name),
	);
	const named = values.find(([name]) => stemsOf(name).some((word) => nouns.includes(word))) ?? values[0];
	return typeof named?.[1] === 'string' ? [named[1]] : [];
}

function parsedResult(done: Done): Input | undefined {
	try {
		const value: unknown = JSON.parse(textOf(done));
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The files that a result names, one a line at most; in the folder that was looked at. */
function pathsIn(text: string, folder: string): readonly string[] {
	return text.split('\n').flatMap((line) => {
		const name = line.split(/\s+/).findLast((word) => kindOf(word) === 'path');
		if (name === undefined || !/\.\w+$/.test(name)) return [];
		return [/[\\/]/.test(name) ? name : joined(folder, name)];
	});
}
