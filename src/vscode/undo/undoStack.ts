/** Something that the user has done, and that can be taken back. */
export interface UndoableChange {
	/** What was done, in few words: "pin git:git_log". */
	readonly what: string;
	/** Whether it still holds, and the user still looks at what it was done to. */
	readonly holds: () => boolean;
	/** Fails with what is to be said to the user where it cannot be taken back any more. */
	readonly undo: () => void | Promise<void>;
}

/** Changes that are remembered. */
const kept = 50;

/** What the user has done in this window to where tools stand, the newest last: in the configuration and in chats. */
export class UndoStack {
	#changes: readonly UndoableChange[] = [];

	push(change: UndoableChange): void {
		this.#changes = [...this.#changes, change].slice(-kept);
	}

	/**
	 * Takes the newest change back that holds, and resolves to what that was; `undefined`: there is none. One that does not hold now may
	 * again, when its chat is taken up; one that fails is forgotten, so that the one before it can be reached.
	 */
	async undo(): Promise<string | undefined> {
		const change = this.#changes.findLast(({ holds }) => holds());
		if (!change) return undefined;
		this.#changes = this.#changes.filter((one) => one !== change);
		await change.undo();
		return change.what;
	}
}
