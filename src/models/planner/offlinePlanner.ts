import { callToolName } from '../../discovery/callTool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { lookingToolNames, searchToolsName } from '../../discovery/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { ChatMessage, ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import {
	cancelText,
	causeText,
	helpText,
	maxSteps,
	noToolsText,
	nothingLeftText,
	questionText,
	refusalText,
	summaryText,
	unknownToolText,
} from './answers.ts';
import { type Choice, choose, queryOf, serverFor, type UnavailableServer } from './choose.ts';
import { offlinePlannerDescription } from './description.ts';
import { type Filling, fill } from './fill.ts';
import { readLiterals } from './literals.ts';
import { coerce } from './parameters.ts';
import { newestTurn, type Sources, type Step, splitSteps, type Task, type Turn, taskOf } from './task.ts';
import { deedOf, isQuestion, splitName } from './words.ts';

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
	/** Asks for values of a tool, by its wire name, for the next step of the task. */
	| { readonly kind: 'ask'; readonly tool: string; readonly task: Task; readonly text: string }
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
		messages.flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls.map(({ id }) => id) : [])),
	);
	let number = ids.size + 1;
	while (ids.has(`planner-${number}`)) number++;
	return `planner-${number}`;
}

/** Questions and answers that are chained to one call before the newest message counts as a new request. */
const maxAnswers = 8;

const cancel = /^\s*(?:cancel|never\s?mind|stop|forget it|no|nothing|abort|quit)[.!\s]*$/i;
const smallTalk =
	/^(?:hi|hello|hey|hallo|moin|greetings|good|morning|afternoon|evening|day|thanks|thank|you|help|yo|test|who|are|what|can|do|ok|okay|great|nice|cool|bye|goodbye|[^\p{L}\p{N}]+)$/iu;

/** The next thing to do, from the conversation alone. */
export function decide(
	request: Pick<ChatRequest, 'messages' | 'tools'>,
	surroundings: Surroundings,
): Decision {
	return new Planner(request, surroundings).decide();
}

class Planner {
	readonly #messages: readonly ChatMessage[];
	readonly #all: readonly ToolDefinition[];
	readonly #tools: readonly ToolDefinition[];
	readonly #hasSearch: boolean;
	readonly #surroundings: Surroundings;
	readonly #depth: number;

