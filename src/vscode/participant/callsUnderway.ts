/**
 * Calls that the tool loop has sent through VS Code and that have not come back yet. Each carries an id in its input, by which it is known
 * when VS Code hands it back: an equal call of another chat has no such id, so what the user has allowed for one never counts for the other.
 */
export class CallsUnderway<Call> {
	readonly #calls = new Map<string, Call>();

	/** The call with this id; `undefined` where others than the loop have made it. */
	get(id: unknown): Call | undefined {
		return typeof id === 'string' ? this.#calls.get(id) : undefined;
	}

	/** Sends a call on its way with an id of its own, and returns what `send` does. */
	async send<Answer>(call: Call, send: (id: string) => Promise<Answer>): Promise<Answer> {
		const id = crypto.randomUUID();
		this.#calls.set(id, call);
		try {
			return await send(id);
		} finally {
			this.#calls.delete(id);
		}
	}
}
