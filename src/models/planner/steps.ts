import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import type { ToolResult } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { answeredCalls, missingResult } from '../callIds.ts';
import { readValues } from './values.ts';

/** A finished call with its result. */
export interface Done {
	readonly wireName: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly result: ToolResult;
}

/** The newest request of a conversation, and its progress. */
export interface Task {
	/** Things to do: each becomes a search and a call. */
	readonly steps: readonly string[];
	/** The current step. */
	readonly at: number;
	/** The finished calls of this request, after the last call of an earlier one. */
	readonly done: readonly Done[];
	/** The failed call of the current step. */
	readonly failed?: Done;
	/** Calls since the last message, with their steps. */
	readonly now: readonly { readonly step: number; readonly done: Done }[];
	/** Whether the current step was searched for since the last message. */
	readonly searched: boolean;
	/** Whether the planner has not said anything yet. */
	readonly isFirst: boolean;
}

const goOn = /^(?:please )?(?:continue|go on|carry on|keep going|proceed|resume)(?: please)?$/i;
const skip = /^(?:please )?skip(?: (?:it|this|that|the step|this step))?$/i;

/** Reads a conversation from its beginning and returns its newest request. */
export function newestTask(messages: readonly ChatMessage[], continueLabel: string): Task {
	let task: Task = { steps: [], at: 0, done: [], now: [], searched: false, isFirst: true };
	for (const [at, message] of messages.entries()) {
		if (message.role === 'user') task = heard(task, message.text, continueLabel);
		if (message.role !== 'assistant') continue;
		if (message.parts.some(({ type }) => type === 'text')) task = { ...task, isFirst: false };
		for (const { call, result = missingResult(call) } of answeredCalls(messages, at)) {
			task = called(task, { wireName: call.name, input: call.input, result: result.result });
		}
	}
	return task;
}

function heard(task: Task, text: string, continueLabel: string): Task {
	const said = text.trim().replace(/[.!]+$/, '');
	const isSame = said.toLowerCase() === continueLabel.toLowerCase() || goOn.test(said);
	const next = { ...task, now: [], searched: false };
	if (isSame) return next;
	const { failed, ...rest } = next;
	return skip.test(said)
		? { ...rest, at: Math.min(task.at + 1, task.steps.length) }
		: { ...rest, steps: splitSteps(text), at: 0, done: task.done.slice(-1) };
}

function called(task: Task, done: Done): Task {
	if (done.wireName === searchToolsName) return { ...task, searched: true };
	const next = { ...task, searched: false, now: [...task.now, { step: task.at, done }] };
	if (done.result.isError) return { ...next, failed: done };
	return { ...next, at: task.at + 1, done: [...task.done, done] };
}

const between = /(?<![\s,;.])[\s,;.]+(?:and\s+)?(?:then|after\s+that|afterwards|finally)[,:]?\s+/giu;
const betweenItems = new RegExp(`${between.source}|\\n\\s*`, between.flags);
/** The marker of a list item. */
const mark = /^\s*(?:\d{1,2}[.)]|[-*•])\s+/;

/** Splits "do this, then that", and a list of requests, into steps. Values are never split. */
export function splitSteps(prompt: string): readonly string[] {
	const hidden = withoutValues(prompt);
	const isList = hidden.split('\n').every((line) => line.trim() === '' || mark.test(line));
	const ends = [...hidden.matchAll(isList ? betweenItems : between)];
	return [0, ...ends.map(({ 0: { length }, index }) => index + length)]
		.map((start, i) => prompt.slice(start, ends[i]?.index).replace(mark, '').trim())
		.map((text) => text.replace(/^(?:first|then|finally)[,\s]+/i, ''))
		.filter((text) => tokenize(text).length > 0);
}

/** A text of the same length, with `x` in place of values that may have blanks or full stops. */
function withoutValues(text: string): string {
	let hidden = '';
	for (const { kind, start, end } of readValues(text)) {
		if (!['word', 'number', 'it', 'result'].includes(kind))
			hidden += text.slice(hidden.length, start) + 'x'.repeat(end - start);
	}
	return hidden + text.slice(hidden.length);
}
