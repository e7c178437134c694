import * as l10n from '@vscode/l10n';
import type { TokenUsage } from '../../common/cost.ts';
import type { JsonRecord } from '../../common/json.ts';
import type { Answer } from '../answer.ts';
import { callsOf } from '../answerParts.ts';
import type { ArrivingCall, MayLack } from '../arrivingCalls.ts';
import { displayText, failures, type ModelError } from '../modelError.ts';
import type { Endpoint } from '../provider.ts';
import type { Thinker } from '../thinker.ts';
import { endpointLabel, errorAbout, failureOf } from './failure.ts';

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

	/** How the answer ended. `broken`: why the stream ended early. */
	protected abstract outcome(streamError: unknown): Outcome;

	/**
	 * Ends the answer. Throws a `ModelError` if it is incomplete, but reports its usage first, because incomplete answers are charged for, too. Calls
	 * that were complete before a limit are still made.
	 */
	end(streamError?: unknown): void {
		const { reason = '', hasEnded, usage, tokens, ...outcome } = this.outcome(streamError);
		const endingByReason = reason === '' ? 'complete' : endingOf(reason);
		const { ending = hasEnded ? endingByReason : 'cut' } = outcome;
		// A call that was cut off may be closed, too.
		const mayLack: MayLack = ({ isClosed }, isLast) => ending !== 'complete' && (isLast || !isClosed);
		if (hasEnded) this.answer.finish(outcome.mayLack ?? mayLack, outcome.isIncluded);
		if (usage) this.answer.emit({ type: 'usage', usage });
		if (ending === 'unknown') {
			const words = [endpointLabel(this.endpoint), displayText(reason)];
			const text = l10n.t('The answer of {0} ended with “{1}”, so it may be incomplete.', ...words);
			this.answer.emit({ type: 'notice', text });
		}
		const cause = ending === 'cut' || ending === 'failed' ? streamError : undefined;
		const failure = outcome.failure ?? cause ?? failureByEnding[ending]?.(this.endpoint, reason, tokens);
		const isCutLate = ending === 'outOfTokens' || ending === 'paused';
		if (failure && !(isCutLate && callsOf(this.answer.parts).length > 0)) throw failure;
	}
}

/** How an answer ended, as its protocol says it. */
interface Outcome {
	/** Whether the endpoint said that it ended. */
	readonly hasEnded: boolean;
	/** The endpoint's word for why. */
	readonly reason?: string;
	/** Default: by the reason. */
	readonly ending?: Ending;
	readonly usage: TokenUsage | undefined;
	/** The limit of the answer. */
	readonly tokens?: number | undefined;
	/** If it is known better than by the ending. */
	readonly failure?: unknown;
	/** Which calls may lack their arguments; default: those at a cut. */
	readonly mayLack?: MayLack;
	/** Which calls are part of the answer. */
	readonly isIncluded?: (call: ArrivingCall) => boolean;
}

/** How an answer ended, whatever its endpoint calls that. */
export type Ending =
	| 'complete'
	| 'outOfTokens'
	/** A filter, or the model itself, refused to go on. */
	| 'filtered'
	/** The model made a call that its provider could not read. */
	| 'malformedCall'
	| 'failed'
	/** The provider asks us to let the model go on, as in a long turn with its own tools. */
	| 'paused'
	/** Interrupted. */
	| 'cut'
	/** A reason without a known word. */
	| 'unknown';

/** The words of reasons; the first match counts. Sources: the providers' references, and the rows of `test/world/endings.test.ts`. */
const endings: readonly (readonly [Ending, RegExp])[] = [
	['malformedCall', /malformed|unexpected_?tool|(?:invalid|too_?many)_?(?:tool|function)|parse/i],
	['outOfTokens', /length|max_?[a-z_]*tokens?\b|token_?(?:limit|budget)|truncat|context_?window/i],
	[
		'filtered',
		/filter|safe|refus|recitation|block|prohibit|spii|moderat|sensitive|guard|language|policy|harm/i,
	],
	['failed', /error|fail|network|overload|insufficient|timeout|unavailable|other|unspecified/i],
	['paused', /pause/i],
	['cut', /abort|cancel|interrupt/i],
	['complete', /stop|end|tool|function|complete|finish|eos|done|load/i],
];

/** How an answer ended, by the reason that its endpoint gives. */
export function endingOf(reason: string): Ending {
	return endings.find(([, words]) => words.test(reason))?.[0] ?? 'unknown';
}

/** The failure that an ending is; none for the others. `tokens`: the limit of the answer. */
const failureByEnding: Readonly<
	Partial<Record<Ending, (endpoint: Endpoint, reason: string, tokens?: number) => ModelError>>
> = {
	outOfTokens: (endpoint, reason, tokens) => {
		if (/window/i.test(reason)) return failureOf(endpoint, { code: reason });
		const limit = tokens === undefined ? '' : ` of ${tokens.toLocaleString('en')} tokens`;
		return errorAbout(endpoint, 'outputLimit', { did: `${failures.outputLimit[0]}${limit}` });
	},
	filtered: (endpoint) =>
		errorAbout(endpoint, 'refused', { detail: 'the content filter stopped the answer.' }),
	malformedCall: (endpoint, detail) => errorAbout(endpoint, 'malformedCall', { detail }),
	failed: (endpoint, code) => failureOf(endpoint, { code }),
	paused: (endpoint) => errorAbout(endpoint, 'paused'),
	cut: (endpoint) => errorAbout(endpoint, 'cut'),
};
