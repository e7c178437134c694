import { isRecord, parsedJson, recordOf } from '../../common/json.ts';

/** What is known about a failure. */
export interface Failure {
	/** The HTTP status; absent for most errors in the middle of a stream. OpenRouter gives it as a code there. */
	readonly status?: number | undefined;
	/** The provider's name for it, e.g. `insufficient_quota`, `overloaded_error`. */
	readonly code?: string | undefined;
	/** The field of the request that it blames (OpenAI's `param`). */
	readonly param?: string | undefined;
	/** The provider's own words. */
	readonly detail?: string | undefined;
	/** The context length that it mentions, in tokens. */
	readonly contextTokens?: number | undefined;
	/** How long it asks us to wait, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** No key was sent. */
	readonly keyless?: boolean;
	/** It comes from another extension, which may fail for any reason. */
	readonly isForeign?: true;
}

/** Characters of a body in an error's message. */
const maxCharacters = 4_000;

/** Depth to which errors within errors are followed. */
const depth = 8;

/**
 * Code and words of an error body, whatever its form: `{"error": {"type": …, "code": …, "message": …}}` (OpenAI, Anthropic, and OpenRouter with a
 * number as `code` and another provider's body in `metadata.raw`), `{"error": "…"}` (Ollama), `{"message": …}` (Mistral), `{"Message": …}` (AWS),
 * `{"detail": …}` (FastAPI, with a list of invalid fields), `[{"error": …}]` (Google), `{"errors": […]}` (Cloudflare), `{"fault": …}` (Apigee),
 * `{"base_resp": …}` (MiniMax), and any of these as a text within another. llama.cpp adds its context length (`n_ctx`).
 */
export function explanationOf(body: unknown): Failure {
	const first: unknown = Array.isArray(body) ? body[0] : body;
	if (!isRecord(first)) return { detail: typeof first === 'string' ? first : '' };
	// Ollama 0.11 has the words `error parsing tool call` as the name of a member.
	const named = Object.entries(first).find(([name]) => /^error\s/i.test(name));
	if (named) return explanationOf({ error: named.join(': ') });
	const error = isRecord(first.error) ? first.error : first;
	const { code, type, status, param, n_ctx: contextTokens, details, metadata, message } = error;
	const inner = [recordOf(metadata).raw, message].map(bodyInText).find((value) => value !== undefined);
	const innerExplanation = inner === undefined ? {} : explanationOf(inner);
	const detail = explanationText(first);
	return {
		code: innerExplanation.code ?? [code, type, status].find((value) => typeof value === 'string'),
		status: statusOf(code) ?? statusOf(status),
		param: typeof param === 'string' && param !== '' ? param : innerExplanation.param,
		detail,
		contextTokens: typeof contextTokens === 'number' ? contextTokens : innerExplanation.contextTokens,
		retryAfterMs:
			waitNamedIn(JSON.stringify(details ?? '')) ?? innerExplanation.retryAfterMs ?? waitNamedIn(detail),
	};
}

/**
 * What the error of a model in VS Code says. Its providers write a status and a body into the message, like Copilot: “Request Failed: 400
 * {"error":{…}}”. What it means may also be in its code (`NoPermissions`) or its name (`ChatRateLimited`).
 */
export function explanationOfError(error: unknown): Failure {
	const { name, code, message, cause } =
		error instanceof Error ? (error as Error & { code?: unknown }) : recordOf(error);
	// VS Code's own code for whatever a provider threw.
	if (code === 'Unknown' && cause !== undefined) return explanationOfError(cause);
	const text = typeof message === 'string' && message !== '' ? message : String(error);
	const [textBeforeBody = ''] = text.split('{', 1);
	const body = text.slice(textBeforeBody.length, textBeforeBody.length + maxCharacters);
	const ends = body.matchAll(/\}/g).map(({ index }) => index + 1);
	const parsed = ends.map((end) => parsedJson(body.slice(0, end))).find((value) => value !== undefined);
	const explanation = explanationOf(parsed ?? (textBeforeBody.trim() || text));
	const [, status] = /(?:^|failed|error|status|code|http)[:\s([]*([45]\d\d)\b/i.exec(textBeforeBody) ?? [];
	const codeOrName = [code, name].find(
		(value) => typeof value === 'string' && value !== '' && value !== 'Error',
	);
	return {
		...explanation,
		detail: explanation.detail || text,
		status: statusOf(status) ?? explanation.status,
		code: [explanation.code, codeOrName].filter(Boolean).join(' ') || undefined,
		isForeign: true,
		retryAfterMs: explanation.retryAfterMs ?? waitNamedIn(text),
	};
}

/** Members with words, or with another body that has some, in any spelling of upper and lower case; the likeliest first. */
const textMembers =
	'raw metadata error_description error errors fault base_resp message msg detail status_msg error_msg error_message errormessage faultstring reason title'.split(
		' ',
	);

/** The first words of a likely member, else of any: a name such as `Unauthorized` only counts where no member says more. */
function explanationText(value: unknown, level = 0): string {
	if (level > depth) return '';
	if (typeof value === 'string') return explanationText(bodyInText(value), level + 1) || value.trim();
	if (Array.isArray(value)) return faultList(value, level);
	if (!isRecord(value)) return '';
	const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
	const likely = textMembers.flatMap((name) => explanationText(members.get(name), level + 1) || []);
	const isSentence = (words: string) => /\S\s+\S/.test(words);
	const others = [...members].filter(([name]) => !textMembers.includes(name));
	const rest = others.map(([, member]) => explanationText(member, level + 1));
	return [...likely, ...rest].find(isSentence) ?? likely[0] ?? '';
}

/** A body as a text within another. */
function bodyInText(text: unknown): unknown {
	const value = typeof text === 'string' && /^\s*[[{]/.test(text) ? parsedJson(text) : undefined;
	return isRecord(value) || Array.isArray(value) ? value : undefined;
}

/** `body.model: Field required; …`, made of FastAPI's `loc` and `msg`. */
function faultList(faults: readonly unknown[], level: number): string {
	return faults
		.map((fault) => {
			const { loc } = recordOf(fault);
			const steps = Array.isArray(loc) ? loc.filter(isStep) : [];
			const place = steps.length > 0 ? `${steps.join('.')}: ` : '';
			return `${place}${explanationText(fault, level + 1)}`;
		})
		.filter((words) => words !== '')
		.join('; ');
}

function isStep(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

function statusOf(value: unknown): number | undefined {
	const status = isStep(value) ? Number(value) : Number.NaN;
	return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

/** A wait in words. */
const waitPattern =
	/(?:try again|retry(?:Delay)?|wait)\b[^.\d]{0,20}?((?:\d+(?:\.\d+)?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z]) ?)+)/i;
const unitMs: Readonly<Record<string, number>> = { milli: 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * How long words ask us to wait, in milliseconds: “Please try again in 2m1.5s”, “retry after 26 seconds”, and Google's `"retryDelay": "34s"`
 * (https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto).
 */
function waitNamedIn(words: string): number | undefined {
	const parts = [...(waitPattern.exec(words)?.[1] ?? '').matchAll(/([\d.]+)\s?(milli|ms|[smh])/gi)];
	if (parts.length === 0) return undefined;
	return parts.reduce(
		(sum, [, number, unit = '']) => sum + Number(number) * (unitMs[unit.toLowerCase()] ?? 0),
		0,
	);
}
