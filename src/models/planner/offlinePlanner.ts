import * as l10n from '@vscode/l10n';
import type { AnswerPart, ToolCall } from '../../discovery/catalog/message.ts';
import { callToolName, lookingToolNames, searchToolsName } from '../../discovery/catalog/syntheticTool.ts';
import { isSmallTalk, isStopWord } from '../../discovery/search/words/analyzer.ts';
import { Answer } from '../answer.ts';
import { answerText } from '../answerParts.ts';
import type { ChatModel, ChatModelEvent, ChatRequest } from '../chatModel.ts';
import { answeredCalls, missingResult } from '../sentMessages.ts';
import * as texts from './answers.ts';
import { asksToRead, choose, foundCandidates, ownCandidates } from './choose.ts';
import { offlinePlannerDescription } from './description.ts';
import { readSentence } from './sentence.ts';

/** A call that the user can make by hand, with the known values. */
export type Offer = Pick<ToolCall, 'name' | 'input'>;

export type Decision =
	| ({ readonly kind: 'call' } & Offer)
	/** Something is missing or unclear. */
	| { readonly kind: 'ask'; readonly text: string; readonly offers: readonly Offer[] }
	| { readonly kind: 'report'; readonly text: string };

/**
 * A chat model of fixed rules, without any AI. A request is one sentence: it becomes one search, which loads nothing, one that loads the chosen tool
 * by its name, and one call. Without a clear choice, the planner offers the closest tools. It has no state. Nothing is billed, so there are no usage
 * events.
 */
export class OfflinePlanner implements ChatModel {
	readonly id = offlinePlannerDescription.id;
	readonly name = offlinePlannerDescription.name;
	readonly maxTools: number | undefined;
	readonly maxInputTokens = undefined;
	readonly isByRules = true;
	/** Its rules choose among the tools of the request. */
	readonly loadings = ['append'] as const;
	readonly #workspaceFolder: () => string | undefined;
	readonly #names: texts.ToolLabel;

	/** `workspaceFolder`: the folder that is open, as an absolute path. `names`: tools in answers. `maxTools`: the caller's limit. */
	constructor(workspaceFolder: () => string | undefined, names: texts.ToolLabel, maxTools?: number) {
		this.#workspaceFolder = workspaceFolder;
		this.#names = names;
		this.maxTools = maxTools;
	}

	async answer(
		request: ChatRequest,
		signal: AbortSignal,
		emit: (event: ChatModelEvent) => void,
	): Promise<readonly AnswerPart[]> {
		signal.throwIfAborted();
		const answer = new Answer(emit);
		const decision = decide(request, this.#workspaceFolder(), this.#names);
		if (decision.kind === 'call') answer.call({ name: decision.name, input: decision.input });
		else answer.say({ type: 'text', text: decision.text });
		for (const offer of decision.kind === 'ask' ? decision.offers : []) emit({ type: 'offer', ...offer });
		answer.finish();
		return answer.parts;
	}
}

/** The next thing to do. */
export function decide(
	{ messages, tools: all, found }: Pick<ChatRequest, 'messages' | 'tools' | 'found'>,
	workspaceFolder: string | undefined,
	names: texts.ToolLabel,
): Decision {
	const tools = all.filter(({ name }) => !lookingToolNames.has(name) && name !== callToolName);
	const hasSearch = all.some(({ name }) => name === searchToolsName);
	// The Continue button means the request before it. A call that was made for it is reported, not repeated.
	const at = messages.findLastIndex((one) => one.role === 'user' && one.text.trim() !== l10n.t('Continue'));
	const request = messages[at];
	// The first answer in a chat says what the planner is for.
	const isFirst = !messages.some((one) => one.role === 'assistant' && answerText(one.parts) !== '');
	const say = (text: string, offers?: readonly Offer[]): Decision => {
		const introduced = isFirst ? `${texts.purpose()}\n\n${text}` : text;
		return offers ? { kind: 'ask', text: introduced, offers } : { kind: 'report', text: introduced };
	};
	const calls = messages.flatMap((_, i) => (i > at ? answeredCalls(messages, i) : []));
	const lastCall = calls.findLast(({ call }) => call.name !== searchToolsName);
	if (lastCall) {
		const { call, result: { result } = missingResult(call) } = lastCall;
		const text = texts.report(call, result, names);
		// A failed call is not repeated: it may have done a part.
		if (!result.isError || result.declined || Object.keys(call.input).length === 0) return say(text);
		const retry = l10n.t('The button below opens a form with its values, to change them and try again.');
		return say(`${text}\n\n${retry}`, [{ name: call.name, input: call.input }]);
	}
	if (tools.length === 0 && !hasSearch) return say(texts.noTools());
	const sentence = readSentence(request?.role === 'user' ? request.text : '');
	const { words, values, query } = sentence;
	const isIdle = (word: string) => isStopWord(word) || (!asksToRead(sentence) && isSmallTalk(word));
	if (values.length === 0 && words.every(isIdle)) return say(texts.help());
	if (hasSearch && calls.length === 0) return search({ query });
	const choices = choose(
		found ? foundCandidates(found) : ownCandidates(tools, query),
		sentence,
		workspaceFolder,
	);
	const [best] = choices;
	const isLoaded = tools.some(({ name }) => name === best?.tool.name);
	if (best?.isReady && !isLoaded && calls.length === 1) return search({ tool_names: [best.tool.name] });
	if (best?.isReady && isLoaded) return { kind: 'call', name: best.tool.name, input: best.input };
	const offers = choices.map(({ tool, input }) => ({ name: tool.name, input }));
	return say(texts.question(choices, query, names), offers);
}

function search(input: Offer['input']): Decision {
	return { kind: 'call', name: searchToolsName, input };
}
