import { charactersRead, nodesRead } from './limits.ts';

/** Thrown where a schema has more than is read. */
export class OverBudget extends Error {
	override readonly name = 'OverBudget';
}

/** What may be read of one schema, in all its parts together. */
export class Budget {
	#nodes = nodesRead;
	#characters = charactersRead;
	#enumValues: number;

	constructor(enumValues: number) {
		this.#enumValues = enumValues;
	}

	/** Pays for one schema or value with so many characters. */
	spend(characters: number): void {
		this.#nodes -= 1;
		this.#characters -= characters;
		if (this.#nodes < 0 || this.#characters < 0) throw new OverBudget();
	}

	/** Whether there is room for so many values of an enumeration; then they are taken off. */
	takesEnum(values: number): boolean {
		if (values > this.#enumValues) return false;
		this.#enumValues -= values;
		return true;
	}
}
