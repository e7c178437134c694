import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import { answerText, type ToolResult } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { answeredCalls, missingResult } from '../callIds.ts';
import { type Literal, readLiterals, stepEnds } from './literals.ts';
import { isEmpty, isVerb } from './words.ts';

/** A finished call with its result. */
export interface Done {
	readonly wireName: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly result: ToolResult;
}

/** One thing to do: it becomes a search and a call. */
export interface Step {
	readonly text: string;
	/** Its values, including those that the user gave later. */
	readonly literals: readonly Literal[];
}

/** The last message: a request, values for the waiting step, or what to do about it. */
type MessageKind = 'request' | 'values' | 'continue' | 'skip' | 'retry' | 'cancel';

/** The newest request of a conversation, and its progress. */
export interface Task {
	readonly said: MessageKind;
	readonly steps: readonly Step[];
	/** The current step. */
	readonly at: number;
	/** The finished calls of this request, and the last call of an earlier one. */
	readonly done: readonly Done[];
	readonly earlier?: Done;
	/** The failed call of the current step. */
	readonly failed?: Done;
	/** Calls since the last message, with their steps. */
	readonly now: readonly { readonly step: number; readonly done: Done }[];
	/** Whether the current step was searched for since the last message. */
	readonly searched: boolean;
	/** Whether the planner has not said anything yet. */
	readonly isFirst: boolean;
}

const spoken: readonly (readonly [MessageKind, RegExp])[] = [
	['continue', /^(?:please )?(?:continue|go on|carry on|keep going|proceed|resume)(?: please)?$/i],
	['skip', /^skip(?: (?:it|this|that|the step|this step))?$/i],
	['retry', /^(?:retry|try again|again)$/i],
	['cancel', /^(?:cancel|never ?mind|stop|forget it|no|abort|quit)$/i],
];

/** Reads a conversation from its beginning and returns its newest request. */
export function newestTask(messages: readonly ChatMessage[], continueLabel: string, now: Date): Task {
	let task: Task = { said: 'request', steps: [], at: 0, done: [], now: [], searched: false, isFirst: true };
	for (const [at, message] of messages.entries()) {
		if (message.role === 'user') task = heard(task, message.text, continueLabel, now);
		if (message.role !== 'assistant') continue;
		if (message.parts.some(({ type }) => type === 'text')) task = { ...task, isFirst: false };
		for (const { call, result = missingResult(call) } of answeredCalls(messages, at)) {
			task = called(task, { wireName: call.name, input: call.input, result: result.result });
		}
	}
	return task;
}

function heard(task: Task, text: string, continueLabel: string, now: Date): Task {
	const plain = text.trim().replace(/[.!]+$/, '');
	const isLabel = plain.toLowerCase() === continueLabel.toLowerCase();
	const said = isLabel ? 'continue' : (spoken.find(([, form]) => form.test(plain))?.[0] ?? 'request');
	const { failed: _failed, ...rest } = task;
	const next: Task = { ...rest, said, now: [], searched: false };
	const step = task.steps[task.at];
	switch (said) {
		case 'skip':
			return { ...next, at: Math.min(task.at + 1, task.steps.length) };
		case 'cancel':
			return { ...next, at: task.steps.length };
		case 'continue':
			return { ...next, ...(task.failed && { failed: task.failed }) };
		case 'retry':
			return next;
	}
	if (step && isOnlyValues(text)) {
		// Their positions are after the request, where no word of it is.
		const said = readLiterals(' '.repeat(step.text.length) + text, now);
		const values = said.filter(({ kind, key }) => kind !== 'word' || key !== undefined);
		const isReplaced = ({ key }: Literal) => key !== undefined && values.some((value) => value.key === key);
		const literals = [...step.literals.filter((literal) => !isReplaced(literal)), ...values];
		return { ...next, said: 'values', steps: task.steps.with(task.at, { ...step, literals }) };
	}
	const earlier = task.done.at(-1) ?? task.earlier;
	return { ...next, steps: splitSteps(text, now), at: 0, done: [], ...(earlier && { earlier }) };
}

function called(task: Task, done: Done): Task {
	if (done.wireName === searchToolsName) return { ...task, searched: true };
	const next = { ...task, searched: false, now: [...task.now, { step: task.at, done }] };
	if (done.result.isError) return { ...next, failed: done };
	return { ...next, at: task.at + 1, done: [...task.done, done] };
}

/** Whether a message contains only values: `"Hello"`, `owner=octo repo=hello`. */
function isOnlyValues(text: string): boolean {
	const literals = readLiterals(text, new Date(0));
	const words = literals.filter(({ kind, key }) => kind === 'word' && key === undefined);
	return (
		literals.length > words.length && words.every(({ text: word }) => isEmpty(word.toLowerCase(), false))
	);
}

/** Splits "do this and then that", and a list of requests, into steps. Values are never split. */
export function splitSteps(prompt: string, now: Date): readonly Step[] {
	return listedRequests(prompt)
		.flatMap((request) => {
			const ends = [...stepEnds(withoutValues(request))];
			return [0, ...ends.map(({ next }) => next)].map((start, i) => request.slice(start, ends[i]?.end));
		})
		.map((text) => text.replace(/^\s*(?:first|then|finally)[,\s]+/i, '').trim())
		.filter((text) => tokenize(text).length > 0)
		.map((text) => ({ text, literals: readLiterals(text, now) }));
}

/** The marker of a list item, at the beginning of its line. */
const itemMark = /^[ \t]*(\d{1,2}(?=[.)])|[-*•])[.)]?[ \t]+(?=\S)/gm;
/** Text before a list that is not a request itself. */
const aboveList =
	/^\s*(?:(?:please|do|run|perform|the|these|all|following|steps?|things|tasks|this|in|order|for|me|now)\b[,\s]*)*:?\s*$/i;

/** The items of a list, if each of them is a request and the text before it is not. Any other list (`- milk`) belongs to its request. */
function listedRequests(prompt: string): readonly string[] {
	const hidden = withoutValues(prompt, (kind) => kind === 'quoted');
	const marks = [...prompt.matchAll(itemMark)].filter(
		({ index }) => index === 0 || hidden[index - 1] === '\n',
	);
	const items = marks.map(({ 0: mark, index }, i) => prompt.slice(index + mark.length, marks[i + 1]?.index));
	const isRequest = (item: string) => {
		const [verb = '', object] = tokenize(item.replace(/^\s*(?:please|first|then|finally)[,\s]+/i, ''));
		return object !== undefined && isVerb(verb);
	};
	const isAlone = items.length > 1 && aboveList.test(prompt.slice(0, marks[0]?.index));
	return isAlone && items.every(isRequest) ? items : [prompt];
}

/** A text of the same length with its values replaced by `x`. */
function withoutValues(
	text: string,
	isHidden = (kind: Literal['kind']) => kind !== 'word' && kind !== 'subject' && kind !== 'result',
): string {
	let hidden = '';
	let from = 0;
	for (const { kind, start, end } of readLiterals(text, new Date(0))) {
		if (!isHidden(kind)) continue;
		hidden += text.slice(from, start) + 'x'.repeat(end - start);
		from = end;
	}
	return hidden + text.slice(from);
}

/** The text that a call returned, without our additions for the model. */
export function resultOf({ result }: Done): string {
	return answerText(result);
}
