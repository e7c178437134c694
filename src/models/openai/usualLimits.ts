import type { Endpoint } from '../endpoint.ts';
import { type AnswerLimits, answerLimits, localAnswerLimits } from '../http/limits.ts';

/** Names and addresses of this machine and of the network around it (RFC 1918, RFC 6761, RFC 6762). */
const nearby =
	/^(?:(?:.+\.)?localhost|.+\.local|\[::1\]|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

/** The limits of an endpoint of which nothing else is said: llama.cpp, LM Studio and the like are slower than a provider. */
export function usualLimits({ baseUrl }: Pick<Endpoint, 'baseUrl'>): AnswerLimits {
	return URL.canParse(baseUrl) && nearby.test(new URL(baseUrl).hostname) ? localAnswerLimits : answerLimits;
}