	constructor(
		{ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>,
		surroundings: Surroundings,
		depth = 0,
	) {
		this.#messages = messages;
		this.#all = tools;
		this.#tools = tools.filter(({ name }) => !lookingToolNames.has(name) && name !== callToolName);
		this.#hasSearch = tools.some(({ name }) => name === searchToolsName);
		this.#surroundings = surroundings;
		this.#depth = depth;
	}

	decide(): Decision {
		const turn = newestTurn(this.#messages, this.#surroundings.continueLabel);
		const help = { kind: 'report', text: helpText(this.#tools, this.#hasSearch) } as const;
		if (this.#all.length === 0 && !turn?.calls.length) return { kind: 'refuse', text: noToolsText };
		if (!turn) return help;
		const answered = this.#answered(turn);
		if (answered === 'cancelled') return { kind: 'report', text: cancelText };
		if (!answered && isSmallTalk(turn.prompt)) return help;
		const task = answered ?? taskOf(turn.continues === 'nothing' ? [] : splitSteps(turn.prompt), turn);
		if (turn.continues && task.done.length >= task.steps.length && task.doneNow === 0)
			return { kind: 'report', text: nothingLeftText };
		return this.#next(task);
	}

	/** The task of a question that the message answers. Whether one was asked shows by deciding once more what to say then. */
	#answered(turn: Turn): Task | 'cancelled' | undefined {
		const question = turn.before.at(-1);
		if (question?.role !== 'assistant' || question.toolCalls.length > 0 || this.#depth >= maxAnswers)
			return undefined;
		const then = { messages: turn.before.slice(0, -1), tools: this.#all };
		const asked = new Planner(then, this.#surroundings, this.#depth + 1).decide();
		if (asked.kind !== 'ask') return undefined;
		if (cancel.test(turn.prompt)) return 'cancelled';
		const { task } = asked;
		const at = task.done.length;
		const step = task.steps[at];
		const tool = this.#tools.find(({ name }) => name === asked.tool);
		if (!step || !tool || !isAnswer(turn.prompt, tool)) return undefined;
		const answer = { ...step, wireName: tool.name, answers: [...step.answers, turn.prompt] };
		const lacked = this.#filled(tool, step, task).missing.length;
		if (this.#filled(tool, answer, task).missing.length >= lacked) return undefined;
		return taskOf(task.steps.with(at, answer), turn, task.done);
	}

	#next(task: Task): Decision {
		const at = task.done.length;
		const step = task.steps[at];
		const isStopped = task.doneNow > 0 && task.done.at(-1)?.result.isError === true;
		if (isStopped || !step || task.doneNow >= maxSteps) return { kind: 'report', text: this.#summary(task) };
		const next = this.#step(step, task);
		return next.kind === 'call' ? next : { ...next, text: this.#summary(task, next.text) };
	}

	/** One step: the tool that is named or surely meant, else what a search loads; a question only where nothing else is in the way. */
	#step(step: Step, task: Task): Decision {
		const named = step.wireName ?? namedTool(step.text, this.#tools);
		if (named !== undefined) return this.#named(named, step, task);
		const sources = this.#sources(step, task);
		const query = queryOf(sources);
		const loaded = choose(this.#tools, sources);
		if (loaded.best?.sure) return this.#callOrAsk(loaded.best, task);
		const { best, nearest } = loaded;
		// With what it says beside its values, and, where that finds nothing, with all of it.
		const wanted = [...new Set([query, step.text])][task.searches.length];
		if (this.#hasSearch && wanted !== undefined && (task.searches.length === 0 || !best))
			return { kind: 'call', name: searchToolsName, input: { query: wanted } };
		if (best?.filling.missing.length === 0) return this.#callOrAsk(best, task);
		const cause = serverFor(query, this.#surroundings.unavailable);
		if (cause) return { kind: 'refuse', text: causeText(cause) };
		return best ? this.#callOrAsk(best, task) : { kind: 'refuse', text: refusalText(query, nearest) };
	}

	#named(named: string, step: Step, task: Task): Decision {
		const tool = toolNamed(named, this.#tools);
		if (tool) return this.#callOrAsk({ tool, filling: this.#filled(tool, step, task) }, task);
		const cause = this.#causeOf(named.replace(':', '__'));
		if (cause) return { kind: 'refuse', text: causeText(cause) };
		if (this.#hasSearch && task.searches.length === 0)
			return { kind: 'call', name: searchToolsName, input: { tool_names: [named] } };
		return { kind: 'refuse', text: unknownToolText(named) };
	}

	#callOrAsk({ tool, filling: { input, missing } }: Pick<Choice, 'tool' | 'filling'>, task: Task): Decision {
		const cause = this.#causeOf(tool.name);
		if (cause) return { kind: 'refuse', text: causeText(cause) };
		if (missing.length === 0) return { kind: 'call', name: tool.name, input };
		return { kind: 'ask', tool: tool.name, task, text: questionText(tool, missing) };
	}

	/** Why a tool cannot be called: a server that has failed still has the tools that it listed. */
	#causeOf(wireName: string): UnavailableServer | undefined {
		const { server } = splitName(wireName);
		return this.#surroundings.unavailable.find(({ name }) => name === server);
	}

	#sources({ text }: Step, task: Task): Sources {
		const { workspaceFolder, now } = this.#surroundings;
		const before = task.done.at(-1) ?? task.earlier;
		return {
			text,
			literals: readLiterals(text, now),
			...(before && { before }),
			isNext: task.done.length > 0,
			...(workspaceFolder !== undefined && { workspaceFolder }),
		};
	}

	/** What the step and the answers to questions about it give the tool; where one value is lacking, the answer is that value. */
	#filled(tool: ToolDefinition, step: Step, task: Task): Filling {
		let { input, missing, ...filling } = fill(tool, this.#sources(step, task));
		for (const text of step.answers) {
			const answer = fill(tool, this.#sources({ ...step, text }, task));
			const given = new Map(Object.entries(answer.input).filter(([name]) => answer.said.has(name)));
			const [only, ...others] = missing;
			const whole =
				only && others.length === 0 && !given.has(only.name) ? coerce(unquoted(text), only) : undefined;
			if (only && whole) given.set(only.name, whole.value);
			missing = missing.filter(({ name }) => !given.has(name));
			// What the request itself says stays.
			input = { ...input, ...Object.fromEntries(given), ...input };
		}
		return { ...filling, input, missing };
	}

	#summary(task: Task, next?: string): string {
		const done = task.done.map((call, at) => {
			const tool = this.#tools.find(({ name }) => name === call.wireName);
			const step = task.steps[at];
			const sources =
				step?.answers.length === 0 && this.#sources(step, { ...task, done: task.done.slice(0, at) });
			const unused = tool && sources ? fill(tool, sources).unused : [];
			const values = unused.filter(({ kind }) => kind !== 'subject' && kind !== 'result');
			return { call, unused: values.map(({ text }) => text) };
		});
		return summaryText(task.steps, done, done.length - task.doneNow, next);
	}
}

/** What begins like a request is one, unless it says which value it gives or stands in quotes. */
function isAnswer(text: string, tool: ToolDefinition): boolean {
	if (namedTool(text, []) !== undefined) return false;
	if (/^\s*(?:["“„«`'‘]|[\p{L}_][\w.-]*=)/u.test(text)) return true;
	const [first = '', second] = tokenize(text);
	if (second === undefined) return true;
	const isRequest = deedOf(first) !== undefined || isQuestion(first) || /\?\s*$/.test(text);
	return !isRequest && first !== splitName(tool.name).server;
}

function unquoted(text: string): string {
	return /^\s*(["'`])([\s\S]*)\1\s*$/.exec(text)?.[2] ?? text.trim();
}

function isSmallTalk(text: string): boolean {
	const words = text.split(/[\s,.!?]+/).filter(Boolean);
	return words.length <= 6 && words.every((word) => smallTalk.test(word));
}

/** `server:tool` or `server__tool`, also of one that is not loaded; else the whole name of a tool that is, if it has several parts. */
function namedTool(text: string, tools: readonly ToolDefinition[]): string | undefined {
	const outside = text.replace(/"[^"]*"|`[^`]*`|[\p{L}_][\w.-]*=\S+/gu, ' ');
	const qualified = /(?<![\w/\\@.:-])[A-Za-z][\w.-]*(?::|__)[A-Za-z][\w.-]*\w(?![\w/\\@=(:])/.exec(
		outside,
	)?.[0];
	if (qualified !== undefined) return qualified;
	const words = new Set(outside.toLowerCase().split(/[\s,;()]+/));
	const isCompound = (name: string) => /[_-]|[a-z][A-Z]/.test(name) && words.has(name.toLowerCase());
	const bare = tools.filter((tool) => isCompound(splitName(tool.name).name));
	return bare.length === 1 ? bare[0]?.name : undefined;
}

function toolNamed(name: string, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
	const wire = name
		.replace(':', '__')
		.replace(/[^A-Za-z0-9_-]/g, '_')
		.toLowerCase();
	return tools.find((tool) => tool.name.toLowerCase() === wire);
}
