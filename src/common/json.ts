import { compareStrings } from './text.ts';

/** An object of JSON of which nothing more is known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not an array or `null`. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a value is; an empty one if it is something else. */
export function recordOf(value: unknown): JsonRecord {
	return isRecord(value) ? value : {};
}

/**
 * Levels of nesting that arguments may have: more than any tool asks for, and few enough for the recursive code that sends, checks and
 * shows them.
 */
export const deepestInput = 200;

/** Whether objects and lists stand within each other on more levels than so many. Without recursion: that is what it protects from. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
	const left = [{ value, level: 0 }];
	for (let next = left.pop(); next; next = left.pop()) {
		if (typeof next.value !== 'object' || next.value === null) continue;
		if (next.level >= levels) return true;
		for (const child of Object.values(next.value)) left.push({ value: child, level: next.level + 1 });
	}
	return false;
}

/** What a model is told of a tool. */
interface Definition {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: object;
}

/**
 * A short text that differs where two definitions do: name, description and schema, whatever the order of keys in it. Eleven characters
 * at most, as each loaded tool's is kept with every answer of a chat. It tells changes apart, and is no protection from forgery.
 */
export function definitionHash({ name, description, inputSchema }: Definition): string {
	return shortHash([name, description, inputSchema]);
}

/** {@link definitionHash} of any value of JSON: letters and digits, eleven at most. */
export function shortHash(value: unknown): string {
	return hash53(stableJson(value)).toString(36);
}

/** What is still to be written: a value of JSON, or text that goes between values. */
type Pending = { readonly value: unknown } | { readonly text: string };

/**
 * A value as JSON with the members of every object in order, so that equal values read the same. Without recursion: a server's schema may
 * be nested deeper than the stack is.
 */
export function stableJson(whole: unknown): string {
	const left: Pending[] = [{ value: whole }];
	let json = '';
	for (let next = left.pop(); next; next = left.pop()) {
		if ('text' in next) json += next.text;
		else if (Array.isArray(next.value)) {
			const items = next.value.map((value): Pending[] => [{ value }]);
			json += '[';
			pushList(left, items, ']');
		} else if (isRecord(next.value)) {
			const members = inOrder(next.value).map(([key, value]): Pending[] => [
				{ text: `${JSON.stringify(key)}:` },
				{ value },
			]);
			json += '{';
			pushList(left, members, '}');
		} else json += JSON.stringify(next.value) ?? 'null';
	}
	return json;
}

/** The last one pushed is written first. */
function pushList(left: Pending[], items: readonly Pending[][], end: string): void {
	left.push({ text: end });
	for (let i = items.length - 1; i >= 0; i--) {
		for (const part of items[i]?.toReversed() ?? []) left.push(part);
		if (i > 0) left.push({ text: ',' });
	}
}

/**
 * The members of an object as `JSON.stringify` would write them had they been added in the order of their names: those that are `undefined`
 * are left out, and names that are whole numbers come first.
 */
function inOrder(value: JsonRecord): readonly (readonly [string, unknown])[] {
	const present = Object.entries(value).filter(([, member]) => member !== undefined);
	return Object.entries(Object.fromEntries(present.sort(([a], [b]) => compareStrings(a, b))));
}
/** cyrb53 (public domain): as many bits as a number holds exactly, so that two definitions hardly ever share them. */
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
