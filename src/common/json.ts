import { compareStrings } from './text.ts';

/** A JSON object with unknown members. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and not an array, `null`, or a number with all its digits (see `exactJson.ts`). */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** The value if it is an object, otherwise an empty one. */
export function recordOf(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}

/** The objects of a list; none if the value is no list. */
export function recordsIn(value: unknown): JsonRecord[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The value of a JSON text; `undefined` if the text is not JSON. */
export function parsedJson(text: string, revive?: Parameters<typeof JSON.parse>[1]): unknown {
	try {
		return JSON.parse(text, revive);
	} catch {
		return undefined;
	}
}

/** An object without its `undefined` members. */
export function defined<T extends object>(members: T): Defined<T> {
	return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
	[K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Nesting levels allowed in arguments: more than any tool needs, and few enough for recursive code. */
export const maxInputDepth = 200;

/** Whether objects and arrays are nested deeper than this. Not recursive, because it protects recursive code. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
	const pending = [{ value, level: 0 }];
	for (let next = pending.pop(); next; next = pending.pop()) {
		if (typeof next.value !== 'object' || next.value === null) continue;
		if (next.level >= levels) return true;
		for (const child of Object.values(next.value)) pending.push({ value: child, level: next.level + 1 });
	}
	return false;
}

/** A tool's definition, as models get it. */
export interface Definition {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: object;
}

/**
 * A short hash that changes with a definition's name, description or schema, ignoring key order. At most eleven characters, because each loaded tool's
 * is stored with every answer. Detects changes; does not protect against forgery.
 */
export function shortDefinitionHash({ name, description, inputSchema }: Definition): string {
	return shortHash([name, description, inputSchema]);
}

/** {@link shortDefinitionHash} of any JSON value: letters and digits, at most eleven. */
export function shortHash(value: unknown): string {
	return hash53(stableJson(value)).toString(36);
}

/** Still to be written: a JSON value, or text between values. */
type Pending = { readonly value: unknown } | { readonly text: string };

/** JSON with sorted object members, so that equal values give equal texts. Not recursive: a server's schema may be nested deeper than the stack. */
export function stableJson(root: unknown): string {
	const pending: Pending[] = [{ value: root }];
	let json = '';
	for (let next = pending.pop(); next; next = pending.pop()) {
		if ('text' in next) json += next.text;
		else if (Array.isArray(next.value)) {
			const items = next.value.map((value): Pending[] => [{ value }]);
			json += '[';
			pushList(pending, items, ']');
		} else if (isRecord(next.value)) {
			const members = inOrder(next.value).map(([key, value]): Pending[] => [
				{ text: `${JSON.stringify(key)}:` },
				{ value },
			]);
			json += '{';
			pushList(pending, members, '}');
		} else json += JSON.stringify(next.value) ?? 'null';
	}
	return json;
}

/** The last pushed is written first. */
function pushList(pending: Pending[], items: readonly Pending[][], end: string): void {
	pending.push({ text: end });
	for (let i = items.length - 1; i >= 0; i--) {
		for (const part of items[i]?.toReversed() ?? []) pending.push(part);
		if (i > 0) pending.push({ text: ',' });
	}
}

/** An object's members in the order of `JSON.stringify` if they had been added by name: without `undefined` members, and integer names first. */
function inOrder(value: JsonRecord): readonly (readonly [string, unknown])[] {
	const present = Object.entries(value).filter(([, member]) => member !== undefined);
	return Object.entries(Object.fromEntries(present.sort(([a], [b]) => compareStrings(a, b))));
}

/** cyrb53 (public domain): all bits that a number holds exactly, so collisions are unlikely. */
function hash53(text: string): number {
	let [high, low] = [0xdeadbeef, 0x41c6ce57];
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		high = Math.imul(high ^ unit, 2654435761);
		low = Math.imul(low ^ unit, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	return 2 ** 32 * (2097151 & low) + (high >>> 0);
}
