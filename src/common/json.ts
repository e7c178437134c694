import { compareStrings } from './text.ts';

/** An object of JSON of which nothing more is known. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not an array or `null`. */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Levels of arguments: more than any tool asks for, and fewer than what sends, checks and shows them has room for on the stack. */
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
	return hash53(canonical(value)).toString(36);
}

/** What is still to be written: a value of JSON, or text that goes between values. */
type Pending = { readonly value: unknown } | { readonly text: string };

/** A value as JSON with sorted keys, in pieces. Without recursion: a server's schema may be nested deeper than the stack is. */
function* canonical(whole: unknown): Generator<string> {
	const left: Pending[] = [{ value: whole }];
	for (let next = left.pop(); next; next = left.pop()) {
		if ('text' in next) yield next.text;
		else if (Array.isArray(next.value)) {
			yield '[';
			const items = next.value.flatMap((value): Pending[] => [{ value }, { text: ',' }]);
			left.push({ text: ']' });
			for (const item of items.reverse()) left.push(item);
		} else if (isRecord(next.value)) {
			yield '{';
			const entries = Object.entries(next.value).sort(([a], [b]) => compareStrings(b, a));
			left.push({ text: '}' });
			for (const [key, value] of entries)
				left.push({ text: ',' }, { value }, { text: `${JSON.stringify(key)}:` });
		} else yield JSON.stringify(next.value) ?? '';
	}
}

/** cyrb53 (public domain): as many bits as a number holds exactly, so that two definitions hardly ever share them. */
function hash53(pieces: Iterable<string>): number {
	let [high, low] = [0xdeadbeef, 0x41c6ce57];
	for (const piece of pieces) {
		for (let i = 0; i < piece.length; i++) {
			const unit = piece.charCodeAt(i);
			high = Math.imul(high ^ unit, 2654435761);
			low = Math.imul(low ^ unit, 1597334677);
		}
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	return 2 ** 32 * (2097151 & low) + (high >>> 0);
}
