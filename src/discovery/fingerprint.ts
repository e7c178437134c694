import { compareStrings } from './compareStrings.ts';
import { isRecord } from './record.ts';
import type { ToolDefinition } from './tool.ts';

/**
 * A short text that differs where two definitions do: name, description and schema, whatever the order of keys in it. Eleven characters
 * at most, as each loaded tool's is kept with every answer of a chat. It tells changes apart, and is no protection from forgery.
 */
export function fingerprint({ name, description, inputSchema }: ToolDefinition): string {
	return fingerprintOf([name, description, inputSchema]);
}

/** {@link fingerprint} of any value of JSON: letters and digits, eleven at most. */
export function fingerprintOf(value: unknown): string {
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
