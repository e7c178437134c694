import { abortable } from '../../common/cancellation.ts';

/**
 * Calls that the tool loop has sent through VS Code and that have not come back yet. The editor tells them apart by nothing but their
 * input, so of equal calls each sets out when the one before it is back: side by side, what the user says to one would count for the
 * other.
 */
export class CallsUnderway<Call> {
	readonly #calls = new Map<string, { readonly call: Call; readonly isBack: Promise<void> }>();

	/** The call of this input that is on its way; `undefined` where others than the loop have made it. */
	get(input: unknown): Call | undefined {
		return this.#calls.get(JSON.stringify(input))?.call;
	}

	/** Sends a call on its way as soon as no equal one is, and returns what `send` does. Rejects where it is stopped while it waits. */
	async send<Answer>(
		input: unknown,
		call: Call,
		signal: AbortSignal,
		send: () => Promise<Answer>,
	): Promise<Answer> {
		const key = JSON.stringify(input);
		for (let before = this.#calls.get(key); before; before = this.#calls.get(key)) {
			await abortable(before.isBack, signal);
		}
		const { promise: isBack, resolve } = Promise.withResolvers<void>();
		this.#calls.set(key, { call, isBack });
		try {
			return await send();
		} finally {
			this.#calls.delete(key);
			resolve();
		}
	}
}
