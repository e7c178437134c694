import { setTimeout as delay } from 'node:timers/promises';
import { JoinedSignal } from '../../common/cancellation.ts';
import type { Disposable } from '../../common/event.ts';
import { isRecord, type JsonRecord, recordsIn } from '../../common/json.ts';
import { sentence } from '../../common/text.ts';
import { ServerError } from '../serverError.ts';
import type { ServerLogLevel } from '../serverLog.ts';
import type { CallOptions, ConnectOptions } from './connectOptions.ts';
import { answerTo, type Question, type QuestionAnswer, readQuestion } from './questions.ts';

/** Wait before repeating a call whose server asked only for that. */
const patienceMs = 250;

type CallSurroundings = Pick<ConnectOptions, 'server' | 'limits' | 'redactor' | 'ask' | 'onLog'>;

/** A server requested something that we did not offer; a clause. */
export function notOffered(method: unknown): string {
	return sentence`"${typeof method === 'string' ? method : 'something'}" is not offered to servers`;
}

/** JSON-RPC: the user has to visit the addresses in the error first. */
const addressesRequired = -32_042;

function requiredAddresses(error: unknown): readonly JsonRecord[] {
	const { code, data }: JsonRecord = error instanceof Error ? { ...error } : {};
	const asked = code === addressesRequired && isRecord(data) ? data.elicitations : undefined;
	return recordsIn(asked);
}

/**
 * One call, with its deadline and its questions to the user. It is aborted if it is abandoned, and, with a {@link ServerError}, if it is silent for too
 * long or takes too long in total; the clock stops while the user is asked, and then starts from zero.
 */
export class RunningCall extends AbortController implements Disposable {
	readonly #label: string;
	readonly #surroundings: CallSurroundings;
	readonly #options: CallOptions;
	readonly #onAbandoned = () => this.abort(this.#options.signal?.reason);
	#questions = 0;
	/** Open questions. */
	#pauses = 0;
	#total: NodeJS.Timeout | undefined;
	#idle: NodeJS.Timeout | undefined;

	/** @param label how a sentence about it begins, safe to show: `Tool "add"` */
	constructor(label: string, surroundings: CallSurroundings, options: CallOptions) {
		super();
		this.#label = label;
		this.#surroundings = surroundings;
		this.#options = options;
		if (options.signal?.aborted) this.#onAbandoned();
		options.signal?.addEventListener('abort', this.#onAbandoned);
		this.#startClock();
	}

	/**
	 * Makes the call; resolves to the result as the server sent it. In the newer protocol, a server may answer with questions: the call is
	 * repeated with the answers until there is a result.
	 *
	 * @param send sends the request with these parameters in addition
	 */
	async run(send: (answers: JsonRecord) => Promise<JsonRecord>): Promise<JsonRecord> {
		const { inputRounds } = this.#surroundings.limits;
		let answers: JsonRecord = {};
		for (let round = 0; round <= inputRounds; round += 1) {
			const result = await send(answers).catch((error: unknown) => this.#openRequiredUrls(error));
			if (result.resultType !== 'input_required') return result;
			this.touch();
			answers = await this.#answersTo(result);
		}
		throw this.#cannotAsk(`it asked for more ${inputRounds} times`);
	}

	/** The answers, and the server's own state. */
	async #answersTo({ inputRequests, requestState }: JsonRecord): Promise<JsonRecord> {
		const responses: Record<string, unknown> = {};
		const questions = isRecord(inputRequests) ? Object.entries(inputRequests) : [];
		for (const [key, one] of questions) {
			const { method, params }: JsonRecord = isRecord(one) ? one : {};
			if (method !== 'elicitation/create') throw this.#cannotAsk(notOffered(method));
			Object.defineProperty(responses, key, { value: await this.ask(params), enumerable: true });
		}
		// The server only wants us to wait.
		if (questions.length === 0) await delay(patienceMs, undefined, { signal: this.signal });
		return {
			...(questions.length > 0 && { inputResponses: responses }),
			...(requestState !== undefined && { requestState }),
		};
	}

	/** In the revision 2025-11-25, a server may refuse a call until the user has visited an address. */
	async #openRequiredUrls(error: unknown): Promise<never> {
		const requiredUrls = this.#surroundings.ask ? requiredAddresses(error) : [];
		for (const params of requiredUrls) {
			const { action } = await this.ask({ ...params, mode: 'url' });
			if (action !== 'accept') throw this.#cannotAsk('the user did not open the URL');
		}
		throw requiredUrls.length > 0 ? this.#mustBeRepeated() : error;
	}

