import type { ChatMessage } from '../../discovery/catalog/message.ts';
import { callToolName, lookingToolNames, searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { callsOf } from '../answerParts.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import * as texts from './answers.ts';
import { choose, queryOf, serverFor, type UnavailableServer } from './choose.ts';
import { offlinePlannerDescription } from './description.ts';
import { type Filling, fill, type Sources } from './fill.ts';
import { type Literal, readLiterals } from './literals.ts';
import type { Parameter } from './parameters.ts';
import { isConditional, isOutOfOrder, newestTask, type Step, saidInWords, type Task } from './task.ts';
import { deedOf, splitName } from './words.ts';

/** What the planner knows beside the conversation. */
export interface Surroundings {
	/** The folder that is open, as an absolute path. */
	readonly workspaceFolder?: string;
	/** Servers of the configuration that cannot be called. */
	readonly unavailable: readonly UnavailableServer[];
	/** What "last week" is counted from. */
	readonly now: Date;
	/** What the button that goes on says in the user's name. */
	readonly continueLabel: string;
}

/** What the planner does next. */
export type Decision =
	| { readonly kind: 'call'; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
	/** Asks for values of a tool, for the next step of the task. */
	| {
			readonly kind: 'ask';
			readonly tool: ToolDefinition;
			readonly missing: readonly Parameter[];
			readonly task: Task;
			readonly text: string;
	  }
	| { readonly kind: 'refuse'; readonly text: string }
	| { readonly kind: 'report'; readonly text: string };

/**
 * A chat model of fixed rules, without any AI: a request becomes steps, each step a search; of the tools that are loaded then it takes
 * the one whose values are known, calls it, and shows what came back; or asks for what is missing, or says what it cannot do. It keeps
 * nothing between calls; the conversation is all it knows. Nothing is billed, so there are no usage events.
 */
export class OfflinePlanner implements ChatModel {
	readonly id = offlinePlannerDescription.id;
	readonly name = offlinePlannerDescription.name;
	readonly maxTools: number | undefined;
	readonly maxInputTokens = undefined;
	readonly isByRules = true;
	/** Its rules look for tools among those that it is given. */
	readonly loadings = ['append'] as const;
	readonly #surroundings: () => Surroundings;

	/** `maxTools`: most that whoever calls it passes on. */
	constructor(surroundings: () => Surroundings, maxTools?: number) {
		this.#surroundings = surroundings;
		this.maxTools = maxTools;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		if (signal.aborted) return;
		const decision = decide(request, this.#surroundings());
		if (decision.kind === 'call') {
			const { name, input } = decision;
			yield { type: 'toolCall', call: { id: nextCallId(request.messages), name, input } };
			return;
		}
		for (const text of decision.text.match(/[^\n]*\n+|[^\n]+/g) ?? []) {
			if (signal.aborted) return;
			yield { type: 'text', text };
		}
	}
}

/** An id that no call of the conversation has: `planner-1`, `planner-2`, … */
function nextCallId(messages: readonly ChatMessage[]): string {
	const ids = new Set(
		messages.flatMap((entry) => (entry.role === 'assistant' ? callsOf(entry.parts).map(({ id }) => id) : [])),
	);
	let number = ids.size + 1;
	while (ids.has(`planner-${number}`)) number++;
	return `planner-${number}`;
}

/** Most steps that one message has done; more go on at the user's word. */
const maxSteps = 10;
/** Questions and answers that are chained to one call before the newest message counts as a new request. */
const maxAnswers = 8;

const cancel = /^\s*(?:cancel|never\s?mind|stop|forget it|no|nothing|abort|quit)[.!\s]*$/i;
const smallTalk =
	/^(?:hi|hello|hey|hallo|moin|greetings|good|morning|afternoon|evening|day|thanks|thank|you|help|yo|test|who|are|what|can|do|ok|okay|great|nice|cool|bye|goodbye|[^\p{L}\p{N}]+)$/iu;

/** The next thing to do, from the conversation alone. */
export function decide(
	{ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>,
	surroundings: Surroundings,
): Decision {
	return new Planner(tools, surroundings).decide(messages);
}

class Planner {
	readonly #tools: readonly ToolDefinition[];
	readonly #hasSearch: boolean;
	readonly #surroundings: Surroundings;

	constructor(tools: readonly ToolDefinition[], surroundings: Surroundings) {
		this.#tools = tools.filter(({ name }) => !lookingToolNames.has(name) && name !== callToolName);
		this.#hasSearch = tools.some(({ name }) => name === searchToolsName);
		this.#surroundings = surroundings;
	}

	/** `answers`: how many messages before the newest may still be answers to one question. */
	decide(messages: readonly ChatMessage[], answers = maxAnswers): Decision {
		const { continueLabel, now } = this.#surroundings;
		const task = newestTask(messages, continueLabel, now);
		if (this.#tools.length === 0 && !this.#hasSearch && !task?.doneNow)
			return { kind: 'refuse', text: texts.noTools };
		const answered = task && answers > 0 ? this.#answered(task, answers - 1) : undefined;
		if (answered === 'cancelled') return { kind: 'report', text: texts.cancelled };
		if (answered) return this.#next(answered);
		// A message may have signs in it and no word, as a lone “❶”: then there is no step.
		if (!task || (!task.continues && (isSmallTalk(task.prompt) || task.steps.length === 0)))
			return { kind: 'report', text: texts.help(this.#tools, this.#hasSearch) };
		if (isConditional(task.prompt)) return { kind: 'refuse', text: texts.conditional };
		if (isOutOfOrder(task.prompt)) return { kind: 'refuse', text: texts.outOfOrder };
		const isDone = task.done.length >= task.steps.length && task.doneNow === 0;
		return task.continues && isDone ? { kind: 'report', text: texts.nothingLeft } : this.#next(task);
	}

	/** The task of a question that the message answers. Whether one was asked shows by deciding once more what to say then. */
	#answered({ prompt, before, ...now }: Task, answers: number): Task | 'cancelled' | undefined {
		const question = before.at(-1);
		if (question?.role !== 'assistant' || callsOf(question.parts).length > 0) return undefined;
		const asked = this.decide(before.slice(0, -1), answers);
		if (asked.kind !== 'ask') return undefined;
		if (cancel.test(prompt)) return 'cancelled';
		const { tool, missing, task } = asked;
		const step = task.steps[task.done.length];
		if (!step || !isAnswer(prompt, tool)) return undefined;
		// Its values stand behind the request; where one is lacking, the answer may be that value as it is.
		const start = step.text.length;
		const text = /^\s*(["'`])([\s\S]*)\1\s*$/.exec(prompt)?.[2] ?? prompt.trim();
		const key = missing[0]?.name ?? '';
		const whole: Literal = { kind: 'quoted', key, text, start, end: start + prompt.length, before: [] };
		const readings = [readLiterals(' '.repeat(start) + prompt, this.#surroundings.now), [whole]];
		const answer = readings
			.slice(0, missing.length === 1 ? 2 : 1)
			.map((values) => ({ ...step, tool, literals: [...step.literals, ...values] }))
			.find((one) => fill(tool, this.#sources(one, task)).missing.length < missing.length);
		if (!answer) return undefined;
		const steps = task.steps.with(task.done.length, answer);
		return { ...now, prompt, before, steps, done: [...task.done, ...now.done] };
	}

	#next(task: Task): Decision {
		const step = task.steps[task.done.length];
		const isStopped = task.doneNow > 0 && task.done.at(-1)?.result.isError === true;
		const next = isStopped || !step || task.doneNow >= maxSteps ? undefined : this.#step(step, task);
		if (next?.kind === 'call') return next;
		return next
			? { ...next, text: texts.summary(task, next.text) }
			: { kind: 'report', text: texts.summary(task) };
	}

	/** One step: the tool that is named or surely meant, else what a search loads; a question only where nothing else is in the way. */
	#step(step: Step, task: Task): Decision {
		const { unavailable } = this.#surroundings;
		const isSearched = !this.#hasSearch || task.searches > 0;
		const sources = this.#sources(step, task);
		const take = (tool: ToolDefinition) => {
			// The tool's own name is none of its values.
			const isValue = ({ text, key }: Literal) => key !== undefined || text !== splitName(tool.name).name;
			const literals = sources.literals.filter(isValue);
			return this.#callOrAsk(tool, fill(tool, { ...sources, literals }), task);
		};
		const named = nameIn(step.text, this.#tools);
		const tool =
			step.tool ?? this.#tools.find(({ name }) => named && name.toLowerCase() === wireNameOf(named));
		if (tool) return take(tool);
		if (named !== undefined) {
			const cause = this.#causeOf(wireNameOf(named));
			if (cause) return { kind: 'refuse', text: texts.cause(cause) };
			if (isSearched) return { kind: 'refuse', text: texts.unknownTool(named) };
			return { kind: 'call', name: searchToolsName, input: { tool_names: [named] } };
		}
		const query = queryOf(sources);
		const { best, nearest } = choose(this.#tools, sources);
		if (!best?.sure && !isSearched) return { kind: 'call', name: searchToolsName, input: { query } };
		const cause = best?.filling.missing.length === 0 ? undefined : serverFor(query, unavailable);
		if (cause) return { kind: 'refuse', text: texts.cause(cause) };
		return best ? take(best.tool) : { kind: 'refuse', text: texts.refusal(query, nearest) };
	}

	#callOrAsk(tool: ToolDefinition, { input, missing, unused }: Filling, task: Task): Decision {
		const cause = this.#causeOf(tool.name);
		if (cause) return { kind: 'refuse', text: texts.cause(cause) };
		const unknown = unused.find(({ key }) => key !== undefined)?.key;
		if (unknown !== undefined) return { kind: 'refuse', text: texts.unknownParameter(tool, unknown) };
		if (missing.length === 0) return { kind: 'call', name: tool.name, input };
		return { kind: 'ask', tool, missing, task, text: texts.question(tool, missing) };
	}

	/** Why a tool cannot be called: a server that has failed still has the tools that it listed. */
	#causeOf(wireName: string): UnavailableServer | undefined {
		const { server } = splitName(wireName);
		return this.#surroundings.unavailable.find(({ name }) => name.toLowerCase() === server.toLowerCase());
	}

	#sources({ text, literals }: Step, { done, earlier }: Task): Sources {
		const { workspaceFolder } = this.#surroundings;
		const before = done.at(-1) ?? earlier;
		return {
			text,
			literals,
			...(before && { before }),
			isNext: done.length > 0,
			...(workspaceFolder !== undefined && { workspaceFolder }),
		};
	}
}

/** What politely stands before a request. */
const leadIn =
	/^\s*(?:(?:then|now|and|also|first|next|just|ok|okay|please|kindly|(?:could|can|would|will) you|i(?: want|['’]d like| would like)(?: you)? to|let us|let['’]s)[\s,]+)+/i;

/** What begins like a request is one, unless it says which value it gives or stands in quotes. */
function isAnswer(text: string, tool: ToolDefinition): boolean {
	if (nameIn(text) !== undefined || isOutOfOrder(text) || isConditional(text)) return false;
	if (/^\s*(?:["“„«`'‘]|[\p{L}_][\w.-]*=)/u.test(text)) return true;
	const [first = '', second] = tokenize(saidInWords(text.trim()).replace(leadIn, ''));
	const isRequest =
		deedOf(first) !== undefined || /\?\s*$/.test(text) || first === splitName(tool.name).server;
	return second === undefined || !isRequest;
}

function isSmallTalk(text: string): boolean {
	const words = text.split(/[\s,.!?]+/).filter(Boolean);
	return words.length <= 6 && words.every((word) => smallTalk.test(word));
}

/** `server:tool` or `server__tool`, whether or not there is such a tool. */
const qualifiedName = /(?<![\w/\\@.:-])[A-Za-z][\w.-]{0,99}(?::|__)[A-Za-z][\w.-]{0,199}\w(?![\w/\\@=(:])/;

/** "use write_file": a tool's own name, whether or not it is loaded. */
const orderedName = /^\s*(?:please\s+)?(?:use|call|invoke)\s+(?:the\s+tool\s+)?([a-z]\w*(?:[_-]\w+)+)/i;

/** The tool that is named outside values: in full, or by its own name where that has several parts and no other has it. */
function nameIn(text: string, tools: readonly ToolDefinition[] = []): string | undefined {
	const outside = text.replace(/"[^"]*"|`[^`]*`|(?<![\w.-])(?:--)?[\p{L}_][\w.-]*=\S+/gu, ' ');
	const words = new Set(outside.toLowerCase().split(/[\s,;()]+/));
	const isCompound = (name: string) => /[_-]|[a-z][A-Z]/.test(name) && words.has(name.toLowerCase());
	const [own, ...others] = tools.filter((tool) => isCompound(splitName(tool.name).name));
	const qualified = qualifiedName.exec(outside)?.[0];
	if (qualified !== undefined || own) return qualified ?? (others.length === 0 ? own?.name : undefined);
	return orderedName.exec(outside)?.[1];
}

function wireNameOf(name: string): string {
	return name
		.replace(':', '__')
		.replace(/[^A-Za-z0-9_-]/g, '_')
		.toLowerCase();
}
