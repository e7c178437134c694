/** Why a step of a sign-in failed. Code tests this, never messages. */
export type SignInFault =
	/** Network error, timeout, 5xx, 429, or an answer that is not OAuth. It may work next time, so nothing is deleted. */
	| 'unavailable'
	/** The server names no authorization server, or none that can be used. */
	| 'not-offered'
	| 'unsafe-address'
	| 'wrong-issuer'
	| 'wrong-resource'
	| 'bad-answer'
	/** The refresh token or the code is no longer valid. */
	| 'grant-ended'
	| 'client-refused'
	| 'refused'
	/** The user, or somebody on their behalf, declined at the authorization server. */
	| 'denied'
	| 'port-taken'
	| 'cancelled'
	| 'timed-out';

/** A step of a sign-in failed. No message contains a token, a code or a client's secret. */
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
