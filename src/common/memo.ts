/** A cache that is cleared when full, which is cheaper than choosing what to evict. */
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

/** The value of a key, which is made and added if the map has none. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	let value = map.get(key);
	if (value === undefined) {
		value = make();
		map.set(key, value);
	}
	return value;
}

/** Caches `make`'s value for each object as long as the object exists. */
export function weakMemo<K extends object, V extends NonNullable<unknown>>(
	make: (key: K) => V,
): (key: K) => V {
	const values = new WeakMap<K, V>();
	return (key) => {
		let value = values.get(key);
		if (value === undefined) {
			value = make(key);
			values.set(key, value);
		}
		return value;
	};
}
