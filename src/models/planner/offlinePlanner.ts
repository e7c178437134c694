import { callToolName, lookingToolNames, searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/catalog/tool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { NewCalls } from '../callIds.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import * as texts from './answers.ts';
import { type Choice, choose, judged, queryOf } from './choose.ts';
import { offlinePlannerDescription } from './description.ts';
import type { Sources } from './fill.ts';
import { newestTask, type Task } from './steps.ts';
import { isSmall } from './words.ts';

/** What the planner knows apart from the conversation. */
export interface Surroundings {
	/** The folder that is open, as an absolute path. */
	readonly workspaceFolder: string | undefined;
	/** The text of the Continue button, which it sends as the user's message. */
	readonly continueLabel: string;
}

/** A call that the user can make by hand, with the known values. */
export interface Offer {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

export type Decision =
	| ({ readonly kind: 'call' } & Offer)
	/** Something is missing or unclear. */
	| { readonly kind: 'ask'; readonly text: string; readonly offers: readonly Offer[] }
	| { readonly kind: 'report'; readonly text: string };

/**
 * A chat model of fixed rules, without any AI. A request becomes steps, and each step a search. It calls a loaded tool that explains every word
 * and value of the step; otherwise it asks, with the closest tools. It has no state except the conversation. Nothing is billed, so there are no
 * usage events.
 */
export class OfflinePlanner implements ChatModel {
	readonly id = offlinePlannerDescription.id;
	readonly name = offlinePlannerDescription.name;
	readonly maxTools: number | undefined;
	readonly maxInputTokens = undefined;
	readonly isByRules = true;
	/** Its rules choose among the tools of the request. */
	readonly loadings = ['append'] as const;
	readonly #surroundings: () => Surroundings;

	/** `maxTools`: the caller's limit. */
	constructor(surroundings: () => Surroundings, maxTools?: number) {
		this.#surroundings = surroundings;
		this.maxTools = maxTools;
	}

	async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatModelEvent> {
		if (signal.aborted) return;
		const decision = decide(request, this.#surroundings());
		if (decision.kind === 'call') {
			const call = new NewCalls().add({ id: '', name: decision.name, input: decision.input });
			if (call) yield { type: 'toolCall', call };
			return;
		}
		yield { type: 'text', text: decision.text };
		for (const offer of decision.kind === 'ask' ? decision.offers : []) yield { type: 'offer', ...offer };
	}
}

/** Maximum steps per message; the user can continue with more. */
const maxSteps = 10;

/** The next thing to do. */
export function decide(
	{ messages, tools: all }: Pick<ChatRequest, 'messages' | 'tools'>,
	surroundings: Surroundings,
): Decision {
	const tools = all.filter(({ name }) => !lookingToolNames.has(name) && name !== callToolName);
	const hasSearch = all.some(({ name }) => name === searchToolsName);
	const task = newestTask(messages, surroundings.continueLabel);
	const decision = next(task, tools, hasSearch, surroundings);
	// The first answer in a chat says what the planner is for.
	return decision.kind === 'call' || !task.isFirst
		? decision
		: { ...decision, text: `${texts.purpose}\n\n${decision.text}` };
}

function next(
	task: Task,
	tools: readonly ToolDefinition[],
	hasSearch: boolean,
	{ workspaceFolder }: Surroundings,
): Decision {
	const { said, steps, at, done, now, failed } = task;
	const step = steps[at];
	const report = (text: string): Decision => ({ kind: 'report', text });
	if (tools.length === 0 && !hasSearch && now.length === 0) return report(texts.noTools);
	if (said === 'cancel') return report(texts.cancelled);
	const isEmptyTalk = steps.every(({ text }) => tokenize(text).every((word) => isSmall(word, true)));
	if (now.length === 0 && said === 'request' && isEmptyTalk) return report(texts.help);
	if (!step && now.length === 0) return report(texts.nothingLeft);
	if (failed && now.length === 0) {
		const { wireName: name, input } = failed;
		return { kind: 'ask', text: texts.summary(task, texts.afterFailure(failed)), offers: [{ name, input }] };
	}
	if (!step || failed || now.length >= maxSteps) return report(texts.summary(task));
	const decision = takeStep({ ...step, before: done, workspaceFolder }, tools, hasSearch && !task.searched);
	return decision.kind === 'call' ? decision : { ...decision, text: texts.summary(task, decision.text) };
}

/** One step: calls the tool that fits, else searches, else asks. */
function takeStep(sources: Sources, tools: readonly ToolDefinition[], canSearch: boolean): Decision {
	const take = (choices: readonly Choice[], query = queryOf(sources)): Decision => {
		const offers = choices.map(({ tool, filling }) => ({ name: tool.name, input: filling.input }));
		const [best] = offers;
		return best && choices[0]?.isReady
			? { kind: 'call', ...best }
			: { kind: 'ask', text: texts.question(choices, query), offers };
	};
	const named = qualifiedName.exec(sources.text.replace(/"[^"]*"|`[^`]*`/g, ' '))?.[0];
	if (named !== undefined) {
		const wireName = named.replace(':', '__').replace(/[^A-Za-z0-9_-]/g, '_');
		const tool = tools.find(({ name }) => name.toLowerCase() === wireName.toLowerCase());
		if (tool) return take([judged(tool, sources)]);
		if (canSearch) return { kind: 'call', name: searchToolsName, input: { tool_names: [named] } };
		return take([], named);
	}
	const choices = choose(tools, sources);
	// A tool that only reads needs so few words that another one may fit better.
	const isSure = choices[0]?.isReady && !choices[0].filling.reading;
	return canSearch && !isSure
		? { kind: 'call', name: searchToolsName, input: { query: queryOf(sources) } }
		: take(choices);
}

/** `server:tool` or `server__tool`, even if there is no such tool. */
const qualifiedName = /(?<![\w/\\@.:=-])[A-Za-z][\w.-]{0,99}(?::|__)[A-Za-z][\w.-]{0,199}\w(?![\w/\\@=(:])/;
