import { isRecord } from '../../common/json.ts';
import { type JsonSchema, targetOf } from '../../common/jsonSchema.ts';
import { type Budget, nodesSearched } from './bounds.ts';
import type { Dialect } from './dialects.ts';

/** The place in a schema that is being read, and the rules by which it is. */
export interface Place {
	readonly dialect: Dialect;
	readonly budget: Budget;
	readonly definitions: Definitions;
	/** How deep references may lead into one another. */
	readonly referenceDepth: number;
	/** References that led here, the first one first. */
	readonly references: readonly string[];
	/** 1 for the outermost schema. */
	readonly depth: number;
}

/** Adds to the description what the schema says and the provider does not take: `minimum: 1`. */
export type Say = (words: string) => void;

/** Rewrites a schema for its provider; gives the same object where there is nothing to change. */
export type Rule = (schema: JsonSchema, place: Place, say: Say) => JsonSchema;

/** Where the definitions of a schema stand, by the drafts of JSON Schema. */
const holders = ['$defs', 'definitions'];

/** Finds what the references of one schema mean. Nothing is ever fetched. */
export class Definitions {
	readonly #root: JsonSchema;
	#byName: ReadonlyMap<string, unknown> | undefined;
	#areUsed = false;

	constructor(root: JsonSchema) {
		this.#root = root;
	}

	/** Whether any has been asked for. */
	get areUsed(): boolean {
		return this.#areUsed;
	}

	/**
	 * What a `$ref` means; `undefined`: it means nothing in this schema. By its path as the standard has it, else by its name: many
	 * generators leave definitions where a part of the schema once was the whole, and name them by `$id` or `$anchor`.
	 */
	find(reference: string): unknown {
		this.#areUsed = true;
		const found = targetOf(reference, this.#root);
		if (found !== undefined) return found;
		this.#byName ??= definitionsByName(this.#root);
		return this.#byName.get(reference) ?? this.#byName.get(nameIn(reference));
	}
}

/** The name at the end of a reference: `Node` of `#/$defs/Node`. */
export function nameIn(reference: string): string {
	return reference.split(/[/#]/).at(-1) ?? '';
}

/** Definitions wherever they stand, the outermost first. */
function definitionsByName(root: JsonSchema): ReadonlyMap<string, unknown> {
	const found = new Map<string, unknown>();
	const note = (name: unknown, schema: unknown) => {
		if (typeof name === 'string' && name !== '' && !found.has(name)) found.set(name, schema);
	};
	const queue: object[] = [root];
	for (let next = 0; next < queue.length && next < nodesSearched; next++) {
		const node = queue[next] ?? {};
		if (isRecord(node)) {
			if (next > 0) for (const id of [node.$id, node.$anchor]) note(id, node);
			for (const holder of holders) {
				const held = node[holder];
				if (isRecord(held)) for (const [name, schema] of Object.entries(held)) note(name, schema);
			}
		}
		for (const child of Object.values(node)) {
			if (queue.length >= nodesSearched) break;
			if (typeof child === 'object' && child !== null) queue.push(child);
		}
	}
	return found;
}
