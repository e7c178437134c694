import type { AnswerPart, ToolCall } from '../../discovery/catalog/message.ts';
import { callToolName, lookingToolNames, searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { Answer } from '../answer.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import * as texts from './answers.ts';
import { choose, queryOf } from './choose.ts';
import { offlinePlannerDescription } from './description.ts';
import { newestTask } from './steps.ts';
import { readValues } from './values.ts';
import { isSmall, wordsOf } from './words.ts';

/** What the planner knows apart from the conversation. */
export interface Surroundings {
	/** The folder that is open, as an absolute path. */
	readonly workspaceFolder: string | undefined;
	/** The text of the Continue button, which it sends as the user's message. */
	readonly continueLabel: string;
}

/** A call that the user can make by hand, with the known values. */
export type Offer = Pick<ToolCall, 'name' | 'input'>;

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

	async answer(
		request: ChatRequest,
		signal: AbortSignal,
		emit: (event: ChatModelEvent) => void,
	): Promise<readonly AnswerPart[]> {
		signal.throwIfAborted();
		const answer = new Answer(emit);
		const decision = decide(request, this.#surroundings());
		if (decision.kind === 'call') answer.call({ name: decision.name, input: decision.input });
		else answer.say({ type: 'text', text: decision.text });
		for (const offer of decision.kind === 'ask' ? decision.offers : []) emit({ type: 'offer', ...offer });
		answer.finish();
		return answer.parts;
	}
}

/** The next thing to do. */
export function decide(
	{ messages, tools: all }: Pick<ChatRequest, 'messages' | 'tools'>,
	{ workspaceFolder, continueLabel }: Surroundings,
): Decision {
	const tools = all.filter(({ name }) => !lookingToolNames.has(name) && name !== callToolName);
	const hasSearch = all.some(({ name }) => name === searchToolsName);
	const task = newestTask(messages, continueLabel);
	const { steps, at, done, now, failed } = task;
	const text = steps[at];
	const answer = (said: string, offers?: readonly Offer[]): Decision => {
		// The first answer in a chat says what the planner is for.
		const whole = task.isFirst ? `${texts.purpose()}\n\n${said}` : said;
		return offers ? { kind: 'ask', text: whole, offers } : { kind: 'report', text: whole };
	};
	if (now.length === 0 && tools.length === 0 && !hasSearch) return answer(texts.noTools());
	if (now.length === 0 && steps.every(isEmptyTalk)) return answer(texts.help());
	if (text === undefined) return answer(now.length === 0 ? texts.nothingLeft() : texts.summary(task));
	// A failed call is not repeated: it may have done a part.
	if (failed)
		return answer(texts.summary(task, texts.afterFailure()), [
			{ name: failed.wireName, input: failed.input },
		]);
	const sources = { text, values: readValues(text), before: done, workspaceFolder };
	const query = queryOf(sources);
	const choices = choose(tools, sources);
	const [best] = choices;
	// A tool that only reads needs so few words that another one may fit better.
	const isSure = best?.isReady && !wordsOf(best.tool).onlyReads;
	if (hasSearch && !task.searched && !isSure)
		return { kind: 'call', name: searchToolsName, input: { query } };
	if (best?.isReady) return { kind: 'call', name: best.tool.name, input: best.filling.input };
	const offers = choices.map(({ tool, filling }) => ({ name: tool.name, input: filling.input }));
	return answer(texts.summary(task, texts.question(choices, query)), offers);
}

function isEmptyTalk(text: string): boolean {
	return tokenize(text).every((word) => isSmall(word, true));
}
