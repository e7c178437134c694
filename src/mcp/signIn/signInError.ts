/** Why a step of a sign-in failed; what code tests in the place of messages. */
export type SignInFault =
	/** Network, timeout, 5xx, 429, or what is no answer of OAuth at all: it may work the next time, and nothing is thrown away. */
	| 'unavailable'
	/** The server names no authorization server, or none that could be used. */
	| 'not-offered'
	| 'unsafe-address'
	| 'wrong-issuer'
	| 'wrong-resource'
	| 'bad-answer'
	/** The refresh token or the code is not valid any more. */
	| 'grant-ended'
	| 'client-refused'
	| 'refused'
	/** The user, or somebody for them, has said no at the authorization server. */
	| 'denied'
	| 'port-taken'
	| 'cancelled'
	| 'timed-out';

/** A step of a sign-in has failed. No message holds a token, a code or a client's secret. */
export class SignInError extends Error {
	override readonly name = 'SignInError';
	readonly fault: SignInFault;
	readonly retryAfterMs: number | undefined;

	constructor(fault: SignInFault, message: string, retryAfter?: number) {
		super(message);
		this.fault = fault;
		this.retryAfterMs = retryAfter;
	}
}
