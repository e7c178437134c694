/** Values that were made for keys, kept until there are too many: then all are forgotten, which is cheaper than choosing. */
export class Memo<K, V> {
	readonly #limit: number;
	readonly #values = new Map<K, V>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	get(key: K, make: () => V): V {
		let value = this.#values.get(key);
		if (value === undefined) {
			value = make();
			if (this.#values.size >= this.#limit) this.#values.clear();
			this.#values.set(key, value);
		}
		return value;
	}
}