	/** The server gave a sign of life. */
	touch(): void {
		if (this.#pauses === 0) this.#idle?.refresh();
	}

	/** Stops the clock until the returned function is called. */
	pause(): () => void {
		this.#pauses += 1;
		this.#stopClock();
		return () => {
			this.#pauses -= 1;
			if (this.#pauses === 0) this.#startClock();
		};
	}

	/**
	 * Asks the user; resolves to the answer to send. Rejects with a {@link ServerError} if the question is invalid, or one too many.
	 *
	 * @param signal aborts when the server withdraws the question
	 */
	async ask(params: unknown, signal?: AbortSignal): Promise<JsonRecord> {
		const { server, limits, redactor, ask } = this.#surroundings;
		const question = readQuestion(params, redactor);
		if (typeof question === 'string') throw this.#cannotAsk(question);
		if (!ask) throw this.#cannotAsk('nobody can be asked');
		this.#questions += 1;
		if (this.#questions > limits.questionsPerCall)
			throw this.#cannotAsk(`it has already asked ${limits.questionsPerCall} times`);
		const joinedSignal = new JoinedSignal(this.signal, ...(signal ? [signal] : []));
		const resume = this.pause();
		this.#options.onQuestion?.('asked');
		this.#log('info', `asks the user ${whatItAsks(question)}`);
		let action: QuestionAnswer['action'] = 'cancel';
		try {
			const { agent } = this.#options;
			const answer = await ask({ server, call: this.#label, agent, question }, joinedSignal.signal);
			joinedSignal.signal.throwIfAborted();
			action = answer.action;
			return answerTo(question, answer);
		} finally {
			resume();
			joinedSignal.dispose();
			this.#log('info', `its question was answered: ${action}`);
			this.#options.onQuestion?.(action);
		}
	}

	/** @param why a clause */
	#cannotAsk(why: string): ServerError {
		const { server } = this.#surroundings;
		const message = sentence` of server "${server}" asked for input that it cannot get: ${why}. The call was ended.`;
		this.#log('warn', `asked for input that it cannot get: ${why}`);
		return new ServerError(server, 'question-refused', this.#label + message);
	}

	/** Questions and answers are never logged: they belong to the user. */
	#log(level: ServerLogLevel, words: string): void {
		this.#surroundings.onLog(level, `${this.#label}: ${words}`);
	}

	/** The server has done nothing yet: the user has to finish something first. */
	#mustBeRepeated(): ServerError {
		const { server } = this.#surroundings;
		const message = sentence` of server "${server}" needs the user to finish something in the browser first. Call it again after that.`;
		return new ServerError(server, 'request-refused', this.#label + message);
	}

	dispose(): void {
		this.#options.signal?.removeEventListener('abort', this.#onAbandoned);
		this.#stopClock();
	}

	#startClock(): void {
		const { callTotalMs, callIdleMs } = this.#surroundings.limits;
		const tooLong = `took longer than ${callTotalMs / 1000} s`;
		const silent = `did not respond for ${callIdleMs / 1000} s`;
		this.#total = setTimeout(() => this.#end('call-too-long', tooLong), callTotalMs);
		this.#idle = setTimeout(() => this.#end('call-idle', silent), callIdleMs);
	}

	#stopClock(): void {
		clearTimeout(this.#idle);
		clearTimeout(this.#total);
	}

	#end(reason: 'call-idle' | 'call-too-long', what: string): void {
		const { server } = this.#surroundings;
		const ended = sentence` of server "${server}" ${what}; the call was ended. Try again, or restart the server.`;
		this.abort(new ServerError(server, reason, this.#label + ended));
	}
}

/** Describes a question without its text. */
function whatItAsks(question: Question): string {
	if (question.kind === 'address') return sentence`to open a URL of ${new URL(question.url).host}`;
	const { length } = question.fields;
	return length === 1 ? 'for 1 field' : `for ${length} fields`;
}
