import type { ModelErrorReason } from '../modelError.ts';

/** What a sentence about a failure is made of. */
interface Circumstances {
	/** Host and port. */
	readonly host: string;
	/** The client's name in the configuration. */
	readonly client: string;
	readonly reason: ModelErrorReason;
	readonly status: number | undefined;
	/** No key was sent. */
	readonly keyless: boolean;
	/** The provider's own words, fit to be shown; empty: none. */
	readonly said: string;
	readonly retryAfterMs: number | undefined;
}

/** A failure in two sentences. */
export interface FailureWords {
	/** Who failed, how, and in whose words. */
	readonly happened: string;
	/** What to do. */
	readonly advice: string;
}

/** What to say of a failure. */
export function failureWords(circumstances: Circumstances): FailureWords {
	const { status, said } = circumstances;
	const code = status === undefined ? '' : ` (${status})`;
	const words = said === '' ? '' : `: ${said}`;
	const stop = /[.!?…]$/.test(words) ? '' : '.';
	return {
		happened: `${happening(circumstances)}${code}${words}${stop}`,
		advice: advice(circumstances),
	};
}

function happening({ host, reason, keyless }: Circumstances): string {
	switch (reason) {
		case 'unauthorized':
			return keyless ? `${host} wants an API key, and none is set` : `${host} did not accept the API key`;
		case 'payment':
			return `The account at ${host} has no credit left`;
		case 'forbidden':
			return `${host} does not allow this`;
		case 'notFound':
			return `${host} does not know this model or address`;
		case 'rateLimited':
			return `${host} takes no more requests for now`;
		case 'overloaded':
			return `${host} is overloaded`;
		case 'contextTooLong':
			return `The conversation is longer than the model at ${host} takes`;
		case 'refused':
			return `${host} refused to answer`;
		case 'invalidRequest':
			return `${host} refused the request`;
		default:
			return `${host} failed`;
	}
}

function advice({ client, reason, retryAfterMs }: Circumstances): string {
	switch (reason) {
		case 'unauthorized':
			return 'Set the key with the command “Discovery: Set API Key…”.';
		case 'payment':
			return 'Add credit there, or pick another model.';
		case 'forbidden':
			return 'Use a key that may, or pick another model.';
		case 'notFound':
			return `Check "model" and "base_url" of the client “${client}” in the configuration file.`;
		case 'rateLimited':
			return retryAfterMs === undefined
				? 'Try again later, or pick another model.'
				: `Try again in ${duration(retryAfterMs)}, or pick another model.`;
		case 'contextTooLong':
			return 'Begin a new chat, or pick a model with a larger context.';
		case 'invalidRequest':
			return 'Pick another model, or see the log for what was sent.';
		case 'refused':
			return 'Try other words, or another model.';
		default:
			return 'Try again, or pick another model.';
	}
}

/** `20 s`, `5 min`, `3 h`. */
function duration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
