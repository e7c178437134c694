import type { JsonRecord } from '../../common/json.ts';
import { sentence } from '../../common/text.ts';
import { ServerError } from '../serverError.ts';
import type { ConnectOptions } from './connectOptions.ts';
import { MALFORMED_CODE, OVERSIZED_CODE } from './jsonRpc.ts';
import { AnswerError, HttpStatusError } from './requestError.ts';
import { errorText, quotedServerText } from './serverWords.ts';

/** Statuses that concern a proxy, the time or the rate of requests. A new session shows whether 401 and 403 concern the credentials. */
const notAboutSessions = new Set([407, 408, 429]);
const firstClientError = 400;
const firstServerError = 500;
/** Specified for sessions that have ended. */
const notFound = 404;
/** JSON-RPC: internal error. Whatever failed may have run. */
const internalError = -32_603;

/** A refused request. */
export interface Refusal {
	/** Refusals with the same words are the same. */
	readonly words: string;
	/** Nothing was done. */
	readonly isBeforehand: boolean;
}

/** How a request was refused; `undefined` if its failure says nothing about the session. */
export function refusalIn(error: unknown): Refusal | undefined {
	if (error instanceof HttpStatusError) {
		const { code, bodyText } = error;
		if (code < firstClientError || notAboutSessions.has(code)) return undefined;
		const isSpecific = code === notFound || bodyText !== '';
		return {
			words: bodyText === '' ? `HTTP ${code}` : `HTTP ${code}: ${bodyText}`,
			isBeforehand: code < firstServerError && isSpecific,
		};
	}
	if (!(error instanceof Error)) return undefined;
	const { code, data }: JsonRecord = { ...error };
	if (code === OVERSIZED_CODE) return undefined;
	if (error instanceof AnswerError) return { words: error.message, isBeforehand: false };
	if (error.name !== 'ProtocolError') return undefined;
	const words = errorText({ message: error.message, data });
	return { words, isBeforehand: code !== internalError && code !== MALFORMED_CODE && words !== '' };
}

/**
 * The error of a call whose session is lost. A server that has forgotten one should answer with HTTP 404. Servers also answer with 400, with 503, with
 * 200 and an error, or with an event that is no message. No text is matched: if the server now refuses a list that it has given in this session, the
 * session is lost.
 */
export function lostSession(
	{ words, isBeforehand }: Refusal,
	list: Refusal,
	{ server, redactor }: Pick<ConnectOptions, 'server' | 'redactor'>,
): ServerError {
	// Refused like the list, before anything ran: it can be made again.
	const isNotRun = list.words === words && isBeforehand;
	const next = isNotRun
		? 'A new session is opened.'
		: 'A new session is opened. The call was not repeated, because it may have run.';
	const message = `${sentence`Server "${server}" has ended the session`} (${quotedServerText(words, redactor)}). ${next}`;
	return new ServerError(server, 'session-lost', message, { isNotRun });
}
