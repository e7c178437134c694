import type { ChatSession } from '../../chat/sessions.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { Activation } from '../../discovery/session/activationSet.ts';

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

/** A tool that the user has taken out of a chat, with why it had been loaded. */
export interface Unload {
	readonly tool: CatalogTool;
	readonly activation: Activation;
}

/** Takes tools out of chats for the user, and knows for each chat what can be put back. */
export class UnloadHistory {
	/** The last one last. */
	readonly #byChat = new WeakMap<ChatSession, readonly Activation[]>();

	/** Returns why the tool had been loaded; `undefined`: it was not. */
	unload(chat: ChatSession, tool: CatalogTool): Activation | undefined {
		// What is pinned meanwhile is loaded anyway, and yet the chat would keep it.
		const activation = chat.discovery.state.activations.find(({ wireName }) => wireName === tool.wireName);
		chat.discovery.unload([tool]);
		if (activation) this.remember(chat, [activation]);
		return activation;
	}

	/** To be told of what was taken out of a chat by other means. */
	remember(chat: ChatSession, taken: readonly Activation[]): void {
		this.#byChat.set(chat, [...this.#pending(chat), ...taken]);
	}

	/** What was taken out last and can be loaded again. */
	last(chat: ChatSession): Unload | undefined {
		// Loaded again by other means, it is done with: should it be evicted later, that was not the user's doing.
		const pending = this.#pending(chat);
		this.#byChat.set(chat, pending);
		const { surface } = chat.discovery;
		return pending
			.map((activation) => ({ tool: surface.get(activation.wireName), activation }))
			.filter((unload): unload is Unload => unload.tool !== undefined)
			.findLast(({ tool }) => !surface.loaded.includes(tool));
	}

	/** Whether the chat is still without what was taken out of it. */
	isPending(chat: ChatSession, activation: Activation): boolean {
		return this.#pending(chat).includes(activation);
	}

	/** A chat that starts afresh has nothing to put back. */
	forget(chat: ChatSession): void {
		this.#byChat.delete(chat);
	}

	#pending(chat: ChatSession): readonly Activation[] {
		const active = new Set(chat.discovery.activated.map(({ wireName }) => wireName));
		return (this.#byChat.get(chat) ?? []).filter(({ wireName }) => !active.has(wireName));
	}
}
