/**
 * Calls that the tool loop sent through VS Code and that have not come back. Each carries an id in its input, so that an equal call of
 * another chat, which has no such id, never gets this chat's permission.
 */
export class CallsUnderway<Call> {
	readonly #calls = new Map<string, Call>();

	/** The call with this id; `undefined` if the loop did not make it. */
	get(id: unknown): Call | undefined {
		return typeof id === 'string' ? this.#calls.get(id) : undefined;
	}

	/** Runs `send` with a new id for the call. */
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
