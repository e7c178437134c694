import { defined } from '../../common/json.ts';
import { isPlausibleTokens, type NamedLimits } from '../knownLimits.ts';
import type { ModelErrorReason } from '../modelError.ts';
import type { Failure } from './explanation.ts';

/**
 * Providers' names for failures that say more than the status: used-up credit is 429 at OpenAI and 400 at Anthropic, and errors in the middle
 * of a stream have no status.
 */
const reasonsByCode: readonly (readonly [RegExp, ModelErrorReason])[] = [
	[/insufficient_quota|exceeded_current_quota|billing|insufficient_(?:balance|credits)/i, 'payment'],
	[/context_(?:length|window)|request_too_large/i, 'contextTooLong'],
	[/overloaded|engine_is_currently|no_capacity/i, 'overloaded'],
	[/rate_?limit|too_many_requests|resource_exhausted/i, 'rateLimited'],
	[/authentication_error|invalid_api_key|invalid_authentication|unauthenticated/i, 'unauthorized'],
	[/permission|access_denied|forbidden/i, 'forbidden'],
	[/model_not_found|^not_found/i, 'notFound'],
	[/content_?filter|policy|moderation|^invalid_prompt$/i, 'refused'],
];

/** How providers describe a prompt that is too long, apart from {@link contextWords}. Must not match a name or description that is too long. */
const tooLong = new RegExp(
	[
		'prompt is too long',
		'context[ _-]?(?:length|window|size)',
		'maximum (?:context|prompt length)',
		'exceeds? context limit',
		'(?:input|request|conversation|messages?) (?:is |are )?(?:too (?:long|large)|exceeds?)',
		'too many (?:input )?tokens',
		'reduce the length of the (?:messages|prompt|input)',
		'(?:input )?token count .{0,60}exceeds',
		'num_ctx',
		// Z.ai: "Prompt exceeds max length".
		'prompt .{0,40}exceed(?:s|ed)',
		// Ark: "Total tokens of image and text exceed max message tokens".
		'total tokens .{0,40}exceed',
		// Databricks and others: "Input tokens (200000) exceed the limit of 128000".
		'(?:input|prompt) tokens? .{0,40}exceeds?',
		// Cohere: "too many tokens: size limit exceeded by 100 tokens"; Bedrock: "Input is too long for requested model".
		'size limit exceeded by \\d+ tokens',
	].join('|'),
	'i',
);

/** Statuses with which providers refuse a prompt that is too long. */
const tooLongStatuses: readonly (number | undefined)[] = [undefined, 400, 413, 422, 429, 500];

const noCredit = /credit balance|insufficient (?:balance|credits|funds|quota)|exceeded your current quota/i;

/**
 * A server was started without an option that the request needs. Its status is that of a temporary failure, but trying again would not help.
 */
const notStartedFor = /requires? --[a-z]|unsupported param/i;

/** Codes of faults in the request, for failures without a status. OpenAI has a dozen of them for pictures. */
const requestCodes = /^invalid_|bad_request|validation|unsupported|image/i;

/** The reason for a failure, by the most specific sign. */
export function failureReason({ status, code = '', detail = '' }: Failure): ModelErrorReason {
	if (noCredit.test(detail)) return 'payment';
	// llama.cpp: “tools param requires --jinja flag”.
	if (status === 500 && notStartedFor.test(detail)) return 'invalidRequest';
	if (isTooLong(detail) && tooLongStatuses.includes(status)) return 'contextTooLong';
	return (
		reasonsByCode.find(([name]) => name.test(code))?.[1] ??
		(status !== undefined ? reasonOfStatus(status) : requestCodes.test(code) ? 'invalidRequest' : 'server')
	);
}

function isTooLong(detail: string): boolean {
	return [tooLong, ...contextWords].some((words) => words.test(detail));
}

function reasonOfStatus(status: number): ModelErrorReason {
	switch (status) {
		case 401:
			return 'unauthorized';
		case 402:
			return 'payment';
		case 403:
			return 'forbidden';
		case 404:
			return 'notFound';
		// All are temporary: a proxy timed out, a lock was held, too early.
		case 408:
		case 409:
		case 425:
			return 'server';
		case 413:
			return 'contextTooLong';
		case 429:
			return 'rateLimited';
		case 503:
		case 529:
			return 'overloaded';
		default:
			return status >= 500 ? 'server' : 'invalidRequest';
	}
}

/** How providers mention the context length; never by how much a request exceeds it. */
const contextWords: readonly RegExp[] = [
	// OpenAI, OpenRouter, DeepSeek, vLLM; xAI says "prompt length".
	/maximum (?:context|prompt|model) length (?:is|of) ([\d,]+)/i,
	// Anthropic: "prompt is too long: 215000 tokens > 200000 maximum", "…exceed context limit: 178959 + 64000 > 200000".
	/tokens > ([\d,]+) maximum/i,
	/context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
	// Google: "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."
	/maximum number of (?:input )?tokens allowed \(?([\d,]+)/i,
	// Mistral: "…too large for model with 32768 maximum context length".
	/model with ([\d,]+) maximum context/i,
	// llama.cpp and LM Studio: "…available context size (4096 tokens)", "context length of only 4096 tokens", "(n_keep: 13055>= n_ctx: 4096)".
	/context (?:size|length|window) (?:\(|of |of only )([\d,]+)/i,
	/n_ctx: ([\d,]+)/i,
	// Vertex: "…the input token count is 33013 but model only supports up to 32768."
	/token count is [\d,]+ but .{0,20}only supports up to ([\d,]+)/i,
	// vLLM: "The decoder prompt (length 5000) is longer than the maximum model length of 4096."
	/maximum model length of ([\d,]+)/i,
	// TGI: "`inputs` tokens + `max_new_tokens` must be <= 4096", "`inputs` must have less than 4096 tokens".
	/max_new_tokens`? must be <= ([\d,]+)/i,
	/inputs`? must have less than ([\d,]+) tokens/i,
	// watsonx: "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model".
	/cannot exceed the total tokens limit ([\d,]+)/i,
	// DashScope: "Range of input length should be [1, 30720]".
	/range of input length should be \[\d+, ?([\d,]+)\]/i,
];

/** Anthropic: "max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101". */
const outputWords = /max_tokens: [\d,]+ > ([\d,]+), which is the maximum allowed/i;

/** The limits that a provider mentions in a refusal. `context`: the value of a separate field (llama.cpp). */
export function namedLimits(detail: string, context?: number): NamedLimits {
	const numberIn = (words: RegExp) => {
		const written = words.exec(detail)?.[1];
		return written === undefined ? undefined : Number(written.replaceAll(',', ''));
	};
	const contextTokens = [context, ...contextWords.map(numberIn)].find(isPlausibleTokens);
	const maxOutputTokens = numberIn(outputWords) || undefined;
	return defined({ contextTokens, maxOutputTokens });
}
