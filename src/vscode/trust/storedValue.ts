import type { Memento } from 'vscode';

/** A value in a memento. Other windows may change it, so it is read again whenever the memento holds another one. */
export class StoredValue<Value> {
	readonly #memento: Memento;
	readonly #key: string;
	readonly #read: (stored: unknown) => Value;
	#stored: unknown;
	#value: Value;

	/** @param read makes the value of what is stored, which may be damaged */
	constructor(memento: Memento, key: string, read: (stored: unknown) => Value) {
		this.#memento = memento;
		this.#key = key;
		this.#read = read;
		this.#stored = memento.get(key);
		this.#value = read(this.#stored);
	}

	get value(): Value {
		if (this.isChanged()) {
			this.#stored = this.#memento.get(this.#key);
			this.#value = this.#read(this.#stored);
		}
		return this.#value;
	}

	/** Whether another window has changed it since it was last read. */
	isChanged(): boolean {
		return this.#memento.get(this.#key) !== this.#stored;
	}

	/** Takes effect before it is on disk. */
	set(stored: unknown): Thenable<void> {
		const writing = this.#memento.update(this.#key, stored);
		void this.value;
		return writing;
	}
}
