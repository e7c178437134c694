import type { ServerError } from '../serverError.ts';
import type { QuestionAnswer } from './questions.ts';

/** Progress within a call, as MCP reports it. */
export interface CallProgress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

export interface CallOptions {
	/** Aborting tells the server so and rejects at once with the signal's reason. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: CallProgress) => void;
	/**
	 * The call waits until the user has signed in, for which `why` gives the reason; left out, such a call fails with it. Called once more
	 * when a sign-in has failed, which is then the `cause` of `why`. If it throws, the call fails with that.
	 */
	readonly onSignIn?: (why: ServerError) => void;
	/** The server has asked the user something for this call, or has been answered; what was asked and said is not told. */
	readonly onQuestion?: (what: 'asked' | QuestionAnswer['action']) => void;
	/** Who makes it, where that is not the user nor their chat: whoever is asked something for it is told. */
	readonly agent?: string | undefined;
}
