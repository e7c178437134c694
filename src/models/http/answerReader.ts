import * as l10n from '@vscode/l10n';
import type { TokenUsage } from '../../common/cost.ts';
import type { JsonRecord } from '../../common/json.ts';
import type { Answer } from '../answer.ts';
import { callsOf } from '../answerParts.ts';
import { shownDetail } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
import { type Ending, failureAt } from './endings.ts';
import { shownName } from './failure.ts';

/** An event of a stream; `done` stands for the `[DONE]` of OpenAI's protocols. */
export type StreamEvent = JsonRecord | 'done';

/** Turns what one protocol streams into an answer. */
export abstract class AnswerReader<Request = void> {
	/** Whether each line is an object by itself, as at Ollama, instead of the data of events. */
	readonly readsLines: boolean = false;
	protected readonly endpoint: Endpoint;
	protected readonly answer: Answer;
	protected readonly thinker: Thinker;
	/** What matters of the request. */
	protected readonly request: Request;

	constructor(endpoint: Endpoint, answer: Answer, thinker: Thinker, request: Request) {
		this.endpoint = endpoint;
		this.answer = answer;
		this.thinker = thinker;
		this.request = request;
	}

	/** Whether the answer has said how it ended, so that only counts and the end of the stream may follow. */
	get isOver(): boolean {
		return false;
	}

	/** Whether the answer is complete with this event, so that the rest of the stream does not matter. */
	isLast(_event: JsonRecord): boolean {
		return false;
	}

	/** Whether a JSON body without any event is a complete answer, from a server that does not stream. */
	isWhole(_body: JsonRecord): boolean {
		return false;
	}

	abstract read(event: StreamEvent): void;

	/** Finishes the answer. Throws a `ModelError` if it is incomplete. `broken`: why the stream ended early. */
	abstract end(broken?: unknown): void;

	/**
	 * Tells what a finished answer cost, and how it ended. That comes before a failure, because it was paid for. Calls that were complete before a
	 * limit are made. `failure`: if it is known better than by the ending. `tokens`: the limit of the answer.
	 */
	protected conclude(
		ending: Ending,
		reason: string,
		usage: TokenUsage | undefined,
		{ failure, tokens }: { readonly failure?: unknown; readonly tokens?: number | undefined } = {},
	): void {
		if (usage) this.answer.emit({ type: 'usage', usage });
		if (ending === 'unknown') {
			const words = [shownName(this.endpoint), shownDetail(reason)];
			const text = l10n.t('The answer of {0} ended with “{1}”, so it may be incomplete.', ...words);
			this.answer.emit({ type: 'notice', text });
		}
		const lost = failure ?? failureAt[ending]?.(this.endpoint, reason, tokens);
		const isCutLate = ending === 'outOfTokens' || ending === 'paused';
		if (lost && !(isCutLate && callsOf(this.answer.parts).length > 0)) throw lost;
	}
}
