import type { ModelErrorReason } from '../../../src/models/modelError.ts';

/** A refusal as a provider sent it, shortened, without names of accounts. */
export interface Refusal {
	readonly status: number;
	readonly body: unknown;
	readonly reason: ModelErrorReason;
	/** How long to wait, in milliseconds, by the body. */
	readonly waitMs?: number;
	/** The limit of the context that it names, in tokens. */
	readonly context?: number;
	readonly from: string;
}

type More = Pick<Refusal, 'waitMs' | 'context'>;

/** A refusal with a body of any form. */
export function sent(
	status: number,
	reason: ModelErrorReason,
	body: unknown,
	from: string,
	more: More = {},
): Refusal {
	return { status, reason, body, from, ...more };
}

/** A refusal in OpenAI's form. */
export function openAi(
	status: number,
	reason: ModelErrorReason,
	message: string,
	from: string,
	{
		code = null,
		type = 'invalid_request_error',
		...more
	}: More & { code?: string | number | null; type?: string } = {},
): Refusal {
	return sent(status, reason, { error: { message, type, param: null, code } }, from, more);
}

/** A refusal in Anthropic's form. */
export function claude(
	status: number,
	reason: ModelErrorReason,
	type: string,
	message: string,
	from: string,
	more: More = {},
): Refusal {
	return sent(status, reason, { type: 'error', error: { type, message } }, from, more);
}

/** A refusal in Google's form. */
export function google(
	status: number,
	reason: ModelErrorReason,
	message: string,
	from: string,
	{ name = 'INVALID_ARGUMENT', details, ...more }: More & { name?: string; details?: readonly object[] } = {},
): Refusal {
	return sent(
		status,
		reason,
		{ error: { code: status, message, status: name, ...(details && { details }) } },
		from,
		more,
	);
}
