/** Something that holds a resource. */
export interface Disposable {
	dispose(): void;
}

/** Subscribes a listener; dispose the result to unsubscribe. Same shape as VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owner's side of an {@link Event}. A listener that throws does not stop the others. */
export class Emitter<T> implements Disposable {
	readonly #listeners = new Set<(value: T) => void>();

	readonly event: Event<T> = (listener) => {
		// Wrapped, so that subscribing a function twice gives two subscriptions.
		const entry = (value: T) => listener(value);
		this.#listeners.add(entry);
		return { dispose: () => this.#listeners.delete(entry) };
	};

	fire(value: T): void {
		for (const listener of [...this.#listeners]) {
			try {
				listener(value);
			} catch (error) {
				queueMicrotask(() => {
					throw error;
				});
			}
		}
	}

	dispose(): void {
		this.#listeners.clear();
	}
}

/** Fires for each event that changes the text. */
export function changesOf(text: () => string, events: Iterable<Event<unknown>>): Event<void> {
	const changed = new Emitter<void>();
	let lastText = text();
	for (const event of events)
		event(() => {
			const now = text();
			if (now === lastText) return;
			lastText = now;
			changed.fire();
		});
	return changed.event;
}

/** Disposes its members, last first; disposes late arrivals at once. */
export class DisposableStore implements Disposable {
	#items: Disposable[] | undefined = [];

	add<T extends Disposable>(item: T): T {
		if (this.#items) this.#items.push(item);
		else item.dispose();
		return item;
	}

	dispose(): void {
		const items = this.#items ?? [];
		this.#items = undefined;
		for (const item of items.reverse()) item.dispose();
	}
}
